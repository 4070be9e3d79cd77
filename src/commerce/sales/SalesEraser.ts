import { DateTime, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ErasureSubject, StudentEraser } from "../../identity/erasure/StudentErasers.ts"
import { rows } from "../../platform/sql/Rows.ts"
import { personKey } from "./inbound/PersonKey.ts"

const decodeErased = rows(Schema.Struct({ had_body: Schema.Boolean }))

/**
 * Forgets the texts of sales platforms about a person, found by the address and by the student. Waiting events are no
 * longer processed. Purchases and subscriptions contain nothing that a person entered.
 */
export const salesEraser: Effect.Effect<StudentEraser, never, SqlClient.SqlClient> = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  const about = ({ club_id, email, student_id }: ErasureSubject) =>
    sql`club_id = ${club_id} and (person_key = ${personKey(club_id, email)} or student_id = ${student_id})`

  // The statement below skips events that arrived since then and are being processed. They wait for the student's row,
  // so waiting for them would be a deadlock. They count as if they had come a moment later.
  const lock = Effect.fn("SalesEraser.lock")(function*(person: ErasureSubject) {
    yield* sql`select 1 from inbound_events where ${about(person)} order by id for no key update`
  }, Effect.orDie)

  const erase = Effect.fn("SalesEraser.erase")(function*(person: ErasureSubject) {
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
      returning found.had_body`.pipe(decodeErased)
    return { inbound_bodies: found.filter(({ had_body }) => had_body).length }
  })

  // Events without a student yet belong to this one from now on, even if a sale then creates another with the address.
  const addressChanged = Effect.fn("SalesEraser.addressChanged")(
    function*({ club_id, email, student_id }: ErasureSubject) {
      yield* sql`
        with found as materialized (
          select club_id, id from inbound_events
          where club_id = ${club_id} and person_key = ${personKey(club_id, email)} and student_id is null
          order by id for no key update skip locked
        )
        update inbound_events e set student_id = ${student_id}
        from found where e.club_id = found.club_id and e.id = found.id`
    },
    Effect.orDie
  )

  return { lock, addressChanged, addressRespelled: addressChanged, erase }
})
