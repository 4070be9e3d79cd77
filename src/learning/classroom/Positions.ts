import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import { StudentRemoved } from "../../identity/students/StudentRemoved.ts"
import type { ItemHolder } from "../../membership/access/ItemAccess.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { Instant } from "../../platform/schema/Instant.ts"
import { firstOr } from "../../platform/sql/Rows.ts"
import { accessibleLesson, mayBeLesson } from "../content/AccessibleLessons.ts"
import { BlockId } from "../content/Block.ts"
import { BlockUnknown, type LessonPosition, type SavePosition } from "./LessonPosition.ts"

const Written = Schema.Struct({
  removed: Schema.Boolean,
  seconds: Schema.NullOr(Schema.Int),
  block_id: Schema.NullOr(BlockId),
  updated_at: Schema.NullOr(Instant)
})
const decodeWritten = firstOr(Written, () => new NotFound())

/**
 * The student's position in a lesson as a JSON column of `LessonPosition`. Null without one, and once the block that it
 * is in was deleted. `lesson_id` is a column.
 */
export const ownPosition = (
  sql: SqlClient.SqlClient,
  { club_id, student_id }: ItemHolder,
  lesson_id: Statement.Fragment
): Statement.Fragment =>
  sql`(
    select jsonb_build_object('seconds', p.seconds, 'block_id', p.block_id, 'updated_at', p.updated_at)
    from lesson_positions p
    where p.club_id = ${club_id} and p.student_id = ${student_id} and p.lesson_id = ${lesson_id}
      and not exists (
        select from blocks b where b.club_id = p.club_id and b.id = p.block_id and b.deleted_at is not null
      )
  )`

/** Where students are in lessons. */
export class Positions extends Context.Service<Positions, {
  /**
   * Keeps where the student is, in place of what was kept of this lesson. `NotFound`: there is no such lesson, it is not
   * live, or the student does not have its course. One statement.
   */
  save(
    club_id: ClubId,
    student_id: StudentId,
    public_id: string,
    position: SavePosition
  ): Effect.Effect<LessonPosition, BlockUnknown | NotFound | StudentRemoved>
}>()("turma/learning/classroom/Positions") {
  static readonly layer = Layer.effect(
    Positions,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      // The student's row is locked as by `StudentLocks`, so nothing is kept of a student who is being removed. It waits:
      // nothing else that the statement reads depends on what others do about the student meanwhile.
      const save = Effect.fn("Positions.save")(function*(
        club_id: ClubId,
        student_id: StudentId,
        public_id: string,
        { block_id = null, seconds }: SavePosition
      ) {
        if (!mayBeLesson(public_id)) return yield* new NotFound()
        const now = DateTime.toDateUtc(yield* DateTime.now)
        const { removed, ...written } = yield* sql`
          with lesson as materialized (${accessibleLesson(sql, { club_id, student_id, now }, public_id)}),
          student as materialized (
            select s.removed_at is not null as removed from students s
            where s.club_id = ${club_id} and s.id = ${student_id} and exists (select from lesson) for no key update
          ),
          written as (
            insert into lesson_positions (club_id, student_id, lesson_id, seconds, block_id, updated_at)
            select ${club_id}::uuid, ${student_id}::uuid, lesson.lesson_id, ${seconds}::integer, ${block_id}::uuid,
              ${now}::timestamptz
            from lesson cross join student
            where not student.removed and (${block_id}::uuid is null or exists (
              select from blocks b
              where b.club_id = ${club_id} and b.id = ${block_id} and b.lesson_id = lesson.lesson_id
                and b.deleted_at is null
            ))
            on conflict (club_id, student_id, lesson_id) do update
            set seconds = excluded.seconds, block_id = excluded.block_id, updated_at = excluded.updated_at
            returning seconds, block_id, updated_at
          )
          select student.removed, written.* from student left join written on true`.pipe(decodeWritten)
        if (removed) return yield* new StudentRemoved()
        const { updated_at } = written
        if (written.seconds === null || updated_at === null) return yield* new BlockUnknown()
        return { seconds: written.seconds, block_id: written.block_id, updated_at }
      })

      return Positions.of({ save })
    })
  )
}
