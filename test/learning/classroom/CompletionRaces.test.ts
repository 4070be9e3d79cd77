import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Removal } from "../../../src/membership/students/Removal.ts"
import { makeMember } from "../../harness/Makers.ts"
import { ClassroomLayer, complete, openClassroom, paidTo, recordedEvents, undo } from "./OpenClassroom.ts"

layer(ClassroomLayer, { timeout: "60 seconds" })("Completions at the same time", (it) => {
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
