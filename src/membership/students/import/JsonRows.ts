import { Effect, Redacted, Schema } from "effect"
import { MalformedRequest, ValidationFailed } from "../../../platform/http/errors.ts"
import { describeFaults } from "../../../platform/http/issues/Message.ts"
import { hasMoreMarks, mark, nextMark } from "../../../platform/http/json/JsonMarks.ts"
import { longText } from "../../../platform/http/JsonText.ts"
import { ownTurn } from "../../../platform/processes/OwnTurn.ts"
import type { RawRow } from "./CheckedRow.ts"
import { ImportRows, longestRow, maxRows, TooManyRows } from "./Import.ts"

// `JSON.parse` cannot be interrupted, so a body is first split into small ones. Each has a few of the rows and
// everything around the list, so it is a body of the same shape.

/** The maximal number of marks in one row, and in everything around the rows: more than they need. */
const maxMarks = 100

/** Characters and rows to parse before yielding to other fibers. */
const pieceSize = { characters: 32 * 1024, rows: 100 }

/** A part of the text, without its end. */
interface Span {
  readonly start: number
  readonly end: number
}

const invalid = (message: string) => new ValidationFailed({ error: { message } })

const isOpening = (code: number) => code === mark.openObject || code === mark.openList
const isClosing = (code: number) => code === mark.closeObject || code === mark.closeList

/**
 * The index behind the bracket that opens the first list in the object at the start of this text; -1 without a list.
 */
const listIn = (text: string): number => {
  let at = nextMark(text, 0)
  if (text.charCodeAt(at) !== mark.openObject) return -1
  for (let seen = 0; seen < maxMarks && at < text.length; seen += 1) {
    at = nextMark(text, at + 1)
    const code = text.charCodeAt(at)
    if (code === mark.openList) return at + 1
    if (isOpening(code) || isClosing(code)) return -1
  }
  return -1
}

/** The end of the item at the start of this text, at the comma or bracket behind it; -1 if it has too many marks. */
const endOfItem = (text: string): number => {
  let depth = 0
  let at = nextMark(text, 0)
  for (let seen = 0; seen <= maxMarks && at < text.length; seen += 1) {
    const code = text.charCodeAt(at)
    if (depth === 0 && (code === mark.comma || code === mark.closeList)) return at
    if (isOpening(code)) depth += 1
    if (isClosing(code)) depth -= 1
    at = nextMark(text, at + 1)
  }
  return -1
}

/** The items of the list that begins here. Fails at the first that is too long or has too many marks. */
const itemsFrom = Effect.fnUntraced(function*(
  text: string,
  from: number
): Effect.fn.Return<ReadonlyArray<Span>, MalformedRequest | TooManyRows | ValidationFailed> {
  const items: Array<Span> = []
  let [start, yieldedAt] = [from, from]
  while (items.length < maxRows) {
    const length = endOfItem(text.slice(start, start + longestRow + 1))
    if (length === -1) {
      if (text.length - start <= longestRow) return yield* new MalformedRequest()
      return yield* invalid(`rows[${items.length}] must have at most ${longestRow} characters and ${
        maxMarks / 2
      } values`)
    }
    const end = start + length
    items.push({ start, end })
    if (text.charCodeAt(end) === mark.closeList) return items
    start = end + 1
    if (start - yieldedAt <= pieceSize.characters) continue
    yieldedAt = start
    yield* ownTurn
  }
  return yield* new TooManyRows()
})

/** The items in groups of a few, in their order. */
const piecesOf = (items: ReadonlyArray<Span>): ReadonlyArray<Span & { readonly count: number }> => {
  const pieces: Array<Span & { readonly count: number }> = []
  for (const item of items) {
    const last = pieces.at(-1)
    if (last !== undefined && last.count < pieceSize.rows && item.end - last.start <= pieceSize.characters) {
      pieces.splice(-1, 1, { start: last.start, end: item.end, count: last.count + 1 })
    } else pieces.push({ ...item, count: 1 })
  }
  return pieces
}

const decode = Schema.decodeUnknownEffect(ImportRows, { errors: "first", onExcessProperty: "error" })

const parse = (text: string) =>
  Effect.try({ try: (): unknown => JSON.parse(text), catch: () => new MalformedRequest() })

/** The rows of a small body. The first is row `first` of the whole body. */
const read = (json: unknown, first: number) =>
  Effect.mapBoth(decode(json), {
    onFailure: ({ issue }) =>
      invalid(describeFaults({
        ast: ImportRows.ast,
        value: json,
        issue,
        placed: (fault) => ({
          ...fault,
          path: fault.path.map((key, depth) => depth === 1 && typeof key === "number" ? first + key : key)
        })
      })),
    onSuccess: ({ rows }) =>
      rows.map((row, index) => ({
        line: first + index + 1,
        name: row.name,
        email: row.email,
        document: row.document ?? Redacted.make(""),
        delivery: row.delivery ?? "",
        cohort: row.cohort ?? "",
        expires_at: row.expires_at ?? "",
        fault: null
      }))
  })

/** The rows of a JSON body. Others have the processor between two pieces of it. */
export const rowsOfJson = Effect.fnUntraced(function*(
  bytes: Uint8Array
): Effect.fn.Return<ReadonlyArray<RawRow>, MalformedRequest | TooManyRows | ValidationFailed> {
  const text = yield* longText(bytes)
  const list = listIn(text.slice(0, longestRow))
  const items = list === -1 ? [] : yield* itemsFrom(text, list)
  const end = items.at(-1)?.end ?? text.length
  const [head, tail] = [text.slice(0, items.length === 0 ? end : list), text.slice(end)]
  if (head.length + tail.length > longestRow || hasMoreMarks(head + tail, maxMarks)) {
    return yield* invalid("rows must be a list, with nothing beside it")
  }
  if (items.length === 0) return yield* read(text === "" ? undefined : yield* parse(text), 0)
  const rows: Array<RawRow> = []
  for (const { count, end, start } of piecesOf(items)) {
    const json = yield* parse(head + text.slice(start, end) + tail)
    const part = yield* read(json, rows.length)
    // The body has the list twice, or a comma without an item.
    if (part.length !== count) return yield* new MalformedRequest()
    rows.push(...part)
    yield* ownTurn
  }
  return rows
})
