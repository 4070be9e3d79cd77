import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { EventId } from "../../../src/events/EventType.ts"
import { courseItems } from "../../../src/learning/content/CourseItems.ts"
import { coursesOfEvents, lessonsOfEvents } from "../../../src/learning/content/EventLessons.ts"
import { makeClub, makeCourse, makeLesson, makeModule } from "../../harness/Makers.ts"
import { PostgresLayer } from "../../harness/Postgres.ts"
import { SpansLayer, statements } from "../../harness/Statements.ts"

const eventId = (last: number) => EventId.make(`018f0000-0000-7000-8000-00000000000${last}`)

layer(PostgresLayer.pipe(Layer.provideMerge(SpansLayer)))("Events about lessons", (it) => {
  it.effect("show the lesson, its module and its course as they are called now, deleted ones too", () =>
    Effect.gen(function*() {
      const [club, foreign] = [yield* makeClub(), yield* makeClub()]
      const deleted_at = yield* DateTime.now
      const course = yield* makeCourse(club, { deleted_at })
      const module = yield* makeModule(club, course, { deleted_at })
      const lesson = yield* makeLesson(club, module, { deleted_at })
      const about = (id: number, club_id: typeof club.id) => ({
        id: eventId(id),
        club_id,
        fact: { lesson_id: lesson.id }
      })
      const read = yield* lessonsOfEvents
      const found = yield* read([about(1, club.id), about(2, club.id), about(3, foreign.id)])
      const expected = {
        lesson: { id: lesson.id, public_id: lesson.public_id, title: lesson.title },
        module: { id: module.id, title: module.title },
        course: { id: course.id, title: course.title }
      }
      assert.deepStrictEqual(found, new Map([[eventId(2), expected], [eventId(1), expected]]))
      assert.lengthOf(yield* statements(read([about(1, club.id), about(2, club.id)])), 1)
    }))

  it.effect("show the course", () =>
    Effect.gen(function*() {
      const [club, foreign] = [yield* makeClub(), yield* makeClub()]
      const { id, title } = yield* makeCourse(club, { deleted_at: yield* DateTime.now })
      const about = (last: number, club_id: typeof club.id) => ({ id: eventId(last), club_id, fact: { course_id: id } })
      const read = yield* coursesOfEvents
      const found = yield* read([about(1, club.id), about(2, foreign.id)])
      assert.deepStrictEqual([...found], [[eventId(1), { id, title }]])
      assert.lengthOf(yield* statements(read([about(1, club.id)])), 1)
    }))
})

layer(PostgresLayer)("A delivery", (it) => {
  it.effect("can contain the club's courses, and no deleted or foreign one", () =>
    Effect.gen(function*() {
      const club = yield* makeClub()
      const course = yield* makeCourse(club)
      const gone = yield* makeCourse(club, { deleted_at: yield* DateTime.now })
      const foreign = yield* makeCourse(yield* makeClub())
      const { existing, kind } = yield* courseItems
      assert.strictEqual(kind, "course")
      assert.deepStrictEqual(yield* existing(club.id, [course.id, gone.id, foreign.id]), [course.id])
    }))
})
