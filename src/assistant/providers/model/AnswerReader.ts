import { lastOf, type Piece, piecesOf } from "./Markers.ts"
import type { Quote } from "./Quote.ts"
import { sanitized, seen, settledLength } from "./Sanitize.ts"

/** What is known of an answer while it is being said. */
export interface Reading {
  /** What may be the beginning of a marker. */
  readonly unread: string
  /** The beginning of a word. */
  readonly unsettled: string
  /** Quotes within or after that word: they follow it. */
  readonly quotes: ReadonlyArray<Quote>
}

/** Before the first word. */
export const nothingRead: Reading = { unread: "", unsettled: "", quotes: [] }

type Step = readonly [Reading, ReadonlyArray<Piece>]

const quoted = (quotes: ReadonlyArray<Quote>): ReadonlyArray<Piece> => quotes.map((quote) => ({ _tag: "Quote", quote }))

const told = (text: string): ReadonlyArray<Piece> => text === "" ? [] : [{ _tag: "Text", text }]

const withText = ({ quotes, unread, unsettled }: Reading, text: string): Step => {
  // A quote follows its word at once, not the text after it.
  const end = quotes.length === 0 ? -1 : text.search(/\s/)
  if (end >= 0) {
    const [reading, pieces] = withText({ unread, unsettled: "", quotes: [] }, text.slice(end + 1))
    return [reading, [...told(sanitized(unsettled + text.slice(0, end + 1))), ...quoted(quotes), ...pieces]]
  }
  const whole = unsettled + text
  const length = quotes.length === 0 ? settledLength(whole) : 0
  return [{ unread, unsettled: whole.slice(length), quotes }, told(sanitized(whole.slice(0, length)))]
}

const withPiece = (reading: Reading, piece: Piece): Step => {
  if (piece._tag === "Text") return withText(reading, piece.text)
  return reading.unsettled === ""
    ? [reading, quoted([piece.quote])]
    : [{ ...reading, quotes: [...reading.quotes, piece.quote] }, []]
}

/** Reads on: what can be shown now, sanitised and without markers, with the quotes after the text that they belong to. */
export const readOn = (reading: Reading, said: string): Step => {
  const { pieces, rest } = piecesOf(reading.unread + seen(said))
  let step: Step = [{ ...reading, unread: rest }, []]
  for (const piece of pieces) {
    const [next, shown] = withPiece(step[0], piece)
    step = [next, [...step[1], ...shown]]
  }
  return step
}

/** What is left to show where nothing more is said. */
export const readOut = ({ quotes, unread, unsettled }: Reading): ReadonlyArray<Piece> => {
  const [last, pieces] = withText({ unread: "", unsettled, quotes }, lastOf(unread))
  return [...pieces, ...told(sanitized(last.unsettled)), ...quoted(last.quotes)]
}
