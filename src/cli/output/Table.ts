import { CliOutput } from "effect/cli"
import { harmlessLine } from "./Harmless.ts"

/** The state that a value stands for, which sets its colour. */
export type Tone = "good" | "bad" | "waiting" | "plain"

/** A column of rows of one kind. */
export interface Column<Row> {
  readonly title: string
  readonly value: (row: Row) => string
  /** How the value is coloured; plain without it. */
  readonly tone?: (value: string) => Tone
  /** How wide the column is at least. */
  readonly width?: number
}

const colours: Readonly<Record<Tone, string>> = { good: "32", bad: "31", waiting: "33", plain: "" }

const coloured = (code: string, text: string) => code === "" ? text : `\u001b[${code}m${text}\u001b[0m`

const between = "  "

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" })

/** The text in this many columns of a terminal, with an ellipsis where it is longer. */
export const fitted = (text: string, width: number): string => {
  if (CliOutput.displayWidth(text) <= width) return text
  if (width <= 0) return ""
  let kept = ""
  let taken = 0
  for (const { segment } of graphemes.segment(text)) {
    taken += CliOutput.displayWidth(segment)
    if (taken > width - 1) break
    kept += segment
  }
  return `${kept}…`
}

const narrowest = 4

/** Takes from the widest columns until all fit into `room`, as far as that goes. */
const shrunk = (widths: ReadonlyArray<number>, room: number): ReadonlyArray<number> => {
  const sum = widths.reduce((total, width) => total + width, (widths.length - 1) * between.length)
  const widest = Math.max(...widths)
  if (sum <= room || widest <= narrowest) return widths
  const at = widths.indexOf(widest)
  const next = Math.max(narrowest, ...widths.filter((_, index) => index !== at), widest - (sum - room))
  const width = next < widest ? next : widest - 1
  return shrunk(widths.with(at, width), room)
}

/** How a table is drawn. */
export interface Look {
  /** Columns of the terminal; 0 where that is not known. */
  readonly width: number
  readonly colour: boolean
}

/** A table that is drawn a few rows at a time: what was drawn decides how wide columns are at least. */
export interface Table<Row> {
  readonly head: (rows: ReadonlyArray<Row>) => string
  readonly body: (rows: ReadonlyArray<Row>) => string
}

/** Draws rows of a kind for a terminal. The rows for which the head was drawn set the widths. */
export const makeTable = <Row>(columns: ReadonlyArray<Column<Row>>, { colour, width }: Look): Table<Row> => {
  let widths: ReadonlyArray<number> = []
  const cells = (row: Row) => columns.map(({ value }) => harmlessLine(value(row)))
  const line = (texts: ReadonlyArray<string>, codeOf: (index: number) => string) =>
    texts.map((text, index) => {
      const isLast = index === texts.length - 1
      const width = widths[index] ?? 0
      const cut = fitted(text, width)
      const shown = colour ? coloured(codeOf(index), cut) : cut
      return isLast ? shown : shown + " ".repeat(Math.max(0, width - CliOutput.displayWidth(cut)))
    }).join(between).trimEnd()
  return {
    head: (rows) => {
      const all = [columns.map(({ title }) => title), ...rows.map(cells)]
      const wanted = columns.map(({ width = 0 }, index) =>
        Math.max(width, ...all.map((row) => CliOutput.displayWidth(row[index] ?? "")))
      )
      widths = width === 0 ? wanted : shrunk(wanted, width)
      return `${line(columns.map(({ title }) => title), () => "1")}\n`
    },
    body: (rows) =>
      rows.map((row) => {
        const texts = cells(row)
        return `${line(texts, (index) => colours[columns[index]?.tone?.(texts[index] ?? "") ?? "plain"])}\n`
      }).join("")
  }
}

/** Rows for programs that read lines: cells between tabs, whole, without a head. */
export const separated = <Row>(columns: ReadonlyArray<Column<Row>>, rows: ReadonlyArray<Row>): string =>
  rows.map((row) => `${columns.map(({ value }) => harmlessLine(value(row))).join("\t")}\n`).join("")
