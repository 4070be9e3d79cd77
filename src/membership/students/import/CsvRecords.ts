import { Result } from "effect"
import { CsvInvalid, longestRow } from "./Import.ts"

/** More columns than any list of students has, and few enough to read a record quickly. */
const maxColumns = 500

/** How much is read before yielding to other fibers: in characters, and in records. */
const slice = { characters: 32 * 1024, records: 250 }

/** A record as in the file, and the line on which it begins. */
export interface CsvRecord {
  readonly line: number
  readonly text: string
}

/** The error of a file, with its line. */
export const csvInvalidAt = (line: number, what: string): CsvInvalid =>
  new CsvInvalid({ error: { message: `line ${line}: ${what}` } })

const codeOf = (letter: string) => letter.charCodeAt(0)
const [lineBreak, quote] = [codeOf("\n"), codeOf("\"")]

/** The delimiter that occurs most often in the header line, outside of quotes. */
const delimiterIn = (header: string): string => {
  const bare = header.replace(/"[^"]*"/g, "")
  const count = (delimiter: string) => bare.split(delimiter).length
  return [";", "\t"].reduce((best, other) => count(other) > count(best) ? other : best, ",")
}

/** The delimiter of the cells, `;`, `,` or tab, as in the first line that is not blank. */
export const delimiterOf = (text: string): string => {
  const start = Math.max(text.search(/\S/), 0)
  const end = text.indexOf("\n", start)
  return delimiterIn(text.slice(start, Math.min(end === -1 ? text.length : end, start + longestRow)))
}

interface Bounds {
  readonly end: number
  readonly lineBreaks: number
  readonly refusal: string | null
}

/** The end of the record that begins here, at a line break outside of quotes. Stops at the first limit that is exceeded. */
const boundsFrom = (text: string, start: number, delimiter: number): Bounds => {
  const last = Math.min(text.length, start + longestRow + 1)
  let quoted = false
  let cells = 1
  let lineBreaks = 0
  for (let at = start; at < last; at += 1) {
    const code = text.charCodeAt(at)
    if (code === quote) quoted = !quoted
    else if (code === lineBreak) {
      if (!quoted) return { end: at, lineBreaks, refusal: null }
      lineBreaks += 1
    } else if (code === delimiter && !quoted && (cells += 1) > maxColumns) {
      return { end: at, lineBreaks, refusal: `there are more than ${maxColumns} cells` }
    }
  }
  if (last - start > longestRow) return { end: last, lineBreaks, refusal: `it is longer than ${longestRow} characters` }
  return { end: last, lineBreaks, refusal: quoted ? "a quote is not closed" : null }
}

const notLineBreak = /[^\n]/g

/** How many lines from here on are empty. A regular expression, since there may be millions. */
const countEmptyLines = (text: string, start: number): number => {
  notLineBreak.lastIndex = start
  return (notLineBreak.test(text) ? notLineBreak.lastIndex - 1 : text.length) - start
}

/**
 * The records of a CSV in short slices, without empty ones. Stops with a failure at a record that is too long or has too
 * many cells.
 */
export function* recordsOf(
  text: string,
  delimiter: string
): Generator<Result.Result<ReadonlyArray<CsvRecord>, CsvInvalid>, void> {
  let [at, line] = [0, 1]
  while (at < text.length) {
    const until = Math.min(at + slice.characters, text.length)
    const records: Array<CsvRecord> = []
    while (at < until && records.length < slice.records) {
      const empty = countEmptyLines(text, at)
      at += empty
      line += empty
      if (at === text.length) break
      const { lineBreaks, end, refusal } = boundsFrom(text, at, codeOf(delimiter))
      if (refusal !== null) {
        yield Result.fail(csvInvalidAt(line, refusal))
        return
      }
      records.push({ line, text: text.slice(at, end) })
      at = end + 1
      line += lineBreaks + 1
    }
    yield Result.succeed(records)
  }
}
