import type { Paragraph, PhrasingContent } from "mdast"
import { toNlcst } from "mdast-util-to-nlcst"
import type { Sentence as Node } from "nlcst"
import { toString } from "nlcst-to-string"
import { ParseEnglish } from "parse-english"
import remarkGfm from "remark-gfm"
import remarkParse from "remark-parse"
import { unified } from "unified"
import { SKIP, visit } from "unist-util-visit"
import { VFile } from "vfile"
import type { Kind } from "./Kind.ts"
import type { Text } from "./Texts.ts"

/** A sentence, its first line, and its number of words. Code, an address and a quotation count as one word. */
export interface Sentence {
  readonly kind: Kind
  readonly file: string
  readonly line: number
  readonly text: string
  /** The text with a word in place of code and quotations. */
  readonly plain: string
  readonly words: number
  readonly node: Node
}

const markdown = unified().use(remarkParse).use(remarkGfm)
const parser = new ParseEnglish()

const isAddress = (child: PhrasingContent) =>
  child.type === "link" && child.children.length === 1 && child.children[0]?.type === "text" &&
  child.url.includes(child.children[0].value)

const lengthOf = ({ position }: PhrasingContent) => (position?.end.offset ?? 0) - (position?.start.offset ?? 0)

/** A quotation, or a number or id before a full stop, which the parser would take for an abbreviation. */
const asOneWord = /"[^"]{2,}"|\b(?:\d[\d,.]*|ids?)(?=\.\s)/g

const sign = (length: number) => "Ω".padEnd(length, "ω")

/**
 * Replaces code, addresses and quotations by one word of the same length each, and adds them to `originals`. The word
 * has a capital, because it may begin a sentence.
 */
const asWords = (
  children: ReadonlyArray<PhrasingContent>,
  text: string,
  originals: Array<string>
): Array<PhrasingContent> =>
  children.map((child): PhrasingContent => {
    const position = child.position && { position: child.position }
    if (child.type === "inlineCode" || isAddress(child)) {
      originals.push(text.slice(child.position?.start.offset, child.position?.end.offset))
      return { type: "text", value: sign(lengthOf(child)), ...position }
    }
    if (child.type === "text") {
      const value = child.value.replaceAll(asOneWord, (quotation) => {
        originals.push(quotation)
        return sign(quotation.length)
      })
      return { type: "text", value, ...position }
    }
    return child.type === "strong" || child.type === "emphasis" || child.type === "link" || child.type === "delete"
      ? { ...child, children: asWords(child.children, text, originals) }
      : child
  })

const oneLine = (text: string) => text.replaceAll(/\s+/g, " ").trim()

const wordsOf = (node: Node) => {
  let words = 0
  visit(node, (inner) => {
    if (inner.type !== "WordNode") return undefined
    words += 1
    return SKIP
  })
  return words
}

/** The sentences of a text. Each heading, item of a list and cell of a table stands alone. */
export const sentencesOf = ({ file, kind, line, text }: Text): ReadonlyArray<Sentence> => {
  const place = new VFile(text)
  const sentences: Array<Sentence> = []
  visit(markdown.parse(place), (node) => {
    if (node.type !== "paragraph" && node.type !== "heading" && node.type !== "tableCell") return undefined
    if (node.children.length === 0) return SKIP
    const originals: Array<string> = []
    const paragraph: Paragraph = {
      type: "paragraph",
      children: asWords(node.children, text, originals),
      ...(node.position && { position: node.position })
    }
    visit(toNlcst(paragraph, place, parser), "SentenceNode", (sentence) => {
      const plain = oneLine(toString(sentence))
      sentences.push({
        kind,
        file,
        line: line + (sentence.position?.start.line ?? 1) - 1,
        text: plain.replaceAll(/Ωω*/g, () => originals.shift() ?? ""),
        plain,
        words: wordsOf(sentence),
        node: sentence
      })
      return SKIP
    })
    return SKIP
  })
  return sentences
}
