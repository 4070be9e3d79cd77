// What people do not see and others could hide behind: control characters but line feed and tab, zero-width and
// bidirectional ones. Each is a single UTF-16 code unit, so a text may be cut anywhere before.
const unseen = /(?![\t\n])\p{Cc}|[\u00ad\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu

/** The text without characters that nobody sees. */
export const seen = (text: string): string => text.replace(unseen, "")

/** How much of the text is settled: up to the last white space, what comes after it changes nothing before it. */
export const settledLength = (text: string): number => text.search(/\S*$/)

// Each begins where its run begins and nowhere else, and a scheme is short, so that no run is read more than once.
const tags = /(?<!<)<+(?=[a-z/!?])/gi
const images = /(?<!!)!+(?=\[)/g
const address = /(?:[a-z][a-z0-9+.-]{0,30}:\/\/|(?:mailto|xmpp):(?=\S)|(?<![a-z0-9])www\.)(\S*)/gi

/** What of the end of an address belongs to the sentence. */
const punctuation = /(?<![).,;:!?*_])[).,;:!?*_]*$/

/**
 * Markdown without HTML, images and links, safe to show wherever it is shown. Of a link the words stay, of an address
 * nothing. Takes words with the white space after them, so it says the same of a text as of its pieces cut after
 * white space, and the same of what it said.
 */
export const sanitized = (text: string): string =>
  text
    .replace(tags, "")
    .replace(address, (_, place: string) => place.slice(place.search(punctuation)))
    .replace(images, "")
    .replace(/\](?:\([^)\s]*\)?)+/g, "]")
    .replace(/\](?=[[:])/g, "] ")
