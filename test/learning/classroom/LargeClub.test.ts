import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { makeItem } from "../../harness/Makers.ts"
import { readingMuch } from "../../harness/RowsRead.ts"
import { ClassroomLayer, complete, makeTaughtCourse, openClassroom } from "./OpenClassroom.ts"

layer(ClassroomLayer)("In a club that has most of what all clubs have", (it) => {
  it.effect("a completion does not read what else the student has completed, over and over", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const room = yield* openClassroom(10)
      const { club, delivery, student } = room
      const other = yield* makeTaughtCourse(club, 1)
      yield* makeItem(club, delivery, { kind: "course", id: other.course.id })
      const at = new Date(0)
      yield* sql`
        insert into lessons (club_id, id, course_id, module_id, public_id, title, position, published_at, created_at)
        select club_id, gen_random_uuid(), course_id, module_id, 'more-' || n, title, n, published_at, created_at
        from lessons cross join generate_series(2, 500) n
        where club_id = ${club.id} and course_id = ${other.course.id}`
      yield* sql`
        insert into lesson_completions (club_id, student_id, lesson_id, first_completed_at, completed_at)
        select club_id, ${student.id}::uuid, id, ${at}::timestamptz, ${at}::timestamptz
        from lessons where club_id = ${club.id} and course_id = ${other.course.id}`
      for (let n = 0; n < 40; n++) yield* complete(yield* openClassroom(1), 0)
      yield* sql`analyze`
      const completing = Effect.andThen(sql`set local plan_cache_mode = force_generic_plan`, complete(room, 0))
      assert.notInclude(yield* readingMuch(completing, 200), "lesson_completions")
    }))
})
