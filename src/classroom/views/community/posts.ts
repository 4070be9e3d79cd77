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
