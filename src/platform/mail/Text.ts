// Line ends and other controls would start a header or a line of their own. Marks that change the reading direction
// make a name look like something else.
const unprintable = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]+/gu

/** Any text as one line of well-formed Unicode, without control or direction characters. */
export const oneLine = (text: string): string =>
  text.toWellFormed().replace(unprintable, " ").replace(/\s+/gu, " ").trim()

/**
 * Words that a person entered, safe for a mail to somebody else. They are one line of at most so many characters, without
 * anything that a mail program turns into a link. Otherwise a sign-up would let anyone send their link in our name.
 */
export const plainWords = (words: string, most: number): string => {
  const plain = oneLine(words)
    .replace(/:?[/\\]{2,}/gu, " ")
    .replace(/\.(?=[\p{L}\p{N}])/gu, ". ")
    .replace(/@(?=\S)/gu, "@ ")
  const characters = [...oneLine(plain)]
  return characters.length <= most ? characters.join("") : `${characters.slice(0, most - 1).join("")}…`
}

/** The same of a name: at most 100 characters. */
export const plainName = (name: string): string => plainWords(name, 100)

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  "\"": "&quot;",
  "'": "&#39;"
}

/** Text as HTML content or as the value of a quoted attribute. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/gu, (character) => entities[character] ?? "")
