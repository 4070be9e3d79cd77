import { Effect, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { audited } from "../../identity/audit/AuditFragment.ts"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { uuids } from "../../platform/sql/Arrays.ts"
import { rows } from "../../platform/sql/Rows.ts"
import { makeCourseLosses } from "./CourseLosses.ts"
import { LessonId } from "./Lesson.ts"
import { LessonChanges } from "./LessonChanges.ts"

const Deleted = Schema.Struct({ id: LessonId, live: Schema.Boolean })
const decodeDeleted = rows(Deleted)

/**
 * Deletes lessons with their blocks and answers their number. Call it in a transaction that has deleted or locked their
 * module, so that no lesson is added meanwhile.
 */
export const makeLessonRemoval = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const changes = yield* LessonChanges
  const losses = yield* makeCourseLosses

  return Effect.fnUntraced(function*(club_id: ClubId, now: Date, which: Statement.Fragment) {
    const deleted = yield* audited((audit) =>
      sql`
        ${audit.with}
        update lessons set deleted_at = ${now} where club_id = ${club_id} and deleted_at is null and ${which}
        returning id, coalesce(published_at <= ${now}, false) as live`
    ).pipe(decodeDeleted)
    const ids = deleted.map(({ id }) => id)
    // Without its media, a deleted block does not keep a file from being deleted.
    yield* sql`
      delete from block_images i using blocks b
      where b.club_id = ${club_id} and b.lesson_id = any(${uuids(ids)}) and i.club_id = b.club_id and i.block_id = b.id`
    yield* sql`
      update blocks set deleted_at = ${now}, media_id = null
      where club_id = ${club_id} and deleted_at is null and lesson_id = any(${uuids(ids)})`
    yield* changes.announce(club_id, ids)
    yield* losses.record(club_id, deleted.filter(({ live }) => live).map(({ id }) => id))
    return ids.length
  })
})
