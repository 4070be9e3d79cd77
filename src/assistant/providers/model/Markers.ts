import type { Quote } from "./Quote.ts"

/** A piece of what a model says, its quote markers taken out. */
export type Piece = { readonly _tag: "Text"; readonly text: string } | { readonly _tag: "Quote"; readonly quote: Quote }

/** A longer quote is none, in UTF-16 code units. */
const longest = 1000

const opening = /\[\[(\d{1,3})\|/

/** What may become an opening when more is said. */
const unsettled = /(?:\[(?:\[\d{0,3})?)?$/

/** The white space before a marker goes with it; more than this does not, so that no run of it is read again and again. */
const mostBlanks = 16

const isBlank = (character: string | undefined) => character === " " || character === "\t"

/** Where the white space begins that goes with a marker at `end`. */
const beforeBlanks = (said: string, end: number): number => {
  let start = end
  while (end - start < mostBlanks && isBlank(said[start - 1])) start -= 1
  return start
}

const text = (said: string): ReadonlyArray<Piece> => said === "" ? [] : [{ _tag: "Text", text: said }]

/**
 * Takes the markers `[[3|exact words]]` out of what has been said so far. `rest` may be the beginning of one and is to
 * be put before what is said next. A marker that grows too long is no quote; what it said up to there is lost.
 */
export const piecesOf = (said: string): { readonly pieces: ReadonlyArray<Piece>; readonly rest: string } => {
  const pieces: Array<Piece> = []
  let left = said
  for (;;) {
    const open = opening.exec(left)
    if (open === null) {
      const settled = beforeBlanks(left, unsettled.exec(left)?.index ?? left.length)
      return { pieces: [...pieces, ...text(left.slice(0, settled))], rest: left.slice(settled) }
    }
    const start = open.index + open[0].length
    const end = left.indexOf("]]", start)
    const isLong = end > start + longest || (end < 0 && left.length >= start + longest + 2)
    const before = beforeBlanks(left, open.index)
    pieces.push(...text(left.slice(0, before)))
    if (!isLong && end < 0) return { pieces, rest: left.slice(before) }
    if (!isLong) pieces.push({ _tag: "Quote", quote: { passage: Number(open[1]), text: left.slice(start, end) } })
    left = left.slice(isLong ? start + longest : end + 2)
  }
}

/** What is left of the text where nothing more is said: a marker that has begun is not shown. */
export const lastOf = (rest: string): string => rest.replace(/[ \t]*\[\[\d{1,3}\|[^]*$/, "")
