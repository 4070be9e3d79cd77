const address = /^(?=.{3,320}$)[^\s\p{Cc}<>()[\]\\,;:"@]+@[^\s\p{Cc}<>()[\]\\,;:"@]+$/u

/**
 * One plain address of up to 320 characters. A text that could be read as several addresses, or as a header, is
 * refused. Everything that may sign up is one: whether a part is too long, its mail server says.
 */
export const isAddress = (text: string): boolean => address.test(text)

const named = /^"?(?<name>[^<>"\p{Cc}]*?)"?\s*<(?<address>[^<>]+)>$/u

/** The sender of a mail. The name may be empty. */
export interface Sender {
  readonly name: string
  readonly address: string
}

/** Reads `Name <address>` or `address`. */
export const senderOf = (text: string): Sender => {
  const groups = named.exec(text)?.groups
  return { name: groups?.["name"]?.trim() ?? "", address: groups?.["address"] ?? text }
}

/** True if a text is `Name <address>` or `address`, with an address that `isAddress` takes. */
export const isSender = (text: string): boolean => isAddress(senderOf(text).address)
