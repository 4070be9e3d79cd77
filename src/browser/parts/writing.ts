// Edits of a text in Markdown, as the buttons of its field make them. Pure.

/** A text, and the part of it that is selected. */
export interface Written {
  readonly text: string
  readonly start: number
  readonly end: number
}

/** What a button writes. */
export type Mark = "bold" | "italic" | "code" | "heading" | "list" | "numbers" | "quote"

const around = { bold: "**", italic: "*", code: "`" } as const

const before = { heading: "## ", list: "- ", numbers: "1. ", quote: "> " } as const

/** With this mark on both sides of the selected part. Takes it off if it is there. */
const wrapped = ({ end, start, text }: Written, mark: string): Written => {
  const [left, inner, right] = [text.slice(0, start), text.slice(start, end), text.slice(end)]
  if (left.endsWith(mark) && right.startsWith(mark)) {
    const length = mark.length
    return { text: left.slice(0, -length) + inner + right.slice(length), start: start - length, end: end - length }
  }
  return { text: left + mark + inner + mark + right, start: start + mark.length, end: end + mark.length }
}

/** With this at the beginning of each selected line. Takes it off lines that all have it. */
const prefixed = ({ end, start, text }: Written, prefix: string): Written => {
  const from = text.lastIndexOf("\n", start - 1) + 1
  const found = text.indexOf("\n", end)
  const to = found === -1 ? text.length : found
  const lines = text.slice(from, to).split("\n")
  const isOff = lines.every((line) => line.startsWith(prefix))
  const changed = lines.map((line) => isOff ? line.slice(prefix.length) : prefix + line).join("\n")
  return { text: text.slice(0, from) + changed + text.slice(to), start: from, end: from + changed.length }
}

/** The text with a mark at its selected part, which stays selected. */
export const marked = (written: Written, mark: Mark): Written =>
  mark === "bold" || mark === "italic" || mark === "code"
    ? wrapped(written, around[mark])
    : prefixed(written, before[mark])

/** The text with a piece in place of its selected part, and the cursor behind it. */
export const inserted = ({ end, start, text }: Written, piece: string): Written => {
  const at = start + piece.length
  return { text: text.slice(0, start) + piece + text.slice(end), start: at, end: at }
}

/** Letters that would end the words of a link or an image. */
const plain = (words: string) => words.replaceAll(/[[\]\\\n]/g, " ").trim()

/** A link with the selected words, or with the address for words. Its address is selected, to be typed over. */
export const linked = (written: Written, address: string): Written => {
  const words = written.text.slice(written.start, written.end)
  const lead = `[${plain(words) === "" ? address : plain(words)}](`
  const { text } = inserted(written, `${lead}${address})`)
  const start = written.start + lead.length
  return { text, start, end: start + address.length }
}

/** An image of the library, in Markdown. */
export const imageOf = (title: string, mediaId: string): string => `![${plain(title)}](media:${mediaId})`

/** The ids of the images of the library that a text names, each once. */
export const imagesIn = (text: string): ReadonlyArray<string> => [
  ...new Set([...text.matchAll(/!\[[^\]]*\]\(media:([0-9a-f-]{36})\)/gi)].map(([, id = ""]) => id.toLowerCase()))
]
