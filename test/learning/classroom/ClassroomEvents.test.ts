import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { EventSources } from "../../../src/events/EventSources.ts"
import { Outbox } from "../../../src/events/Outbox.ts"
import { Completions } from "../../../src/learning/classroom/Completions.ts"
import { outboxOf } from "../../events/EventsLayer.ts"
import { ClassroomLayer, openClassroom } from "./OpenClassroom.ts"

/** A student who has completed a course of one lesson. */
const finished = Effect.gen(function*() {
  const room = yield* openClassroom(1)
  const completions = yield* Completions
  yield* completions.complete(room.club.id, room.student.id, room.lessons[0]?.public_id ?? "")
  return room
})

/** The `data` of the recorded events of the club, by type. */
const assembled = Effect.fnUntraced(function*(club: Parameters<typeof outboxOf>[0]) {
  const outbox = yield* Outbox
  const sources = yield* EventSources
  const facts = yield* outbox.claimByKey(yield* outboxOf(club))
  return yield* Effect.forEach(facts, (fact) =>
    Effect.gen(function*() {
      const { dataOf } = yield* sources.find(fact.type)
      return [fact.type, (yield* dataOf([fact])).get(fact.id)] as const
    }))
})

const bodiesOf = ({ course, lessons: [lesson], modules: [module], student }: Effect.Success<typeof finished>) => {
  const person = {
    id: student.id,
    name: student.name,
    email: student.email,
    verified: true,
    created_at: "1970-01-01T00:00:00.000Z"
  }
  const taught = { id: course.id, title: course.title }
  const completed_at = "1970-01-01T00:00:00.000Z"
  return [
    ["lesson.completed", {
      student: person,
      lesson: { id: lesson?.id, public_id: lesson?.public_id, title: lesson?.title },
      module: { id: module?.id, title: module?.title },
      course: taught,
      completed_at
    }],
    ["course.completed", { student: person, course: taught, completed_at }]
  ]
}

layer(ClassroomLayer)("The events about completions", (it) => {
  it.effect("name the student, what was completed, and when", () =>
    Effect.gen(function*() {
      const room = yield* finished
      assert.deepStrictEqual<unknown>(yield* assembled(room.club), bodiesOf(room))
    }))

  it.effect("still have a body when lesson, module and course were deleted", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const room = yield* finished
      for (const table of ["lessons", "modules", "courses"]) {
        yield* sql`update ${sql(table)} set deleted_at = ${new Date(0)} where club_id = ${room.club.id}`
      }
      assert.deepStrictEqual<unknown>(yield* assembled(room.club), bodiesOf(room))
    }))

  it.effect("show titles as they are when the body is made", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const room = yield* finished
      yield* sql`update courses set title = 'Violão, 2ª edição' where club_id = ${room.club.id}`
      const course = { ...room.course, title: "Violão, 2ª edição" }
      assert.deepStrictEqual<unknown>(yield* assembled(room.club), bodiesOf({ ...room, course }))
    }))
})
