import { Result } from "effect"
import { saying } from "../../../platform/http/ApiError.ts"
import type { Sentence } from "../../../platform/http/Locale.ts"
import { CsvInvalid, longestRow } from "./Import.ts"
import type { RowFault } from "./Problem.ts"

/** More columns than any list of students has, and few enough to read a record quickly. */
const maxColumns = 500

/** Characters and records to read before yielding to other fibers. */
const slice = { characters: 32 * 1024, records: 250 }

/** A record, and the line on which it begins. */
export interface CsvRecord {
  readonly line: number
  /** Empty if the record has a fault. */
  readonly cells: ReadonlyArray<string>
  readonly fault: Exclude<RowFault, "too_many_cells"> | null
}

/** The error of a file, with its line. */
export const csvInvalidAt = (line: number, what: Sentence): CsvInvalid =>
  new CsvInvalid(saying({ en: `line ${line}: ${what.en}`, "pt-BR": `Na linha ${line}, ${what["pt-BR"]}.` }))

const tooLong: Sentence = {
  en: `it is longer than ${longestRow} characters`,
  "pt-BR": `há mais de ${longestRow} caracteres`
}

const tooManyCells: Sentence = {
  en: `there are more than ${maxColumns} cells`,
  "pt-BR": `há mais de ${maxColumns} células`
}

const codeOf = (letter: string) => letter.charCodeAt(0)
const [lineBreak, quote, equals, space] = [codeOf("\n"), codeOf("\""), codeOf("="), codeOf(" ")]

/** The delimiter that occurs most often in the header line, outside of quotes. */
const delimiterIn = (header: string): string => {
  const bare = header.replace(/"[^"]*"/g, "")
  const count = (delimiter: string) => bare.split(delimiter).length
  return [";", "\t"].reduce((best, other) => count(other) > count(best) ? other : best, ",")
}

/** The delimiter between cells, and the start of the table. */
interface Layout {
  readonly delimiter: string
  readonly start: number
  /** The line of the start, from 1. */
  readonly line: number
}

/**
 * The delimiter that a first line `sep=;` names, as Excel writes it and reads it, and the table after it. Without one it is
 * `;`, `,` or tab, as in the first line that is not blank.
 */
export const layoutOf = (text: string): Layout => {
  const start = Math.max(text.search(/\S/), 0)
  const end = text.indexOf("\n", start)
  const first = text.slice(start, Math.min(end === -1 ? text.length : end, start + longestRow))
  const [, named] = /^"?sep=([;,\t|])"?[;,\s]*$/i.exec(first) ?? []
  if (named === undefined) return { delimiter: delimiterIn(first), start: 0, line: 1 }
  const before = text.slice(0, start).split("\n").length
  return end === -1
    ? { delimiter: named, start: text.length, line: before }
    : { delimiter: named, start: end + 1, line: before + 1 }
}

/** A record, or the reason why the whole file is refused. */
interface Scanned {
  /** The index of the line break behind it. */
  readonly end: number
  /** The end of the searched part. */
  readonly seen: number
  readonly lineBreaks: number
  readonly cells: ReadonlyArray<string>
  readonly fault: CsvRecord["fault"]
  readonly refusal: Sentence | null
}

/** The record is its first line alone, since its quotes do not show its end. */
const withStrayQuote = (text: string, start: number, seen: number): Scanned => {
  const found = text.indexOf("\n", start)
  const end = found === -1 ? text.length : found
  const refusal = end - start > longestRow ? tooLong : null
  return { end, seen, lineBreaks: 0, cells: [], fault: "quotes", refusal }
}

const isWellFormed = (cells: ReadonlyArray<string>) => cells.every((cell) => cell.isWellFormed())

/** Reads the record that begins here. Quotes follow RFC 4180. Excel writes `="…"` for text that it must not compute. */
const scanFrom = (text: string, start: number, delimiter: number): Scanned => {
  const last = Math.min(text.length, start + longestRow + 1)
  const cells: Array<string> = []
  let [at, lineBreaks] = [start, 0]
  const skipBlanks = () => {
    while (at < last && text.charCodeAt(at) === space) at += 1
  }
  /** True if the cell ends here. */
  const isEnd = () => at === text.length || text.charCodeAt(at) === delimiter || text.charCodeAt(at) === lineBreak
  /** From behind the opening quote to behind the closing one; undefined without a closing quote. */
  const quoted = () => {
    const from = at
    let hasPairs = false
    for (; at < last; at += 1) {
      const code = text.charCodeAt(at)
      if (code === lineBreak) lineBreaks += 1
      if (code !== quote) continue
      if (text.charCodeAt(at + 1) !== quote) {
        const inner = text.slice(from, at)
        at += 1
        return hasPairs ? inner.replaceAll("\"\"", "\"") : inner
      }
      hasPairs = true
      at += 1
    }
    return undefined
  }
  for (;;) {
    const from = at
    skipBlanks()
    const isFormula = text.charCodeAt(at) === equals && text.charCodeAt(at + 1) === quote
    if (isFormula || text.charCodeAt(at) === quote) {
      at += isFormula ? 2 : 1
      const inner = quoted()
      skipBlanks()
      if (inner === undefined || !isEnd()) return withStrayQuote(text, start, at)
      cells.push(isFormula ? `="${inner}"` : inner)
    } else {
      while (at < last && !isEnd() && text.charCodeAt(at) !== quote) at += 1
      if (at < last && !isEnd()) return withStrayQuote(text, start, at)
      cells.push(text.slice(from, at))
    }
    const read = { end: at, seen: at, lineBreaks }
    if (at - start > longestRow) {
      return lineBreaks > 0
        ? withStrayQuote(text, start, at)
        : { ...read, cells: [], fault: null, refusal: tooLong }
    }
    if (text.charCodeAt(at) !== delimiter || at === text.length) {
      const fault = isWellFormed(cells) ? null : "encoding"
      return { ...read, cells: fault === null ? cells : [], fault, refusal: null }
    }
    if (cells.length === maxColumns) {
      return { ...read, cells: [], fault: null, refusal: tooManyCells }
    }
    at += 1
  }
}

const notLineBreak = /[^\n]/g

/** Number of empty lines from here on. A regular expression, because there may be millions. */
const countEmptyLines = (text: string, start: number): number => {
  notLineBreak.lastIndex = start
  return (notLineBreak.test(text) ? notLineBreak.lastIndex - 1 : text.length) - start
}

/**
 * The records of a CSV in short slices, without empty ones. Stops with a failure at a record that is too long or has too
 * many cells. A record whose quotes cannot be read ends with its first line, and the next one is read as if it were well.
 */
export function* recordsOf(
  text: string,
  { delimiter, ...layout }: Layout
): Generator<Result.Result<ReadonlyArray<CsvRecord>, CsvInvalid>, void> {
  let { line, start: at } = layout
  while (at < text.length) {
    let left = slice.characters
    const records: Array<CsvRecord> = []
    while (left > 0 && records.length < slice.records) {
      const empty = countEmptyLines(text, at)
      at += empty
      line += empty
      if (at === text.length) break
      const { cells, end, fault, lineBreaks, refusal, seen } = scanFrom(text, at, codeOf(delimiter))
      if (refusal !== null) {
        yield Result.fail(csvInvalidAt(line, refusal))
        return
      }
      records.push({ line, cells, fault })
      left -= seen - at + 1
      at = end + 1
      line += lineBreaks + 1
    }
    yield Result.succeed(records)
  }
}
