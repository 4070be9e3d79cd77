const shapeless = String.raw`\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}`

// Braille, musical, Khitan and Egyptian characters that are letters or signs by their class and have no ink: Unicode has no
// property for them.
const blanks = String.raw`\u2800\u{1D159}\u{16FE4}\u{13441}\u{13442}`

const nothing = new RegExp(`^[\\p{Z}${shapeless}${blanks}]*$`, "u")

/** True if the text has a visible character, not only spaces, controls, fillers and selectors. */
export const isSeen = (text: string): boolean => !nothing.test(text)

const unseen = new RegExp(`[${shapeless}${blanks}]`, "gu")

/** True if the text has an invisible character: a zero-width one, a soft hyphen, a filler, a selector. */
export const hasUnseen = (text: string): boolean => text.search(unseen) !== -1

const localPart = /^[^\s\p{Cc}@<>()[\]\\,;:"]+$/u

// Letters of any script, digits, hyphens and dots. Anything else would be another part of the URL in which the name is read.
const nameCharacters = /^[\w.\-\u0080-\u{10FFFF}]+$/u

// Two labels or more, all with letters. The last is not a number, which a URL takes for a part of an IP address.
const asciiDomain = /^(?:[a-z0-9_-]+\.)+(?!\d+$)[a-z0-9_-]+$/

// The shape of most domains, which UTS 46 leaves as it is.
const usualDomain = /^(?!.*xn--)(?:[a-z0-9_-]+\.)+[a-z][a-z0-9_-]*$/

/** The domain in ASCII and lower case, as UTS 46 maps it; undefined if the text is not a domain. */
const toAscii = (domain: string): string | undefined => {
  if (usualDomain.test(domain)) return domain
  const url = `http://${domain}/`
  if (!nameCharacters.test(domain) || !URL.canParse(url)) return undefined
  const { hostname } = new URL(url)
  return asciiDomain.test(hostname) ? hostname : undefined
}

/**
 * The one spelling of an e-mail address: without invisible characters, in NFKC and lower case, its domain in ASCII.
 * Undefined if the result is not an address. Compatibility forms, such as full-width letters, become the letters that
 * they stand for.
 */
export const plainAddress = (address: string): string | undefined => {
  // Small letters first, as addresses were stored before; NFKC makes capitals of some signs, which are folded after it.
  const folded = address.replaceAll(unseen, "").toLowerCase().normalize("NFKC").toLowerCase().normalize("NFKC")
  const at = folded.indexOf("@")
  const local = folded.slice(0, Math.max(at, 0))
  const domain = toAscii(folded.slice(at + 1))
  return localPart.test(local) && domain !== undefined ? `${local}@${domain}` : undefined
}

/**
 * True if the one spelling of an address surely names its mailbox. It does not if a sign before the @ was read as the
 * letter that it stands for, such as `²`. A mail server may tell the two apart.
 */
export const isSurelySame = (address: string): boolean => {
  const local = address.slice(0, Math.max(address.indexOf("@"), 0)).replaceAll(unseen, "").toLowerCase()
  return local.normalize("NFC") === local.normalize("NFKC")
}

/** The spelling by which an address is stored now. If it is no longer a valid address, the given spelling. */
export const currentSpelling = (address: string): string => plainAddress(address) ?? address
