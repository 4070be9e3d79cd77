import type { Quote } from "./Quote.ts"
import { type AnswerPiece, parseMarkers, withoutOpenMarker } from "./QuoteMarkers.ts"
import { sanitizeMarkdown, settledLength, withoutInvisible } from "./SafeMarkdown.ts"

/** The read part of a streamed answer, and the text that waits for more. */
export interface ReaderState {
  /** Text that may be the beginning of a marker. */
  readonly unread: string
  /** The beginning of a word, which cannot be sanitized before its end has come. */
  readonly unsettled: string
  /** Quotes within or after that word. They follow it in the output. */
  readonly quotes: ReadonlyArray<Quote>
}

/** The state before the first text. */
export const initialReaderState: ReaderState = { unread: "", unsettled: "", quotes: [] }

type Step = readonly [ReaderState, ReadonlyArray<AnswerPiece>]

const quotePieces = (quotes: ReadonlyArray<Quote>): ReadonlyArray<AnswerPiece> =>
  quotes.map((quote) => ({ _tag: "Quote", quote }))

const textPiece = (text: string): ReadonlyArray<AnswerPiece> => text === "" ? [] : [{ _tag: "Text", text }]

const withText = ({ quotes, unread, unsettled }: ReaderState, text: string): Step => {
  // A quote follows its word directly, before the next text.
  const end = quotes.length === 0 ? -1 : text.search(/\s/)
  if (end >= 0) {
    const [after, pieces] = withText({ unread, unsettled: "", quotes: [] }, text.slice(end + 1))
    return [after, [
      ...textPiece(sanitizeMarkdown(unsettled + text.slice(0, end + 1))),
      ...quotePieces(quotes),
      ...pieces
    ]]
  }
  const whole = unsettled + text
  const length = quotes.length === 0 ? settledLength(whole) : 0
  return [{ unread, unsettled: whole.slice(length), quotes }, textPiece(sanitizeMarkdown(whole.slice(0, length)))]
}

const withPiece = (state: ReaderState, piece: AnswerPiece): Step => {
  if (piece._tag === "Text") return withText(state, piece.text)
  return state.unsettled === ""
    ? [state, quotePieces([piece.quote])]
    : [{ ...state, quotes: [...state.quotes, piece.quote] }, []]
}

/**
 * Reads the next text. Returns the part that can be shown now, sanitized and without markers, with each quote after its
 * text.
 */
export const readNext = (state: ReaderState, next: string): Step => {
  const { pieces, rest } = parseMarkers(state.unread + withoutInvisible(next))
  let step: Step = [{ ...state, unread: rest }, []]
  for (const piece of pieces) {
    const [after, shown] = withPiece(step[0], piece)
    step = [after, [...step[1], ...shown]]
  }
  return step
}

/** The remaining pieces after the end of the answer. */
export const readRest = ({ quotes, unread, unsettled }: ReaderState): ReadonlyArray<AnswerPiece> => {
  const [last, pieces] = withText({ unread: "", unsettled, quotes }, withoutOpenMarker(unread))
  return [...pieces, ...textPiece(sanitizeMarkdown(last.unsettled)), ...quotePieces(last.quotes)]
}
