import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import type { StudentRemoved } from "../../../src/identity/students/StudentRemoved.ts"
import { Completions } from "../../../src/learning/classroom/Completions.ts"
import type { LessonLocked } from "../../../src/learning/content/LessonLocked.ts"
import type { NotFound } from "../../../src/platform/http/errors.ts"
import type { MadeLesson } from "../../harness/Makers.ts"
import { ClassroomLayer, openClassroom, paidTo, publish, recordedEvents } from "./OpenClassroom.ts"

const Step = Schema.Struct({
  does: Schema.Literals(["complete", "complete", "undo", "publish", "unpublish"]),
  lesson: Schema.Literals([0, 1, 2])
})
type Step = typeof Step.Type

/** A lesson that is not live answers NotFound, which is fine here. */
const unlessNotLive = (work: Effect.Effect<void, LessonLocked | NotFound | StudentRemoved>) =>
  Effect.orDie(Effect.catchTag(work, "NotFound", () => Effect.void))

/** Some steps one after another, and the others at the same time. */
const Steps = { before: Schema.Array(Step), together: Schema.Array(Step).check(Schema.isMaxLength(6)) }

const countOf = <Value>(values: ReadonlyArray<Value>, value: Value) => values.filter((other) => other === value).length

layer(ClassroomLayer)("Whatever students complete and undo and staff publishes,", (it) => {
  it.effect.prop(
    "each lesson and the course are told and paid at most once, and exactly what was completed",
    Steps,
    ({ before, together }) =>
      Effect.gen(function*() {
        const { club, course, lessons, student } = yield* openClassroom(3)
        const completions = yield* Completions
        const now = yield* DateTime.now
        const completed = new Set<string>()
        let finished = false

        const complete = Effect.fnUntraced(function*({ id, public_id }: MadeLesson) {
          const { course } = yield* completions.complete(club.id, student.id, public_id)
          completed.add(id)
          finished ||= course.progress.completed_at !== null
        })
        const undo = ({ public_id }: MadeLesson) => completions.undo(club.id, student.id, public_id)
        const ways: Record<Step["does"], (lesson: MadeLesson) => Effect.Effect<void, never, SqlClient.SqlClient>> = {
          complete: (lesson) => unlessNotLive(complete(lesson)),
          undo: (lesson) => unlessNotLive(undo(lesson)),
          publish: (lesson) => Effect.orDie(publish(club, lesson, now)),
          unpublish: (lesson) => Effect.orDie(publish(club, lesson, null))
        }
        const take = ({ does, lesson }: Step) =>
          Effect.forEach(lessons.slice(lesson, lesson + 1), (chosen) => ways[does](chosen))
        yield* Effect.forEach(before, take)
        yield* Effect.forEach(together, take, { concurrency: "unbounded" })

        const told = (yield* recordedEvents(club)).map((fact) => fact.join(" "))
        const paid = (yield* paidTo(club, student)).map((entry) => entry.join(" "))
        for (const { id } of lessons) {
          const times = completed.has(id) ? 1 : 0
          assert.strictEqual(countOf(told, `lesson.completed ${id}`), times)
          assert.strictEqual(countOf(paid, `lesson_completed ${id} 10`), times)
        }
        const ends = finished ? 1 : 0
        assert.strictEqual(countOf(told, `course.completed ${course.id}`), ends)
        assert.strictEqual(countOf(paid, `course_completed ${course.id} 100`), ends)
        assert.strictEqual(paid.length, completed.size + ends)
        assert.strictEqual(told.length, completed.size + ends)
      })
  )
})
