import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { AccessibleBlocks } from "../../../src/learning/content/AccessibleBlocks.ts"
import { AccessibleLessons } from "../../../src/learning/content/AccessibleLessons.ts"
import type { LessonLocked } from "../../../src/learning/content/LessonLocked.ts"
import { NotFound } from "../../../src/platform/http/errors.ts"
import {
  makeBlock,
  makeClub,
  makeCourse,
  makeEnrollment,
  makeItem,
  makeLesson,
  makeLiveLesson,
  makeModule,
  makeStudent
} from "../../harness/Makers.ts"
import { PostgresLayer } from "../../harness/Postgres.ts"
import { SpansLayer, statements } from "../../harness/Statements.ts"

const TestLayer = Layer.merge(AccessibleBlocks.layer, AccessibleLessons.layer).pipe(
  Layer.provideMerge(PostgresLayer),
  Layer.provideMerge(SpansLayer)
)

/** A student with a course, which has a live lesson of one block. */
const enrolled = Effect.gen(function*() {
  const club = yield* makeClub()
  const student = yield* makeStudent(club)
  const made = yield* makeLiveLesson(club)
  yield* makeEnrollment(club, student, made.delivery)
  return { ...made, club, student, block: yield* makeBlock(club, made.lesson) }
})

const later = Effect.map(DateTime.now, DateTime.add({ days: 1 }))

layer(TestLayer)("A student", (it) => {
  it.effect("finds the live lessons and blocks of courses that they have, each in one statement", () =>
    Effect.gen(function*() {
      const { block, club, course, lesson, student } = yield* enrolled
      const [blocks, places] = [yield* AccessibleBlocks, yield* AccessibleLessons]
      const place = places.find(club.id, student.id, lesson.public_id)
      assert.deepInclude(yield* place, { lesson_id: lesson.id, course_id: course.id, title: lesson.title })
      const held = blocks.find(club.id, student.id, block.id)
      assert.deepInclude(yield* held, { id: block.id, lesson_id: lesson.id, course_id: course.id, kind: "text" })
      assert.lengthOf(yield* statements(place), 1)
      assert.lengthOf(yield* statements(held), 1)
    }))

  it.effect("finds a quiz with its answers", () =>
    Effect.gen(function*() {
      const { club, course, lesson, student } = yield* enrolled
      const option = { id: lesson.id, text: "Seis", correct: true }
      const questions = [{ id: course.id, text: "Quantas?", options: [option] }]
      const quiz = yield* makeBlock(club, lesson, { kind: "quiz", questions, pass_percent: 50 })
      const blocks = yield* AccessibleBlocks
      assert.deepInclude(yield* blocks.find(club.id, student.id, quiz.id), { questions, pass_percent: 50 })
    }))

  it.effect("finds nothing that is not live, that they do not have, or that is deleted or foreign", () =>
    Effect.gen(function*() {
      const { block, club, course, delivery, lesson, module, student } = yield* enrolled
      const [blocks, places] = [yield* AccessibleBlocks, yield* AccessibleLessons]
      const stranger = yield* makeStudent(club)
      const other = yield* enrolled
      const deleted_at = yield* DateTime.now
      const gone = yield* makeCourse(club, { deleted_at })
      yield* makeItem(club, delivery, { kind: "course", id: gone.id })
      const lessons = [
        yield* makeLesson(club, module, { published_at: null }),
        yield* makeLesson(club, module, { published_at: yield* later }),
        yield* makeLesson(club, module, { deleted_at }),
        yield* makeLesson(club, yield* makeModule(club, yield* makeCourse(club)))
      ]
      for (const { id, public_id } of lessons) {
        assert.deepStrictEqual(yield* Effect.flip(places.find(club.id, student.id, public_id)), new NotFound())
        const hidden = yield* makeBlock(club, { id })
        assert.deepStrictEqual(yield* Effect.flip(blocks.find(club.id, student.id, hidden.id)), new NotFound())
      }
      const inGone = yield* makeLesson(club, yield* makeModule(club, gone))
      const inDeleted = yield* makeLesson(club, yield* makeModule(club, course, { deleted_at }))
      const removed = yield* makeBlock(club, lesson, undefined, { deleted_at })
      const missing: ReadonlyArray<Effect.Effect<unknown, LessonLocked | NotFound>> = [
        places.find(club.id, student.id, inGone.public_id),
        places.find(club.id, student.id, inDeleted.public_id),
        places.find(club.id, stranger.id, lesson.public_id),
        places.find(club.id, student.id, other.lesson.public_id),
        places.find(club.id, student.id, "nope"),
        blocks.find(club.id, student.id, removed.id),
        blocks.find(club.id, stranger.id, block.id),
        blocks.find(other.club.id, other.student.id, block.id)
      ]
      for (const one of missing) assert.deepStrictEqual(yield* Effect.flip(one), new NotFound())
    }))
})

layer(TestLayer)("With time", (it) => {
  it.effect("a scheduled lesson comes, and what was given ends", () =>
    Effect.gen(function*() {
      const club = yield* makeClub()
      const student = yield* makeStudent(club)
      const { delivery, module } = yield* makeLiveLesson(club)
      yield* makeEnrollment(club, student, delivery, { expires_at: DateTime.add(yield* DateTime.now, { days: 2 }) })
      const lesson = yield* makeLesson(club, module, { published_at: yield* later })
      const block = yield* makeBlock(club, lesson)
      const blocks = yield* AccessibleBlocks
      const found = Effect.map(Effect.option(blocks.find(club.id, student.id, block.id)), ({ _tag }) => _tag)
      assert.strictEqual(yield* found, "None")
      yield* TestClock.adjust("1 day")
      assert.strictEqual(yield* found, "Some")
      yield* TestClock.adjust("1 day")
      assert.strictEqual(yield* found, "None")
    }))
})
