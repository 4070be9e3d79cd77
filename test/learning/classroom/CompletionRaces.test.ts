import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { StudentLocks } from "../../../src/identity/students/StudentLocks.ts"
import { Removal } from "../../../src/membership/students/Removal.ts"
import { makeMember } from "../../harness/Makers.ts"
import { warmPool } from "../../harness/Pool.ts"
import { untilBlocked, whileHeld } from "../../harness/Waiting.ts"
import { ClassroomLayer, complete, endAccess, openClassroom, paidTo, recordedEvents, undo } from "./OpenClassroom.ts"

layer(ClassroomLayer)("Completions at the same time", (it) => {
  const unbounded = { concurrency: "unbounded" } as const

  it.effect("of one lesson are one event and one award", () =>
    Effect.gen(function*() {
      const room = yield* openClassroom(2)
      const answers = yield* Effect.all(Array.from({ length: 50 }, () => complete(room, 0)), unbounded)
      assert.deepStrictEqual(answers.map(({ points_awarded }) => points_awarded).filter((points) => points > 0), [10])
      assert.isTrue(answers.every(({ completed }) => completed))
      assert.strictEqual((yield* recordedEvents(room.club)).length, 1)
      assert.strictEqual((yield* paidTo(room.club, room.student)).length, 1)
    }))

  it.effect("of the last two lessons end the course once", () =>
    Effect.gen(function*() {
      for (let n = 0; n < 5; n++) {
        const room = yield* openClassroom(2)
        yield* Effect.all([complete(room, 0), complete(room, 1)], unbounded)
        const told = (yield* recordedEvents(room.club)).map(([type]) => type).toSorted()
        assert.deepStrictEqual(told, ["course.completed", "lesson.completed", "lesson.completed"])
      }
    }))

  it.effect("of all lessons, each several times, end the course once and pay each once", () =>
    Effect.gen(function*() {
      yield* warmPool
      const sql = yield* SqlClient.SqlClient
      for (let n = 0; n < 5; n++) {
        const room = yield* openClassroom(6)
        const answers = yield* Effect.all(Array.from({ length: 24 }, (_, n) => complete(room, n % 6)), unbounded)
        const told = (yield* recordedEvents(room.club)).map((fact) => fact.join(" "))
        assert.sameMembers(told, [
          `course.completed ${room.course.id}`,
          ...room.lessons.map(({ id }) => `lesson.completed ${id}`)
        ])
        assert.strictEqual(answers.reduce((sum, { points_awarded }) => sum + points_awarded, 0), 160)
        assert.strictEqual((yield* paidTo(room.club, room.student)).length, 7)
        const totals = yield* sql`
          select total::integer, (select points::integer from point_days d where d.club_id = t.club_id)
          from point_totals t where club_id = ${room.club.id}`
        assert.deepStrictEqual(totals, [{ total: 160, points: 160 }])
      }
    }))

  it.effect("and undoings leave one event and one award", () =>
    Effect.gen(function*() {
      const room = yield* openClassroom(1)
      yield* Effect.all(
        Array.from({ length: 12 }, (_, n) => n % 2 === 0 ? complete(room, 0) : undo(room, 0)),
        unbounded
      )
      assert.deepStrictEqual((yield* recordedEvents(room.club)).map(([type]) => type), [
        "lesson.completed",
        "course.completed"
      ])
      assert.strictEqual((yield* paidTo(room.club, room.student)).length, 2)
    }))

  it.effect("and a removal leave no fact about the student", () =>
    Effect.gen(function*() {
      for (let n = 0; n < 5; n++) {
        const room = yield* openClassroom(3)
        const { id: actor } = yield* makeMember(room.club, "owner")
        const remove = Removal.use((removal) => removal.remove(room.club.id, room.student.id, actor))
        yield* Effect.all([Effect.exit(complete(room, 0)), remove, Effect.exit(complete(room, 1))], unbounded)
        assert.deepStrictEqual((yield* recordedEvents(room.club)).map(([type]) => type), ["student.removed"])
        assert.strictEqual((yield* Effect.flip(complete(room, 2)))._tag, "StudentRemoved")
      }
    }))
})

/** Completes lesson 0, which has to wait for `change` after its first read. Returns the result. */
const completeBehind = <A, E, R>(
  room: Effect.Success<ReturnType<typeof openClassroom>>,
  change: Effect.Effect<A, E, R>
) =>
  Effect.flatMap(
    whileHeld(
      change,
      Effect.tap(Effect.forkChild(Effect.exit(complete(room, 0))), () => untilBlocked())
    ),
    (completing) => Effect.flatten(Fiber.join(completing))
  )

layer(StudentLocks.layer.pipe(Layer.provideMerge(ClassroomLayer)))(
  "A completion that waited for another change of the student",
  (it) => {
    it.effect("finishes the course, if only this lesson is left since", () =>
      Effect.gen(function*() {
        const room = yield* openClassroom(2)
        const { course, points_awarded } = yield* completeBehind(room, complete(room, 1))
        assert.strictEqual(points_awarded, 110)
        assert.strictEqual(course.progress.completed_count, 2)
        assert.isNotNull(course.progress.completed_at)
        const told = (yield* recordedEvents(room.club)).map(([type]) => type)
        assert.deepStrictEqual(told, ["lesson.completed", "lesson.completed", "course.completed"])
      }))

    it.effect("does not finish the course, if another lesson is left since", () =>
      Effect.gen(function*() {
        const room = yield* openClassroom(2)
        yield* complete(room, 1)
        const { course, points_awarded } = yield* completeBehind(room, undo(room, 1))
        assert.strictEqual(points_awarded, 10)
        assert.deepInclude(course.progress, { completed_count: 1, completed_at: null })
        assert.strictEqual((yield* complete(room, 1)).points_awarded, 100)
      }))

    it.effect("answers what the same completion did meanwhile", () =>
      Effect.gen(function*() {
        const room = yield* openClassroom(1)
        const { completed, course, points_awarded } = yield* completeBehind(room, complete(room, 0))
        assert.deepStrictEqual([completed, course.progress.percent, points_awarded], [true, 100, 0])
        assert.strictEqual((yield* recordedEvents(room.club)).length, 2)
      }))

    it.effect("is refused and writes nothing, if the student is removed since", () =>
      Effect.gen(function*() {
        const room = yield* openClassroom(2)
        const { id: actor } = yield* makeMember(room.club, "owner")
        const remove = Removal.use((removal) => removal.remove(room.club.id, room.student.id, actor))
        assert.strictEqual((yield* Effect.flip(completeBehind(room, remove)))._tag, "StudentRemoved")
        const sql = yield* SqlClient.SqlClient
        assert.deepStrictEqual(yield* sql`select 1 from lesson_completions where club_id = ${room.club.id}`, [])
        assert.deepStrictEqual((yield* recordedEvents(room.club)).map(([type]) => type), ["student.removed"])
      }))

    it.effect("is refused, if the student has lost the course since", () =>
      Effect.gen(function*() {
        const { lock } = yield* StudentLocks
        const room = yield* openClassroom(2)
        const { club, student } = room
        const loseCourse = Effect.andThen(lock(club.id, student.id), endAccess(club, student))
        assert.strictEqual((yield* Effect.flip(completeBehind(room, loseCourse)))._tag, "NotFound")
        assert.deepStrictEqual(yield* recordedEvents(club), [])
      }))

    it.effect("pays nothing, if gamification is switched off since", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const { lock } = yield* StudentLocks
        const room = yield* openClassroom(2)
        const switchOff = sql`update gamification set enabled = false where club_id = ${room.club.id}`
        const { points_awarded } = yield* completeBehind(
          room,
          Effect.andThen(lock(room.club.id, room.student.id), switchOff)
        )
        assert.strictEqual(points_awarded, 0)
        assert.deepStrictEqual(yield* paidTo(room.club, room.student), [])
      }))

    it.effect("answers what a process did meanwhile that counts no changes", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const room = yield* openClassroom(3)
        yield* complete(room, 1)
        const { club, lessons: [lesson], student } = room
        const at = new Date(0)
        const insert = sql`
          insert into lesson_completions ${
          sql.insert({
            club_id: club.id,
            student_id: student.id,
            lesson_id: lesson?.id ?? null,
            first_completed_at: at,
            completed_at: at
          })
        }`
        // Locks only the count of changes, so that the completion comes to its write.
        const hold = sql`select from completion_versions where club_id = ${club.id} for update`
        const answer = yield* completeBehind(room, Effect.andThen(hold, insert))
        assert.deepStrictEqual([answer.completed, answer.points_awarded], [true, 0])
        assert.lengthOf(yield* recordedEvents(club), 1)
      }))
  }
)
