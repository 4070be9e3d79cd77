// Characters that a terminal obeys, which text of strangers may hold: control characters, other ends of lines, and
// changes of the writing direction. Half a surrogate pair is not a character.
const obeyed = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\p{Cs}]/gu

/** The text with nothing in it that a terminal obeys. Ends of lines stay. */
export const harmless = (text: string): string => text.replaceAll(obeyed, (one) => one === "\n" ? one : "\ufffd")

/** The same on one line. */
export const harmlessLine = (text: string): string => harmless(text.replaceAll(/[\s\u0085]+/g, " "))

/** The same JSON, with characters that a terminal obeys written as `\uXXXX`. The space between values stays. */
export const harmlessJson = (json: string): string =>
  json.replaceAll(obeyed, (one) => one === "\n" ? one : `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`)
