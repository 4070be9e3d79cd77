import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { DateTime, Effect, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import type { ErasureSubject, StudentEraser } from "../../identity/erasure/StudentErasers.ts"
import { uuids } from "../../platform/sql/Arrays.ts"
import { rows } from "../../platform/sql/Rows.ts"
import { EnrollmentId } from "./Enrollment.ts"

const decodeIds = rows(Schema.Struct({ id: EnrollmentId }))

/**
 * Deletes the members' texts about a student's access, and revokes all of it. The history records that, but no event
 * goes out (http-surface, Rulings). Counts `access_reasons` and `enrollments`.
 */
export const accessEraser = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const random = yield* SecureRandom.SecureRandom

  const deleteReasons = ({ club_id, student_id }: ErasureSubject) =>
    Effect.map(
      sql`
        update access_events set reason = null
        where club_id = ${club_id} and student_id = ${student_id} and reason is not null returning 1`,
      (emptied) => emptied.length
    )

  const revoke = Effect.fnUntraced(function*({ club_id, student_id }: ErasureSubject) {
    const unrevoked = yield* sql`
      select id from enrollments where club_id = ${club_id} and student_id = ${student_id} and revoked_at is null
      order by id for no key update`.pipe(decodeIds)
    const ids = unrevoked.map(({ id }) => id)
    const eventIds = yield* Effect.forEach(ids, () => random.uuidV7())
    const now = DateTime.toDateUtc(yield* DateTime.now)
    yield* sql`
      with changed as (
        update enrollments set revoked_at = ${now}, revoke_reason = 'student_removed'
        where club_id = ${club_id} and id = any(${uuids(ids)})
        returning club_id, student_id, id, expires_at
      )
      insert into access_events (club_id, id, student_id, enrollment_id, kind, occurred_at, effective_expires_at)
      select club_id, event.id, student_id, changed.id, 'revoked', ${now}::timestamptz, expires_at
      from changed
      join unnest(${uuids(ids)}, ${uuids(eventIds)}) as event (enrollment_id, id) on event.enrollment_id = changed.id`
    return ids.length
  })

  const eraser: StudentEraser = {
    erase: (person) =>
      Effect.all({ access_reasons: deleteReasons(person), enrollments: revoke(person) }).pipe(Effect.orDie)
  }
  return eraser
}).pipe(Effect.provide(NodeCrypto.layerSecureRandom))
