import { DateTime, Effect, Option, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { keysetOf, type PageAnswer } from "../../platform/http/Page.ts"
import { Timestamp } from "../../platform/http/Timestamp.ts"

/** A row's position in a list by time: lives by `starts_at`, attendances by `joined_at`. */
const TimeCursor = Schema.Struct({ at: Timestamp, id: Schema.String.check(Schema.isUUID()) })
type TimeCursor = typeof TimeCursor.Type

/** The cursor of these lists. */
export const timeCursor = keysetOf(TimeCursor)

/** The condition of a page: everything, or what comes after the cursor. */
export const afterCursor = (
  sql: SqlClient.SqlClient,
  after: Option.Option<TimeCursor>,
  condition: (at: Date, id: string) => Fragment
): Fragment =>
  Option.match(after, {
    onNone: () => sql`true`,
    onSome: ({ at, id }) => condition(DateTime.toDateUtc(at), id)
  })

/** Cuts a page from `limit + 1` rows: the one too many says that there is a next page. */
export const pageByTime = Effect.fnUntraced(function*<Row>(
  rows: ReadonlyArray<Row>,
  limit: number,
  cursorOf: (row: Row) => TimeCursor
): Effect.fn.Return<PageAnswer<Row>> {
  const data = rows.slice(0, limit)
  const last = rows.length > limit ? data.at(-1) : undefined
  return { data, next_cursor: last === undefined ? null : yield* timeCursor.write(cursorOf(last)) }
})
