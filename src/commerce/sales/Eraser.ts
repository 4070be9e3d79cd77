import { DateTime, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { Forgotten, StudentEraser } from "../../identity/erasure/StudentErasers.ts"
import { rows } from "../../platform/sql/Rows.ts"
import { personKey } from "./inbound/Filing.ts"

const decodeFound = rows(Schema.Struct({ had_body: Schema.Boolean }))

/**
 * Forgets what sales platforms wrote about a person, found by the address and by the student. What waited to be processed
 * is not processed any more. Purchases and subscriptions hold nothing that a person entered.
 */
export const salesEraser: Effect.Effect<StudentEraser, never, SqlClient.SqlClient> = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  const about = ({ club_id, email, student_id }: Forgotten) =>
    sql`club_id = ${club_id} and (person_key = ${personKey(club_id, email)} or student_id = ${student_id})`

  // What came in since then and is being processed is passed over below: it waits for the student, so waiting for it would
  // never end. It is as if it had come a moment later.
  const hold = Effect.fn("SalesEraser.hold")(function*(person: Forgotten) {
    yield* sql`select 1 from inbound_events where ${about(person)} order by id for no key update`
  }, Effect.orDie)

  const erase = Effect.fn("SalesEraser.erase")(function*(person: Forgotten) {
    const at = DateTime.toDateUtc(yield* DateTime.now)
    const found = yield* sql`
      with found as materialized (
        select club_id, id, raw is not null as had_body from inbound_events
        where ${about(person)} order by id for no key update skip locked
      )
      update inbound_events e
      set raw = null, person_key = null, detail = null, external_event_id = null, due_at = null,
        outcome = coalesce(e.outcome, 'ignored'), finished_at = coalesce(e.finished_at, ${at})
      from found where e.club_id = found.club_id and e.id = found.id
      returning found.had_body`.pipe(decodeFound)
    return { inbound_bodies: found.filter(({ had_body }) => had_body).length }
  })

  // What no student is known of yet is theirs from now on, even if a sale then makes another of the address.
  const moved = Effect.fn("SalesEraser.moved")(function*({ club_id, email, student_id }: Forgotten) {
    yield* sql`
      with found as materialized (
        select club_id, id from inbound_events
        where club_id = ${club_id} and person_key = ${personKey(club_id, email)} and student_id is null
        order by id for no key update skip locked
      )
      update inbound_events e set student_id = ${student_id}
      from found where e.club_id = found.club_id and e.id = found.id`
  }, Effect.orDie)

  return { hold, moved, erase }
})
