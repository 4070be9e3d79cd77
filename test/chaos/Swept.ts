import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

const decodeIds = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: Schema.String })))

/** The ids of all sessions. */
export const readSessions = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* decodeIds(yield* sql`select id from user_sessions union all select id from student_sessions`)
  return rows.map(({ id }) => id)
}).pipe(Effect.orDie)

/** Rows that were removed although they are minutes old: of these sessions, and of the bodies of all messages. */
export const readSwept = Effect.fn("readSwept")(function*(sessions: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  const left = new Set(yield* readSessions)
  const empty = yield* decodeIds(yield* sql`
      select d.id from webhook_deliveries d
      left join webhook_messages m on m.club_id = d.club_id and m.id = d.event_id
      where m.body is null`)
  return [
    ...sessions.filter((id) => !left.has(id)).map((id) => `session ${id}`),
    ...empty.map(({ id }) => `body of ${id}`)
  ]
}, Effect.orDie)
