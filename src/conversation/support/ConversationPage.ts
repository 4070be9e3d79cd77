import { Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { keysetOf, type PageAnswer } from "../../platform/http/Page.ts"
import { Ordinal } from "./MessageReader.ts"

/** The cursor of lists of conversations: the activity of the last message. */
export const activityCursor = keysetOf(Schema.Struct({ activity: Ordinal }))

/** A page of conversations from `limit + 1` of their rows. */
export const pageOfConversations = Effect.fnUntraced(function*<Row extends { readonly activity: number }, Conversation>(
  rows: ReadonlyArray<Row>,
  limit: number,
  conversationOf: (row: Row) => Conversation
): Effect.fn.Return<PageAnswer<Conversation>> {
  const { data, next_cursor } = yield* activityCursor.page(rows, limit, ({ activity }) => ({ activity }))
  return { data: data.map(conversationOf), next_cursor }
})

/** The beginning of the last message of the conversation `c`. */
export const previewOf = (sql: SqlClient.SqlClient): Fragment =>
  sql`
    (
      select left(t.body, 200) from support_messages t
      where t.club_id = c.club_id and t.conversation_id = c.id and t.number = c.last_number
    )`
