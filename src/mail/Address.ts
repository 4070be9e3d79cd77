const address = /^[^\s\p{Cc}<>()[\]\\,;:"@]{1,64}@[^\s\p{Cc}<>()[\]\\,;:"@]{1,255}$/u

/** One plain address. What could be read as several, or as a header, is none. */
export const isAddress = (text: string): boolean => address.test(text)

const named = /^"?(?<name>[^<>"\p{Cc}]*?)"?\s*<(?<address>[^<>]+)>$/u

export interface Sender {
  readonly name: string
  readonly address: string
}

/** Reads `Name <address>` or `address`. */
export const senderOf = (text: string): Sender => {
  const groups = named.exec(text)?.groups
  return { name: groups?.["name"]?.trim() ?? "", address: groups?.["address"] ?? text }
}

export const isSender = (text: string): boolean => isAddress(senderOf(text).address)
