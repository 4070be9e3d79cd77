import { type Comment, parseSync, type TemplateLiteral, Visitor } from "oxc-parser"
import type { Kind } from "./Kind.ts"

/** A text in Markdown, and the line of its file on which it begins. */
export interface Text {
  readonly kind: Kind
  readonly file: string
  readonly line: number
  readonly text: string
}

const english = /\b(?:the|is|are|of|and|or|to|for|with|that|this|it|not|cannot|was|were|has|have|at|in|on|if|when)\b/i

/** Letters and words of Portuguese. English prose has three words, two of them in a row, and a common English word. */
const portuguese = /[ãõçáéíóúâê]|\b(?:um|uma|para|da|das|dos|que|seu|sua|pelo|pela|nas|nos|os)\b/i

const isProse = (text: string) =>
  english.test(text) && /\p{L}+ \p{L}+/u.test(text) && (text.match(/\p{L}{2,}/gu)?.length ?? 0) > 2 &&
  /^[\p{Lu}`\d]/u.test(text.trim()) && !portuguese.test(text)

const blank = (text: string) => text.replaceAll(/[^\n]/g, " ")

const linesBefore = (source: string) => {
  const starts = [0]
  for (let at = source.indexOf("\n"); at !== -1; at = source.indexOf("\n", at + 1)) starts.push(at + 1)
  return (offset: number) => {
    let [low, high] = [0, starts.length]
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle
    }
    return low
  }
}

/** A docstring without its stars and tags. Its lines stay the same. */
const ofBlock = (value: string) =>
  value
    .replaceAll(/^[ \t]*\*[ \t]?/gm, "")
    .replaceAll(/\{@link ([^}]*)\}/g, "`$1`")
    .replaceAll(/^[ \t]*@\w+(?:[ \t]+\{[^}]*\})?/gm, blank)

const isDirective = ({ value }: Comment) => /^\s*(?:@(?:ts-|jsx|effect-)|#|eslint|oxlint|dprint|\/)/.test(value)

/** Comments on consecutive lines are one text. */
const commentsOf = (file: string, source: string, comments: ReadonlyArray<Comment>): ReadonlyArray<Text> => {
  const lineOf = linesBefore(source)
  const texts: Array<{ readonly line: number; readonly lines: Array<string>; readonly isBlock: boolean }> = []
  for (const comment of comments) {
    if (isDirective(comment)) continue
    const line = lineOf(comment.start)
    const last = texts.at(-1)
    const isBlock = comment.type === "Block"
    if (isBlock) texts.push({ line, isBlock, lines: ofBlock(comment.value).split("\n") })
    else if (last !== undefined && !last.isBlock && last.line + last.lines.length === line) {
      last.lines.push(comment.value.trim())
    } else texts.push({ line, isBlock, lines: [comment.value.trim()] })
  }
  return texts.map(({ line, lines }) => ({ kind: "comments", file, line: line + 1, text: lines.join("\n") }))
}

const escaped = /\\(?:u\{[^}]*\}|u....|x..|[^])/g

/** The texts of a literal: one for each paragraph. An expression in it stands for one word. */
const literalsOf = (file: string, source: string, program: Parameters<Visitor["visit"]>[0]): ReadonlyArray<Text> => {
  const lineOf = linesBefore(source)
  const texts: Array<Text> = []
  const tagged = new Set<number>()
  const add = (start: number, raw: string) => {
    let offset = 0
    for (const part of raw.split(/(\\n|\n[ \t]*\n)/)) {
      const text = part.replaceAll(escaped, (whole) => whole.length === 2 && /["'`]/.test(whole) ? whole.slice(1) : " ")
      if (isProse(text)) texts.push({ kind: "messages", file, line: lineOf(start + offset) + 1, text })
      offset += part.length
    }
  }
  const ofTemplate = ({ end, expressions, start }: TemplateLiteral) => {
    let raw = source.slice(start + 1, end - 1)
    for (const { end: to, start: from } of expressions) {
      const [before, after] = [source.lastIndexOf("${", from), source.indexOf("}", to) + 1]
      const hole = source.slice(before, after)
      const word = hole.replaceAll(/[^\n]/g, "x").replaceAll(/\n/g, "\n")
      raw = raw.slice(0, before - start - 1) + word + raw.slice(after - start - 1)
    }
    return raw
  }
  new Visitor({
    ImportDeclaration: ({ source: { start } }) => tagged.add(start),
    TSLiteralType: ({ literal: { start } }) => tagged.add(start),
    TaggedTemplateExpression: ({ quasi: { start } }) => tagged.add(start),
    Literal: ({ end, start, value }) => {
      if (typeof value === "string" && !tagged.has(start)) add(start + 1, source.slice(start + 1, end - 1))
    },
    TemplateLiteral: (node) => {
      if (!tagged.has(node.start)) add(node.start + 1, ofTemplate(node))
    }
  }).visit(program)
  return texts
}

/** The descriptions and summaries of an OpenAPI document, each once, by its path in the document. */
const descriptionsOf = (file: string, document: unknown): ReadonlyArray<Text> => {
  const found = new Map<string, string>()
  const look = (value: unknown, way: string): void => {
    if (typeof value !== "object" || value === null) return
    for (const [key, inner] of Object.entries(value)) {
      if (typeof inner !== "string") {
        if (key !== "example" && key !== "examples") look(inner, `${way}/${key.replaceAll("/", "~1")}`)
      } else if ((key === "description" || key === "summary") && !found.has(inner)) found.set(inner, `${way}/${key}`)
    }
  }
  look(document, "#")
  return [...found].map(([text, way]) => ({ kind: "api", file: `${file}${way}`, line: 1, text }))
}

/** A page, and the summary in its front matter, which lists and searches show. */
const ofPage = (file: string, source: string): ReadonlyArray<Text> => {
  const [front = ""] = /^---\n[^]*?\n---\n/.exec(source) ?? []
  const page: Text = { kind: "pages", file, line: 1, text: blank(front) + source.slice(front.length) }
  const [before = "", summary] = front.split(/^summary: /m)
  if (summary === undefined) return [page]
  return [{ ...page, line: before.split("\n").length, text: summary.split("\n")[0] ?? "" }, page]
}

/** The English of a file: all Markdown, the descriptions in JSON, and the comments and literals of sources. */
export const textsOf = (file: string, source: string): ReadonlyArray<Text> => {
  if (file.endsWith(".md")) return ofPage(file, source)
  if (file.endsWith(".json")) return descriptionsOf(file, JSON.parse(source))
  const parsed = parseSync(file, source)
  if (parsed.errors.length > 0) throw new Error(`${file} cannot be parsed: ${parsed.errors[0]?.message}`)
  // The first access to `program` builds the tree, which takes long, so only src has its literals read.
  const literals = file.startsWith("src/") ? literalsOf(file, source, parsed.program) : []
  return [...commentsOf(file, source, parsed.comments), ...literals]
}
