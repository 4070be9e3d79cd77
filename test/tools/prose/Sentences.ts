import type { Paragraph, PhrasingContent } from "mdast"
import { toNlcst } from "mdast-util-to-nlcst"
import type { Nodes, Sentence as Node } from "nlcst"
import { toString } from "nlcst-to-string"
import { ParseEnglish } from "parse-english"
import remarkGfm from "remark-gfm"
import remarkParse from "remark-parse"
import { unified } from "unified"
import { SKIP, visit } from "unist-util-visit"
import { VFile } from "vfile"
import type { Kind } from "./Kind.ts"
import type { Text } from "./Texts.ts"

/** A sentence, where it begins, and how many words it has: what is written as code counts as one. */
export interface Sentence {
  readonly kind: Kind
  readonly file: string
  readonly line: number
  readonly text: string
  /** The text with a sign in place of what is code. */
  readonly plain: string
  readonly words: number
  readonly node: Node
}

const markdown = unified().use(remarkParse).use(remarkGfm)
const parser = new ParseEnglish()

/** An address that is its own text is no words. */
const withoutAddresses = (children: ReadonlyArray<PhrasingContent>): Array<PhrasingContent> =>
  children.map((child) => {
    if (child.type !== "link") return child
    const [only] = child.children
    const isAddress = child.children.length === 1 && only?.type === "text" && child.url.includes(only.value)
    return isAddress
      ? { type: "inlineCode", value: only.value, ...(child.position && { position: child.position }) }
      : child
  })

const plainOf = (node: Nodes): string => {
  if (node.type === "SourceNode") return "`"
  return "children" in node ? node.children.map(plainOf).join("") : node.value
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, " ").trim()

const wordsOf = (node: Node) => {
  let words = 0
  visit(node, (inner) => {
    if (inner.type !== "WordNode" && inner.type !== "SourceNode") return undefined
    words += 1
    return SKIP
  })
  return words
}

/** The sentences of a text. A heading, an item of a list and a cell of a table are each for themselves. */
export const sentencesOf = ({ file, kind, line, text }: Text): ReadonlyArray<Sentence> => {
  const place = new VFile(text)
  const sentences: Array<Sentence> = []
  visit(markdown.parse(place), (node) => {
    if (node.type !== "paragraph" && node.type !== "heading" && node.type !== "tableCell") return undefined
    if (node.children.length === 0) return SKIP
    const paragraph: Paragraph = {
      type: "paragraph",
      children: withoutAddresses(node.children),
      ...(node.position && { position: node.position })
    }
    visit(toNlcst(paragraph, place, parser), "SentenceNode", (sentence) => {
      sentences.push({
        kind,
        file,
        line: line + (sentence.position?.start.line ?? 1) - 1,
        text: oneLine(toString(sentence)),
        plain: oneLine(plainOf(sentence)),
        words: wordsOf(sentence),
        node: sentence
      })
      return SKIP
    })
    return SKIP
  })
  return sentences
}
