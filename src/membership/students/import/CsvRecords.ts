import { Result } from "effect"
import { CsvInvalid, longestRow } from "./Import.ts"

/** In cells. More columns than any list of students has, and few enough that a record is made in a moment. */
const mostColumns = 500

/** How much is looked at before others have the processor: in characters, and in records. */
const slice = { characters: 32 * 1024, records: 250 }

/** A record as it stands in the file, and the line on which it begins. */
export interface Written {
  readonly line: number
  readonly text: string
}

/** What is wrong with the file, and where. */
export const refused = (line: number, what: string): CsvInvalid =>
  new CsvInvalid({ error: { message: `line ${line}: ${what}` } })

const codeOf = (letter: string) => letter.charCodeAt(0)
const [lineBreak, quote] = [codeOf("\n"), codeOf("\"")]

/** What stands most often in the header line, outside of quotes. */
const delimiterIn = (header: string): string => {
  const bare = header.replace(/"[^"]*"/g, "")
  const count = (delimiter: string) => bare.split(delimiter).length
  return [";", "\t"].reduce((best, other) => count(other) > count(best) ? other : best, ",")
}

/** What delimits the cells, `;`, `,` or tab: whichever the first line with something in it has. */
export const delimiterOf = (text: string): string => {
  const start = Math.max(text.search(/\S/), 0)
  const end = text.indexOf("\n", start)
  return delimiterIn(text.slice(start, Math.min(end === -1 ? text.length : end, start + longestRow)))
}

interface Bounds {
  readonly end: number
  readonly breaks: number
  readonly refusal: string | null
}

/** Where the record ends that begins here: at a line break outside of quotes. Stops at the first bound that it breaks. */
const boundsFrom = (text: string, start: number, delimiter: number): Bounds => {
  const last = Math.min(text.length, start + longestRow + 1)
  let quoted = false
  let cells = 1
  let breaks = 0
  for (let at = start; at < last; at += 1) {
    const code = text.charCodeAt(at)
    if (code === quote) quoted = !quoted
    else if (code === lineBreak) {
      if (!quoted) return { end: at, breaks, refusal: null }
      breaks += 1
    } else if (code === delimiter && !quoted && (cells += 1) > mostColumns) {
      return { end: at, breaks, refusal: `there are more than ${mostColumns} cells` }
    }
  }
  if (last - start > longestRow) return { end: last, breaks, refusal: `it is longer than ${longestRow} characters` }
  return { end: last, breaks, refusal: quoted ? "a quote is not closed" : null }
}

const anythingElse = /[^\n]/g

/** How many lines from here on are empty: there may be millions. */
const emptyLinesAt = (text: string, start: number): number => {
  anythingElse.lastIndex = start
  return (anythingElse.test(text) ? anythingElse.lastIndex - 1 : text.length) - start
}

/**
 * The records of a CSV in slices that are each cut in a moment, without those that are empty. Nothing is made of a record
 * that is too long or has too many cells: the last slice says so.
 */
export function* recordsOf(
  text: string,
  delimiter: string
): Generator<Result.Result<ReadonlyArray<Written>, CsvInvalid>, void> {
  let [at, line] = [0, 1]
  while (at < text.length) {
    const until = Math.min(at + slice.characters, text.length)
    const records: Array<Written> = []
    while (at < until && records.length < slice.records) {
      const empty = emptyLinesAt(text, at)
      at += empty
      line += empty
      if (at === text.length) break
      const { breaks, end, refusal } = boundsFrom(text, at, codeOf(delimiter))
      if (refusal !== null) {
        yield Result.fail(refused(line, refusal))
        return
      }
      records.push({ line, text: text.slice(at, end) })
      at = end + 1
      line += breaks + 1
    }
    yield Result.succeed(records)
  }
}
