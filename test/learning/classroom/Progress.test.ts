import { assert, describe, it } from "@effect/vitest"
import { DateTime, Schema } from "effect"
import { neighboursOf, percentOf, progressOf } from "../../../src/learning/classroom/Progress.ts"
import { LessonId } from "../../../src/learning/content/Lesson.ts"

const lessonId = (n: number) => LessonId.make(`0190a000-0000-7000-8000-${String(n).padStart(12, "0")}`)

/** Lessons in the order of their course. `completed` has the state of each lesson. */
const lessonsOf = (completed: ReadonlyArray<boolean>) =>
  completed.map((completed, n) => ({
    lesson_id: lessonId(n),
    public_id: `lesson-${n}`,
    title: `Lesson ${n}`,
    completed,
    locked_until: null
  }))

const alone = { previous: null, next: null, previous_lesson_public_id: null, next_lesson_public_id: null }

const Completed = Schema.Array(Schema.Boolean).check(Schema.isMaxLength(12))

describe("progress in a course", () => {
  it("without lessons is 0, and not the end of it", () => {
    assert.deepStrictEqual(progressOf([]), {
      lessons_count: 0,
      completed_count: 0,
      percent: 0,
      next_lesson_public_id: null
    })
  })

  it("is rounded down, so that 100 percent leaves nothing", () => {
    assert.strictEqual(percentOf(199, 200), 99)
    assert.strictEqual(percentOf(2, 3), 66)
    assert.strictEqual(percentOf(3, 3), 100)
  })

  it("goes on with the first lesson that is left, wherever others were completed", () => {
    assert.strictEqual(progressOf(lessonsOf([true, false, true, false])).next_lesson_public_id, "lesson-1")
    assert.isNull(progressOf(lessonsOf([true, true])).next_lesson_public_id)
  })

  it("goes on with the first lesson that is open", () => {
    const opens_at = DateTime.makeUnsafe(0)
    const [first, second, third] = lessonsOf([true, false, false])
    if (first === undefined || second === undefined || third === undefined) return assert.fail()
    const locked = { ...second, locked_until: opens_at }
    assert.strictEqual(progressOf([first, locked, third]).next_lesson_public_id, "lesson-2")
    assert.isNull(progressOf([first, locked]).next_lesson_public_id)
    const { next } = neighboursOf([first, locked], first.lesson_id)
    assert.deepStrictEqual(next?.locked, { reason: "not_released", opens_at })
  })

  it.prop("counts what is completed, and is whole exactly at its end", { completed: Completed }, ({ completed }) => {
    const lessons = lessonsOf(completed)
    const { completed_count, lessons_count, next_lesson_public_id, percent } = progressOf(lessons)
    assert.strictEqual(lessons_count, completed.length)
    assert.strictEqual(completed_count, completed.filter(Boolean).length)
    assert.isTrue(percent >= 0 && percent <= 100 && Number.isInteger(percent))
    assert.strictEqual(percent === 100, completed.length > 0 && !completed.includes(false))
    assert.strictEqual(next_lesson_public_id !== null, completed.includes(false))
  })
})

describe("the lessons beside a lesson", () => {
  it("are none beyond the ends of the course", () => {
    assert.deepStrictEqual(neighboursOf(lessonsOf([false]), lessonId(0)), alone)
  })

  it("are none of a lesson that is not in it", () => {
    assert.deepStrictEqual(neighboursOf(lessonsOf([false, false]), lessonId(7)), alone)
  })

  it.prop("lead from the first to the last and back", { completed: Completed }, ({ completed }) => {
    const lessons = lessonsOf(completed)
    const beside = (n: number) => n < 0 || n >= lessons.length ? null : `lesson-${n}`
    for (const [n, { lesson_id }] of lessons.entries()) {
      const { next, previous, ...ids } = neighboursOf(lessons, lesson_id)
      assert.deepStrictEqual(ids, {
        previous_lesson_public_id: beside(n - 1),
        next_lesson_public_id: beside(n + 1)
      })
      assert.deepStrictEqual([previous?.public_id ?? null, next?.public_id ?? null], [beside(n - 1), beside(n + 1)])
    }
  })
})
