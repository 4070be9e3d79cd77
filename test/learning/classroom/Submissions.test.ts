import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import type { ClubId } from "../../../src/identity/ids/ClubId.ts"
import type { StudentId } from "../../../src/identity/ids/StudentId.ts"
import { Reviews } from "../../../src/learning/classroom/Reviews.ts"
import type { Decision } from "../../../src/learning/classroom/Submission.ts"
import { Submissions } from "../../../src/learning/classroom/Submissions.ts"
import { BlockId } from "../../../src/learning/content/Block.ts"
import { makeBlock, makeEnrollment, makeMember, makeStudent } from "../../harness/Makers.ts"
import { ClassroomLayer, inaccessible, makeAssignment, openClassroom } from "./OpenClassroom.ts"

const openAssignment = Effect.gen(function*() {
  const { club, delivery, lessons, student } = yield* openClassroom(1)
  const [lesson] = lessons
  if (lesson === undefined) return yield* Effect.die(new Error("No lesson"))
  const reviewer = yield* makeMember(club, "editor")
  return { club, delivery, lesson, student, reviewer, block: yield* makeAssignment(club, lesson) }
})

interface Opened {
  readonly club: { readonly id: ClubId }
  readonly student: { readonly id: StudentId }
  readonly block: { readonly id: BlockId }
}

const submit = ({ block, club, student }: Opened, body = "Meu acorde") =>
  Submissions.use((submissions) => submissions.submit(club.id, student.id, block.id, { body }))

const list = ({ block, club, student }: Opened, page: { readonly cursor?: string; readonly limit?: number } = {}) =>
  Submissions.use((submissions) => submissions.list(club.id, student.id, block.id, { limit: 25, ...page }))

const decide = (
  { club, reviewer }: Effect.Success<typeof openAssignment>,
  { id }: Effect.Success<ReturnType<typeof submit>>,
  decision: Decision
) =>
  Reviews.use((reviews) =>
    reviews.decide(club.id, id, { decision, feedback: "Muito bem", reviewer_user_id: reviewer.id })
  )

layer(ClassroomLayer)("A submission", (it) => {
  it.effect("waits for the staff", () =>
    Effect.gen(function*() {
      const room = yield* openAssignment
      const { id, ...submitted } = yield* submit(room)
      assert.deepStrictEqual(submitted, {
        block_id: room.block.id,
        body: "Meu acorde",
        status: "pending",
        feedback: null,
        reviewed_at: null,
        created_at: yield* DateTime.now,
        media: []
      })
      assert.deepStrictEqual((yield* list(room)).data, [{ id, ...submitted }])
    }))

  it.effect("keeps others away while it waits, and for ever when it is approved", () =>
    Effect.gen(function*() {
      const room = yield* openAssignment
      const first = yield* submit(room)
      assert.strictEqual((yield* Effect.flip(submit(room)))._tag, "SubmissionPending")
      yield* decide(room, first, "approved")
      assert.strictEqual((yield* Effect.flip(submit(room)))._tag, "SubmissionApproved")
    }))

  it.effect("makes room for another when it is rejected", () =>
    Effect.gen(function*() {
      const room = yield* openAssignment
      yield* decide(room, yield* submit(room, "Um"), "rejected")
      yield* submit(room, "Dois")
      const { data } = yield* list(room)
      assert.deepStrictEqual(data.map(({ body, feedback, status }) => [body, status, feedback]), [
        ["Dois", "pending", null],
        ["Um", "rejected", "Muito bem"]
      ])
    }))

  it.effect("is one, however many come at the same time", () =>
    Effect.gen(function*() {
      const room = yield* openAssignment
      const all = yield* Effect.all(Array.from({ length: 20 }, () => Effect.result(submit(room))), {
        concurrency: "unbounded"
      })
      assert.strictEqual(all.filter(({ _tag }) => _tag === "Success").length, 1)
      assert.strictEqual((yield* list(room)).data.length, 1)
    }))

  it.effect("is of each student's own", () =>
    Effect.gen(function*() {
      const room = yield* openAssignment
      const other = { ...room, student: yield* makeStudent(room.club) }
      yield* makeEnrollment(room.club, other.student, room.delivery)
      yield* submit(room)
      assert.deepStrictEqual((yield* list(other)).data, [])
      yield* submit(other)
      assert.strictEqual((yield* list(other)).data.length, 1)
    }))

  it.effect.each(inaccessible)(
    "and the list of them answer NotFound where the assignment is %s",
    ([, spoil]) =>
      Effect.gen(function*() {
        const open = yield* openAssignment
        yield* submit(open)
        const room = { ...open, ...yield* spoil({ ...open, lessons: [open.lesson] }) }
        assert.strictEqual((yield* Effect.flip(submit(room)))._tag, "NotFound")
        assert.strictEqual((yield* Effect.flip(list(room)))._tag, "NotFound")
      })
  )

  it.effect("and the list of them answer NotFound where there is no such block, or it is no assignment", () =>
    Effect.gen(function*() {
      const open = yield* openAssignment
      const unknown = { id: BlockId.make("0190a000-0000-7000-8000-000000000001") }
      for (const block of [unknown, yield* makeBlock(open.club, open.lesson)]) {
        assert.strictEqual((yield* Effect.flip(submit({ ...open, block })))._tag, "NotFound")
        assert.strictEqual((yield* Effect.flip(list({ ...open, block })))._tag, "NotFound")
      }
    }))
})

layer(ClassroomLayer)("A student's own submissions", (it) => {
  it.effect("are listed newest first, page by page", () =>
    Effect.gen(function*() {
      const room = yield* openAssignment
      for (const body of ["1", "2", "3"]) {
        yield* decide(room, yield* submit(room, body), "rejected")
        yield* TestClock.adjust("1 minute")
      }
      const first = yield* list(room, { limit: 2 })
      assert.deepStrictEqual(first.data.map(({ body }) => body), ["3", "2"])
      const second = yield* list(room, { limit: 2, cursor: first.next_cursor ?? "" })
      assert.deepStrictEqual([second.data.map(({ body }) => body), second.next_cursor], [["1"], null])
    }))
})
