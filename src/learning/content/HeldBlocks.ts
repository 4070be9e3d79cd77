import { Context, DateTime, Effect, flow, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import { holdsItem } from "../../membership/access/HeldItems.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { Block } from "./Block.ts"
import { type BlockId, CourseId } from "./Lesson.ts"

const HeldBlock = Schema.Struct({ ...Block.fields, course_id: CourseId })
/** A block with everything that only the staff may see, and the course of its lesson. */
export type HeldBlock = typeof HeldBlock.Type

const decodeBlocks = flow(Schema.decodeUnknownEffect(Schema.Array(HeldBlock)), Effect.orDie)

/** Blocks as students find them: those of live lessons, in courses that they have. */
export class HeldBlocks extends Context.Service<HeldBlocks, {
  /** `NotFound`: there is none, its lesson is not live, or the student does not have its course. One statement. */
  find(club_id: ClubId, student_id: StudentId, id: BlockId): Effect.Effect<HeldBlock, NotFound>
}>()("turma/content/HeldBlocks") {
  static readonly layer = Layer.effect(
    HeldBlocks,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const find = Effect.fn("HeldBlocks.find")(
        function*(club_id: ClubId, student_id: StudentId, id: BlockId) {
          const now = DateTime.toDateUtc(yield* DateTime.now)
          const rows = yield* sql`
            select b.id, b.lesson_id, b.kind, b.title, b.position, b.body, b.media_id, b.questions, b.pass_percent,
              b.created_at, l.course_id
            from blocks b join lessons l on l.club_id = b.club_id and l.id = b.lesson_id
            where b.club_id = ${club_id} and b.id = ${id} and b.deleted_at is null and l.deleted_at is null
              and l.published_at <= ${now}
              and ${holdsItem(sql, { club_id, student_id, now }, "course", sql`l.course_id`)}`
          const [block] = yield* decodeBlocks(rows)
          return block ?? (yield* new NotFound())
        },
        Effect.catchTag("SqlError", Effect.die)
      )

      return HeldBlocks.of({ find })
    })
  )
}
