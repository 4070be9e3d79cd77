import { Effect, Option, Schema, SchemaAST } from "effect"
import * as Base64Url from "effect/encoding/Base64Url"
import { Uuid } from "../schema/brandedId.ts"
import { ApiError } from "./ApiError.ts"
import { field } from "./Field.ts"
import { queryNumber } from "./QueryNumber.ts"

/** The cursor does not come from this API. */
export class InvalidCursor extends ApiError<InvalidCursor>()("InvalidCursor", {
  status: 400,
  code: "invalid_cursor",
  message: {
    en: "cursor must be the next_cursor of an earlier answer: leave it out to begin anew",
    "pt-BR": "Esta página da lista não existe mais: carregue a lista de novo."
  }
}) {}

/** The most items of a page, and the default. */
export const mostOnPage = 100
export const usualPage = 25

/** Of the page after the thing whose id it holds. */
const exampleCursor = "eyJpZCI6IjAxOWQ0ODYwLWQ5YzAtN2YyMS04YjZjLTBkMWUyZjNhNGI1YyJ9"

/** `?limit=1..100` (default 25) and an opaque `cursor`. */
export const PageQuery = {
  limit: queryNumber({ minimum: 1, maximum: mostOnPage, usual: usualPage })
    .pipe(field("How many items a page has at most, from 1 to 100; 25 unless said otherwise", String(usualPage))),
  cursor: Schema.optionalKey(Schema.String)
    .pipe(field("Where the page begins: `next_cursor` of the page before; the first page without it", exampleCursor))
}

/** What `PageQuery` decodes to. */
export interface PageRequest {
  readonly limit: number
  readonly cursor?: string | undefined
}

/** What `Page` encodes. */
export interface PageAnswer<Item> {
  readonly data: ReadonlyArray<Item>
  readonly next_cursor: string | null
}

// The documentation says these once, since every list has one of them.
const NextCursor = Schema.NullOr(Schema.String).annotate({
  identifier: "NextCursor",
  description: "Send it as `cursor` for the next page, as it is; null on the last page",
  examples: [exampleCursor]
})
const NoNextCursor = Schema.NullOr(Schema.String).annotate({
  identifier: "NoNextCursor",
  description: "Always null: the list is whole",
  examples: [null]
})

/** A list as it is answered: `{ "data": […], "next_cursor": string | null }`. */
export const Page = <Item extends Schema.Top>(item: Item) =>
  Schema.Struct({
    data: Schema.Array(item).pipe(field("The items of this page")),
    next_cursor: NextCursor
  })

/** True if an answer is a page of a list that may have more. */
export const isPage = ({ ast }: Schema.Top): boolean =>
  SchemaAST.isObjects(ast) && ast.propertySignatures.some(({ type }) => type === NextCursor.ast)

/** A list that has one page, in the form of every list. */
export const WholeList = <Item extends Schema.Top>(item: Item) =>
  Schema.Struct({
    data: Schema.Array(item).pipe(field("All items, in the order of the list")),
    next_cursor: NoNextCursor
  })

/** Puts a list that is answered as a whole, whatever `limit` says, into the form of every list. */
export const whole = <Item>(data: ReadonlyArray<Item>): PageAnswer<Item> => ({ data, next_cursor: null })

/** `{ "data": … }`, the wrapper of every success body. */
export const Data = <Payload extends Schema.Top>(payload: Payload) => Schema.Struct({ data: payload })

/** Puts a handler's answer into that wrapper. */
export const data = <Value>(value: Value) => ({ data: value })

/**
 * Opaque cursors of lists that have another order than `id`. `place` is the position of the last row on the page in the
 * order of the list, as JSON. Any other cursor that a client sends is `InvalidCursor`.
 */
export const keysetOf = <Place extends Schema.Codec<unknown, unknown>>(place: Place) => {
  const json = Schema.fromJsonString(Schema.toCodecJson(place))
  const decode = Schema.decodeUnknownEffect(json)
  const encode = Schema.encodeEffect(json)
  const write = (at: Place["Type"]): Effect.Effect<string> =>
    Effect.map(Effect.orDie(encode(at)), (text) => Base64Url.encode(text))

  return {
    /** The place after which the page begins; `None` for the first page. */
    read: (cursor: string | undefined): Effect.Effect<Option.Option<Place["Type"]>, InvalidCursor> =>
      cursor === undefined
        ? Effect.succeedNone
        : Effect.fromResult(Base64Url.decodeString(cursor)).pipe(
          Effect.flatMap(decode),
          Effect.mapBoth({ onSuccess: Option.some, onFailure: () => new InvalidCursor() })
        ),
    /** The cursor of the page after this place. */
    write,
    /**
     * Cuts a page from `limit + 1` rows. An extra row means that there is a next page, which begins after the last row
     * of this one. `placeOf` gives the position of a row in the order of the list.
     */
    page: Effect.fnUntraced(function*<Row>(
      rows: ReadonlyArray<Row>,
      limit: number,
      placeOf: (row: Row) => Place["Type"]
    ): Effect.fn.Return<PageAnswer<Row>> {
      const data = rows.slice(0, limit)
      const last = rows.length > limit ? data.at(-1) : undefined
      return { data, next_cursor: last === undefined ? null : yield* write(placeOf(last)) }
    })
  }
}

/**
 * The place in a list ordered by `id` (UUIDv7, so by time of creation): the last row seen, so a page never shifts under
 * inserts.
 */
const byId = keysetOf(Schema.Struct({ id: Uuid }))

/** The id after which the page begins; `None` for the first page. */
export const afterCursor = (cursor: string | undefined): Effect.Effect<Option.Option<string>, InvalidCursor> =>
  Effect.map(byId.read(cursor), Option.map(({ id }) => id))

const cursorAt = (id: string) => Base64Url.encode(JSON.stringify({ id }))

/** The most UTF-16 units of all texts of a page together. Writing more as JSON would block the event loop. */
const mostText = 500_000

const textIn = (row: object) =>
  Object.values(row).reduce<number>((sum, value) => typeof value === "string" ? sum + value.length : sum, 0)

/** Number of rows, from the first on, that fit on a page. One row always fits. */
const fitting = (rows: ReadonlyArray<object>, limit: number) => {
  let count = 0
  for (let left = mostText; count < Math.min(rows.length, limit); count++) {
    left -= textIn(rows[count] ?? {})
    if (left < 0 && count > 0) return count
  }
  return count
}

/**
 * Cuts a page from `limit + 1` rows. An extra row means that there is a next page. So does `readTo`, the last row that
 * was read for a page that is not full: the next page begins after it. Rows with long texts are fewer on a page.
 */
export const pageOf = <Row extends { readonly id: string }>(
  rows: ReadonlyArray<Row>,
  limit: number,
  readTo?: string
): PageAnswer<Row> => {
  const data = rows.slice(0, fitting(rows, limit))
  const last = rows.length > data.length ? data.at(-1)?.id : readTo
  return { data, next_cursor: last === undefined ? null : cursorAt(last) }
}
