/** Names and addresses of this machine itself, to which nothing of a request leaves it. */
const loopback = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

const asUrl = (text: string | URL): URL => {
  try {
    return new URL(text)
  } catch {
    throw new TypeError("baseUrl must be an address such as https://turma.example")
  }
}

/** Where paths begin, without a slash at the end. Only over HTTPS, except on this machine: tokens go there. */
export const parseBaseUrl = (text: string | URL): string => {
  const { hash, hostname, origin, password, pathname, protocol, search, username } = asUrl(text)
  if (protocol !== "https:" && !(protocol === "http:" && loopback.test(hostname))) {
    throw new TypeError("baseUrl must begin with https://: http:// is for localhost alone")
  }
  if (username !== "" || password !== "" || search !== "" || hash !== "") {
    throw new TypeError("baseUrl must have neither a name, a password, a query nor a fragment")
  }
  return origin + pathname.replace(/\/+$/, "")
}
