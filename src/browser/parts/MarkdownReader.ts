import { Marked } from "marked"
import { type Block, type MarkdownRules, treeOf } from "./MarkdownTree.ts"

// The parser of Markdown: a file of its own in the build, which a page loads with the first text.

// A new line is one, as people type it.
const parser = new Marked({ gfm: true, breaks: true })

// The parser would take seconds or minutes beyond these, and people write posts that hundreds of others read.
/** Marks in a paragraph, and lines without an empty one between them. */
const mostMarks = 800
const mostLines = 500
/** Lists and quotes within each other. */
const deepestNest = 20
/** The letters of a word, and the spaces between two words. */
const longestWord = 1000

/** The beginning of a line that opens a list or a quote within another one, again and again. */
const nest = new RegExp(
  String.raw`^[^\S\n]*(?:(?:>|(?:[-+*]|\d{1,9}[.)])(?=[^\S\n]))[^\S\n]*){${deepestNest},}`,
  "m"
)
const gap = new RegExp(String.raw`[^\S\n]{${longestWord},}`)

// The parser takes these alone for empty lines and ends of lines.
const emptyLine = /\n[ \t]*\n/
const lineEnd = /\r\n?/g

const isEndless = (text: string) =>
  text.replaceAll(lineEnd, "\n").split(emptyLine).some((paragraph) =>
    paragraph.split("\n").length > mostLines || (paragraph.match(/[*_~]/g)?.length ?? 0) > mostMarks ||
    (paragraph.match(/[[\]<]/g)?.length ?? 0) > 4 * mostMarks
  ) || nest.test(text) || gap.test(text) || text.split(/\s/).some(({ length }) => length > longestWord)

/** The tree of a text. Undefined for a text that the parser is not made for: it is shown as it was written. */
export const readMarkdown = (text: string, rules: MarkdownRules): ReadonlyArray<Block> | undefined => {
  if (isEndless(text)) return undefined
  try {
    return treeOf(parser.lexer(text), rules)
  } catch {
    return undefined
  }
}
