import type { Schemas } from "../../../sdk/index.ts"

/** A post of the community. */
export type Post = Schemas["Post"]

/** The words of a text without the marks of Markdown, on one line. */
export const plainText = (text: string): string =>
  text
    .replaceAll(/!?\[([^\]\n]*)\]\([^)\n]*\)/g, "$1")
    .replaceAll(/^[ \t]*(?:>+|#{1,6}|[-*+]|\d+[.)])[ \t]+/gm, "")
    .replaceAll(/(\*\*|__|~~|`+)(?=\S)|(?<=\S)(\*\*|__|~~|`+)/g, "")
    .replaceAll(/(?<![\p{L}\p{N}])[*_](?=\S)|(?<=\S)[*_](?![\p{L}\p{N}])/gu, "")
    .replaceAll(/\s+/g, " ")
    .trim()

/** The most characters of the words that stand for a title. */
const longestName = 80

const firstWords = (text: string) => {
  if (text.length <= longestName) return text
  const cut = text.slice(0, longestName)
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), 1))}…`
}

/** The name of a post in a list, and its words below it. A post without a title is called by its first words. */
export const namesOf = (
  { body, title }: Pick<Post, "body" | "title">
): { readonly name: string; readonly words: string } => {
  const words = plainText(body)
  return title === null
    ? { name: firstWords(words), words: words.length > longestName ? words : "" }
    : { name: title, words }
}
