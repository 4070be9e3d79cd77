import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import { hasItem } from "../../membership/access/ItemAccess.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { InstantOrNull } from "../../platform/schema/Instant.ts"
import { firstOr } from "../../platform/sql/Rows.ts"
import { Block, type BlockId } from "./Block.ts"
import { CourseId } from "./Course.ts"
import { type LessonLocked, lockedUntilThen } from "./LessonLocked.ts"
import { clubZone, lockedFor } from "./LessonOpening.ts"

const AccessibleBlock = Schema.Struct({
  ...Block.fields,
  course_id: CourseId,
  locked_until: InstantOrNull,
  time_zone: Schema.String
})
/** A block with the fields that only the staff may see, and the course of its lesson. */
export type AccessibleBlock = typeof AccessibleBlock.Type

const decodeBlock = firstOr(AccessibleBlock, () => new NotFound())

/** The blocks that students have access to: those of live and open lessons, in courses that they have. */
export class AccessibleBlocks extends Context.Service<AccessibleBlocks, {
  /** `NotFound`: it does not exist, its lesson is not live, or the student does not have its course. One statement. */
  find(club_id: ClubId, student_id: StudentId, id: BlockId): Effect.Effect<AccessibleBlock, LessonLocked | NotFound>
}>()("turma/learning/content/AccessibleBlocks") {
  static readonly layer = Layer.effect(
    AccessibleBlocks,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const find = Effect.fn("AccessibleBlocks.find")(function*(club_id: ClubId, student_id: StudentId, id: BlockId) {
        const now = DateTime.toDateUtc(yield* DateTime.now)
        const holder = { club_id, student_id, now }
        const rows = { module: sql`m`, lesson: sql`l`, course: sql`l.course_id` }
        const block = yield* sql`
            select b.id, b.lesson_id, b.kind, b.title, b.position, b.body, b.media_id, b.questions, b.pass_percent,
              b.created_at, l.course_id, ${lockedFor(sql, holder, rows)} as locked_until,
              ${clubZone(sql, club_id)} as time_zone
            from blocks b join lessons l on l.club_id = b.club_id and l.id = b.lesson_id
            join modules m on m.club_id = l.club_id and m.id = l.module_id
            where b.club_id = ${club_id} and b.id = ${id} and b.deleted_at is null and l.deleted_at is null
              and l.published_at <= ${now}
              and ${hasItem(sql, holder, "course", sql`l.course_id`)}`.pipe(decodeBlock)
        return block.locked_until === null ? block : yield* lockedUntilThen(block.locked_until, block.time_zone)
      })

      return AccessibleBlocks.of({ find })
    })
  )
}
