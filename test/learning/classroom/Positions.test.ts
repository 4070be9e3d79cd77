import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { ClassroomLessons } from "../../../src/learning/classroom/ClassroomLessons.ts"
import type { SavePosition } from "../../../src/learning/classroom/LessonPosition.ts"
import { Positions } from "../../../src/learning/classroom/Positions.ts"
import { Removal } from "../../../src/membership/students/Removal.ts"
import { AppLayer, at, outcome } from "../../harness/App.ts"
import { makeBlock, makeEnrollment, makeMember, makeStudent } from "../../harness/Makers.ts"
import { ClassroomLayer, inaccessible, makeAssignment, openClassroom } from "./OpenClassroom.ts"
import { ask, openCourse } from "./OpenCourse.ts"

type Room = Effect.Success<ReturnType<typeof openClassroom>>

interface Place extends Pick<Room, "lessons"> {
  readonly club: Pick<Room["club"], "id">
  readonly student: Pick<Room["student"], "id">
}

const save = ({ club, lessons: [lesson], student }: Place, asked: SavePosition) =>
  Positions.use((positions) => positions.save(club.id, student.id, lesson?.public_id ?? "", asked))

const read = ({ club, lessons: [lesson], student }: Place) =>
  ClassroomLessons.use((lessons) =>
    Effect.map(lessons.lesson(club.id, student.id, lesson?.public_id ?? ""), ({ position }) => position)
  )

const rowsOf = Effect.fnUntraced(function*({ club }: Room) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql`select 1 from lesson_positions where club_id = ${club.id}`
})

layer(ClassroomLayer)("The position in a lesson", (it) => {
  it.effect("is what was kept last, and the student's own", () =>
    Effect.gen(function*() {
      const room = yield* openClassroom(1)
      const other = { ...room, student: yield* makeStudent(room.club) }
      yield* makeEnrollment(room.club, other.student, room.delivery)
      assert.isNull(yield* read(room))
      yield* save(room, { seconds: 90 })
      yield* TestClock.adjust("1 minute")
      const kept = yield* save(room, { seconds: 30 })
      assert.deepInclude(kept, { seconds: 30, block_id: null })
      assert.deepStrictEqual(yield* read(room), kept)
      assert.isNull(yield* read(other))
      assert.lengthOf(yield* rowsOf(room), 1)
    }))

  it.effect("names a block of the lesson, and is none once that block is deleted", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const room = yield* openClassroom(2)
      const [lesson, next] = room.lessons
      if (lesson === undefined || next === undefined) return assert.fail()
      const [block, other] = [yield* makeBlock(room.club, lesson), yield* makeAssignment(room.club, next)]
      yield* save(room, { seconds: 5, block_id: block.id })
      const refused = yield* Effect.flip(save(room, { seconds: 6, block_id: other.id }))
      assert.strictEqual(refused._tag, "BlockUnknown")
      assert.deepInclude(yield* read(room), { seconds: 5, block_id: block.id })
      yield* sql`update blocks set deleted_at = ${new Date(0)} where club_id = ${room.club.id} and id = ${block.id}`
      assert.isNull(yield* read(room))
      assert.strictEqual((yield* Effect.flip(save(room, { seconds: 6, block_id: block.id })))._tag, "BlockUnknown")
    }))

  it.effect.each(inaccessible)("is not kept where the lesson is %s", ([, spoil]) =>
    Effect.gen(function*() {
      const room = yield* openClassroom(1)
      const refused = yield* Effect.flip(save({ ...room, ...yield* spoil(room) }, { seconds: 1 }))
      assert.strictEqual(refused._tag, "NotFound")
      assert.deepStrictEqual(yield* rowsOf(room), [])
    }))

  it.effect("is not kept of a student who was removed meanwhile", () =>
    Effect.gen(function*() {
      const room = yield* openClassroom(1)
      const owner = yield* makeMember(room.club, "owner")
      const sql = yield* SqlClient.SqlClient
      yield* Removal.use((removal) => removal.remove(room.club.id, room.student.id, owner.id))
      yield* sql`update enrollments set revoked_at = null, revoke_reason = null where club_id = ${room.club.id}`
      assert.strictEqual((yield* Effect.flip(save(room, { seconds: 1 })))._tag, "StudentRemoved")
      assert.deepStrictEqual(yield* rowsOf(room), [])
    }))

  it.effect("is kept by both of two players at once, without an error", () =>
    Effect.gen(function*() {
      const room = yield* openClassroom(1)
      yield* Effect.all([1, 2, 3, 4].map((seconds) => save(room, { seconds })), { concurrency: 4 })
      assert.include([1, 2, 3, 4], (yield* read(room))?.seconds)
    }))
})

layer(AppLayer)("The request to keep a position", (it) => {
  it.effect("answers what was kept, and refuses what is no time of a day", () =>
    Effect.gen(function*() {
      const room = yield* openCourse(1)
      const put = (body: unknown) => ask(room, "PUT", `/lessons/${room.lesson.public_id}/position`, body)
      const { json, status } = yield* put({ seconds: 86_400 })
      assert.strictEqual(status, 200)
      assert.deepStrictEqual<unknown>(json, {
        data: { seconds: 86_400, block_id: null, updated_at: "1970-01-01T00:00:00.000Z" }
      })
      for (const seconds of [-1, 86_401, 1.5, "1", null]) {
        assert.deepStrictEqual(outcome(yield* put({ seconds })), [422, "validation_failed"])
      }
      const unknown = { seconds: 1, block_id: "018f0000-0000-7000-8000-000000000001" }
      assert.deepStrictEqual(outcome(yield* put(unknown)), [422, "block_unknown"])
      const lesson = yield* ask(room, "GET", `/lessons/${room.lesson.public_id}`)
      assert.strictEqual(at(lesson.json, "data", "position", "seconds"), 86_400)
    }))
})
