import { DateTime, Option, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { keysetOf } from "../../platform/http/Page.ts"
import { Timestamp } from "../../platform/http/Timestamp.ts"
import { Uuid } from "../../platform/schema/brandedId.ts"

/** A row's position in a list by time: lives by `starts_at`, attendances by `joined_at`. */
const TimeCursor = Schema.Struct({ at: Timestamp, id: Uuid })
type TimeCursor = typeof TimeCursor.Type

/** The cursor of these lists. */
export const timeCursor = keysetOf(TimeCursor)

/** The condition of a page in SQL: every row, or the rows after the cursor, which `condition` selects. */
export const rowsAfter = (
  sql: SqlClient.SqlClient,
  after: Option.Option<TimeCursor>,
  condition: (at: Date, id: string) => Fragment
): Fragment =>
  Option.match(after, {
    onNone: () => sql`true`,
    onSome: ({ at, id }) => condition(DateTime.toDateUtc(at), id)
  })
