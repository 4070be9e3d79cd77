// Characters that could hide something: control characters except line feed and tab, zero-width and bidirectional ones.
// Each is a single UTF-16 code unit, so this works on any piece of a text.
const invisible = /(?![\t\n])\p{Cc}|[\u00ad\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu

/** The text without invisible characters. */
export const withoutInvisible = (text: string): string => text.replace(invisible, "")

/** The length up to and with the last white space: text that follows does not change how that much is sanitized. */
export const settledLength = (text: string): number => text.search(/\S*$/)

// A match only begins at the start of a run, and a scheme is short. So each run is read once.
const tags = /(?<!<)<+(?=[a-z/!?])/gi
const images = /(?<!!)!+(?=\[)/g
const address = /(?:[a-z][a-z0-9+.-]{0,30}:\/\/|(?:mailto|xmpp):(?=\S)|(?<![a-z0-9])www\.)(\S*)/gi

/** Punctuation at the end of an address, which belongs to the sentence. */
const punctuation = /(?<![).,;:!?*_])[).,;:!?*_]*$/

/**
 * Markdown without HTML, images and links, safe to show anywhere. Keeps the words of a link and drops addresses. Gives the
 * same for a text as for its pieces cut after white space, and applying it twice changes nothing more.
 */
export const sanitizeMarkdown = (text: string): string =>
  text
    .replace(tags, "")
    .replace(address, (_, place: string) => place.slice(place.search(punctuation)))
    .replace(images, "")
    .replace(/\](?:\([^)\s]*\)?)+/g, "]")
    .replace(/\](?=[[:])/g, "] ")
