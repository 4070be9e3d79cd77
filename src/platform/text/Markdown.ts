// Markdown as plain text, in one pass whose time grows with the length of the text alone. Parsers of Markdown take minutes
// for some texts of 100,000 characters, and people write these texts.

const media = /\]\(\s{0,3}<?media:([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})/gi

/** The ids in `![…](media:<id>)`, in lower case, each once. */
export const imageIds = (markdown: string): ReadonlyArray<string> => [
  ...new Set([...markdown.matchAll(media)].map(([, id = ""]) => id.toLowerCase()))
]

const fence = /^\s{0,3}(?:`{3,}|~{3,})/
const isFence = (line: string) => {
  const [marks] = fence.exec(line) ?? []
  return marks !== undefined && !line.includes("`", marks.length)
}
/** Lines that have marks alone: of a table, under a heading, or between paragraphs. */
const isRule = (line: string) => /^[\s|:=*_-]+$/.test(line) && /[|=*_-]/.test(line)
/** Quotes, headings and bullets. The numbers of a list are words. */
const opening = /^(?:\s{0,3}>|\s{0,3}#{1,6}(?=\s|$)|\s*[-+*](?=\s))+[^\S\n]*/
const closing = /\s#+\s*$/

/** The end of a link or an image, with its address. */
const target = /\]\((?:<[^<>\n]*>|[^()\s<]*)(?:\s+(?:"[^"\n]*"|'[^'\n]*'))?\s*\)/y
const delimiters = /\*+|_+|~~/y
const escaped = /\\([!-/:-@[-`{-~])/y

const isSpace = (character: string | undefined) => character === undefined || /\s/.test(character)
const isWord = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}]/u.test(character)

/** The match of a sticky pattern at this place. */
const matchAt = (pattern: RegExp, text: string, at: number) => {
  pattern.lastIndex = at
  return pattern.exec(text)
}

class Inline {
  private readonly parts: Array<string> = []
  /** Where in `parts` brackets and emphasis have opened. */
  private readonly brackets: Array<number> = []
  private readonly opened = new Map<string, number>()
  private readonly text: string

  constructor(text: string) {
    this.text = text
  }

  read(): string {
    let at = 0
    while (at < this.text.length) at += this.step(at)
    return this.parts.join("")
  }

  /** Reads the next part, and answers its length. */
  private step(at: number): number {
    const character = this.text[at] ?? ""
    switch (character) {
      case "\\":
        return this.keep(matchAt(escaped, this.text, at)?.[1] ?? character, matchAt(escaped, this.text, at)?.[0])
      case "`":
        return 1
      case "!":
        if (this.text[at + 1] !== "[") return this.keep(character)
        this.brackets.push(this.parts.length)
        return this.keep("![")
      case "[":
        this.brackets.push(this.parts.length)
        return this.keep(character)
      case "]":
        return this.link(at)
      case "*":
      case "_":
      case "~":
        return this.emphasis(at)
      default:
        return this.keep(character)
    }
  }

  private keep(part: string, read = part): number {
    this.parts.push(part)
    return read.length
  }

  private link(at: number): number {
    const open = this.brackets.pop()
    const [found] = open === undefined ? [] : matchAt(target, this.text, at) ?? []
    if (open === undefined || found === undefined) return this.keep("]")
    this.parts[open] = ""
    return found.length
  }

  /** As in Markdown, `_` within a word is a character. */
  private emphasis(at: number): number {
    const [run] = matchAt(delimiters, this.text, at) ?? []
    if (run === undefined) return this.keep(this.text[at] ?? "")
    const [before, after] = [this.text[at - 1], this.text[at + run.length]]
    const inWord = run.startsWith("_") && isWord(before) && isWord(after)
    const open = this.opened.get(run)
    if (open !== undefined && !isSpace(before) && !inWord) {
      this.opened.delete(run)
      this.parts[open] = ""
      return run.length
    }
    if (!isSpace(after) && !inWord) this.opened.set(run, this.parts.length)
    return this.keep(run)
  }
}

const inlineText = (paragraph: string) => new Inline(paragraph).read()

/** The words of a text in Markdown: without marks and the addresses of links. HTML is text. */
export const plainText = (markdown: string): string => {
  const read: Array<string> = []
  let paragraph: Array<string> = []
  let isCode = false
  const end = () => {
    if (paragraph.length > 0) read.push(inlineText(paragraph.join("\n")))
    paragraph = []
  }
  for (const line of markdown.replaceAll("\r\n", "\n").split("\n")) {
    if (isFence(line)) {
      end()
      isCode = !isCode
    } else if (isCode) read.push(line)
    else if (line.trim() === "") {
      end()
      read.push("")
    } else if (!isRule(line)) {
      const bare = line.replace(opening, "")
      if (bare !== line) end()
      const text = bare.trimStart().startsWith("|") ? bare.replaceAll("|", " ").trim() : bare
      paragraph.push(line.trimStart().startsWith("#") ? text.replace(closing, "") : text)
    }
  }
  end()
  return read.join("\n").replaceAll(/\n{3,}/g, "\n\n").trim()
}
