import { Marked } from "marked"
import { type Block, type MarkdownRules, treeOf } from "./MarkdownTree.ts"

// The parser of Markdown: a file of its own in the build, which a page loads with the first text.

// A new line is one, as people type it.
const parser = new Marked({ gfm: true, breaks: true })

/** The parser would take minutes for more marks in a paragraph, for quotes within more quotes, or for a longer word. */
const mostMarks = 800
const mostQuotes = 20
const longestWord = 2000

const isEndless = (text: string) =>
  text.split(/\n[^\S\n]*\n/).some((paragraph) =>
    (paragraph.match(/[*_~]/g)?.length ?? 0) > mostMarks ||
    (paragraph.match(/[[\]<]/g)?.length ?? 0) > 4 * mostMarks
  ) || new RegExp(`^[^\\S\\n]*(?:>[^\\S\\n]*){${mostQuotes},}`, "m").test(text) ||
  text.split(/\s/).some(({ length }) => length > longestWord)

/** The tree of a text. Undefined for a text that the parser is not made for: it is shown as it was written. */
export const readMarkdown = (text: string, rules: MarkdownRules): ReadonlyArray<Block> | undefined => {
  if (isEndless(text)) return undefined
  try {
    return treeOf(parser.lexer(text), rules)
  } catch {
    return undefined
  }
}
