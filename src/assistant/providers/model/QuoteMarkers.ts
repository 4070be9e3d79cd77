import type { Quote } from "./Quote.ts"

/** A piece of a model's answer: text without quote markers, or the quote of a marker. */
export type AnswerPiece = { readonly _tag: "Text"; readonly text: string } | {
  readonly _tag: "Quote"
  readonly quote: Quote
}

/** A longer quote is dropped. In UTF-16 code units. */
const longestQuote = 1000

const opening = /\[\[(\d{1,3})\|/

/** The beginning of a marker's opening at the end of a text. */
const openingBegun = /(?:\[(?:\[\d{0,3})?)?$/

/** White space that is removed with the marker after it. Bounded, because a long run would be read again and again. */
const mostBlanks = 16

const isBlank = (character: string | undefined) => character === " " || character === "\t"

/** The start of the white space that is removed with a marker at `end`. */
const beforeBlanks = (said: string, end: number): number => {
  let start = end
  while (end - start < mostBlanks && isBlank(said[start - 1])) start -= 1
  return start
}

const text = (said: string): ReadonlyArray<AnswerPiece> => said === "" ? [] : [{ _tag: "Text", text: said }]

/**
 * Takes the markers `[[3|exact words]]` out of the answer so far. `rest` may be the beginning of a marker: put it
 * before the next text. A marker that grows too long is dropped, with its text up to there.
 */
export const parseMarkers = (said: string): { readonly pieces: ReadonlyArray<AnswerPiece>; readonly rest: string } => {
  const pieces: Array<AnswerPiece> = []
  let left = said
  for (;;) {
    const open = opening.exec(left)
    if (open === null) {
      const settled = beforeBlanks(left, openingBegun.exec(left)?.index ?? left.length)
      return { pieces: [...pieces, ...text(left.slice(0, settled))], rest: left.slice(settled) }
    }
    const start = open.index + open[0].length
    const end = left.indexOf("]]", start)
    const isLong = end > start + longestQuote || (end < 0 && left.length >= start + longestQuote + 2)
    const before = beforeBlanks(left, open.index)
    pieces.push(...text(left.slice(0, before)))
    if (!isLong && end < 0) return { pieces, rest: left.slice(before) }
    if (!isLong) pieces.push({ _tag: "Quote", quote: { passage: Number(open[1]), text: left.slice(start, end) } })
    left = left.slice(isLong ? start + longestQuote : end + 2)
  }
}

/** The rest of a text that has ended, without an unclosed marker. */
export const withoutOpenMarker = (rest: string): string => rest.replace(/[ \t]*\[\[\d{1,3}\|[^]*$/, "")
