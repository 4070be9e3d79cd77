// The headers of a request. A value that no header can have is refused before the request is sent, and no error repeats
// it.

const printable = /^[\x21-\x7e]+$/

/** The token, if a header can have it; undefined without a token. */
export const checkedToken = (token: string | null | undefined): string | undefined => {
  if (token === undefined || token === null) return undefined
  if (printable.test(token)) return token
  throw new TypeError("token must be printable ASCII without spaces")
}

/** A key that no other call has. */
const randomKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("")

/** The `Idempotency-Key` of a creation: the caller's own, or a new one. */
export const idempotencyKeyOf = (given: string | undefined): string => {
  if (given === undefined) return randomKey()
  if (/^[\x20-\x7e]{1,255}$/.test(given)) return given
  throw new TypeError("idempotencyKey must have 1 to 255 printable ASCII characters")
}

const reserved = new Set(["authorization", "idempotency-key", "content-type"])

const headerName = /^[\w!#$%&'*+.^`|~-]+$/
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/

/** A header that the caller wants sent, by its name in small letters. */
const checkedHeader = (given: string, value: string) => {
  const name = given.toLowerCase()
  if (reserved.has(name)) throw new TypeError(`${name} is not for headers to say`)
  if (!headerName.test(name)) throw new TypeError("headers has a name that no header can have")
  if (!headerValue.test(value)) throw new TypeError(`${name} of headers has a value that no header can have`)
  return [name, value]
}

/** Further headers of a call, without the undefined ones. */
export const furtherHeaders = (
  headers: Readonly<Record<string, string | undefined>> = {}
): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [checkedHeader(name, value)]
  ))

const isBytes = (body: unknown): body is Uint8Array<ArrayBuffer> => body instanceof Uint8Array

/** A body as it is sent, with the header that says what it is. */
export const bodyOf = (
  body: unknown
): { readonly body?: string | Uint8Array<ArrayBuffer>; readonly headers: Readonly<Record<string, string>> } => {
  if (body === undefined) return { headers: {} }
  // An import of students may be CSV, as text or as the bytes of a file; every other body is an object.
  if (typeof body === "string" || isBytes(body)) return { body, headers: { "content-type": "text/csv" } }
  return { body: JSON.stringify(body), headers: { "content-type": "application/json" } }
}
