import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { Reviews } from "../../../src/learning/classroom/Reviews.ts"
import { type Decision, SubmissionId } from "../../../src/learning/classroom/Submission.ts"
import { Submissions } from "../../../src/learning/classroom/Submissions.ts"
import { OwnNotifications } from "../../../src/membership/notifications/OwnNotifications.ts"
import { Removal } from "../../../src/membership/students/Removal.ts"
import { makeClub, makeEnrollment, makeMember, makeStudent } from "../../harness/Makers.ts"
import { ClassroomLayer, makeAssignment, openClassroom, paidTo } from "./OpenClassroom.ts"

const openSubmission = Effect.gen(function*() {
  const { club, delivery, lessons, student } = yield* openClassroom(2)
  const [lesson, other] = lessons
  if (lesson === undefined || other === undefined) return yield* Effect.die(new Error("No lesson"))
  const block = yield* makeAssignment(club, lesson)
  const submissions = yield* Submissions
  const { id } = yield* submissions.submit(club.id, student.id, block.id, { body: "Meu acorde" })
  return { club, delivery, lesson, other, block, student, id, reviewer: yield* makeMember(club, "editor") }
})

type Opened = Pick<Effect.Success<typeof openSubmission>, "club" | "id" | "reviewer">

const decide = ({ club, id, reviewer }: Opened, decision: Decision, feedback: string | null = null) =>
  Reviews.use((reviews) => reviews.decide(club.id, id, { decision, feedback, reviewer_user_id: reviewer.id }))

const page = { limit: 25 }

layer(ClassroomLayer)("A decision on a submission", (it) => {
  it.effect("is answered with the submission, its student and what it is of", () =>
    Effect.gen(function*() {
      const { block, club, id, lesson, reviewer, student } = yield* openSubmission
      const now = yield* DateTime.now
      const decided = yield* decide({ club, id, reviewer }, "rejected", "Falta o dedo 2")
      assert.deepStrictEqual(decided, {
        id,
        block_id: block.id,
        body: "Meu acorde",
        status: "rejected",
        feedback: "Falta o dedo 2",
        reviewed_at: now,
        created_at: now,
        reviewer_user_id: reviewer.id,
        student: { id: student.id, name: student.name, anonymized: false },
        block_title: "Seu acorde",
        lesson: { id: lesson.id, public_id: lesson.public_id, title: lesson.title },
        media: []
      })
      assert.deepStrictEqual(yield* Reviews.use((reviews) => reviews.get(club.id, id)), decided)
    }))

  it.effect("notifies the student once, with the feedback", () =>
    Effect.gen(function*() {
      const submission = yield* openSubmission
      for (const _ of [1, 2]) yield* decide(submission, "rejected", "Falta o dedo 2")
      const { data } = yield* OwnNotifications.use((own) => own.list(submission.club.id, submission.student.id, page))
      assert.deepStrictEqual(
        data.map(({ actor_name, excerpt, kind, target, title }) => ({
          actor_name,
          excerpt,
          kind,
          title,
          lesson: target.lesson_public_id
        })),
        [{
          actor_name: submission.reviewer.name,
          excerpt: "Falta o dedo 2",
          kind: "assignment_reviewed",
          title: submission.lesson.title,
          lesson: submission.lesson.public_id
        }]
      )
    }))

  it.effect("pays when it approves, and not when it rejects", () =>
    Effect.gen(function*() {
      const [approved, rejected] = [yield* openSubmission, yield* openSubmission]
      yield* decide(approved, "approved")
      yield* decide(rejected, "rejected", "Não")
      assert.deepStrictEqual(yield* paidTo(approved.club, approved.student), [
        ["assignment_approved", approved.block.id, 30]
      ])
      assert.deepStrictEqual(yield* paidTo(rejected.club, rejected.student), [])
    }))

  it.effect("stands: the same again answers what was said first, another is refused", () =>
    Effect.gen(function*() {
      const room = yield* openSubmission
      const first = yield* decide(room, "approved", "Ótimo")
      const again = { ...room, reviewer: yield* makeMember(room.club, "owner") }
      assert.deepStrictEqual(yield* decide(again, "approved", "Bom"), first)
      assert.strictEqual((yield* Effect.flip(decide(again, "rejected", "Não")))._tag, "SubmissionAlreadyReviewed")
      assert.strictEqual((yield* paidTo(room.club, room.student)).length, 1)
    }))

  it.effect("is paid once however many approve at the same time", () =>
    Effect.gen(function*() {
      const room = yield* openSubmission
      yield* Effect.all(Array.from({ length: 20 }, () => decide(room, "approved")), { concurrency: "unbounded" })
      assert.strictEqual((yield* paidTo(room.club, room.student)).length, 1)
    }))

  it.effect("is one, where some approve and others reject at the same time", () =>
    Effect.gen(function*() {
      for (let n = 0; n < 5; n++) {
        const room = yield* openSubmission
        const [approval, rejection] = yield* Effect.all(
          [Effect.result(decide(room, "approved")), Effect.result(decide(room, "rejected", "Não"))],
          { concurrency: "unbounded" }
        )
        assert.notStrictEqual(approval._tag, rejection._tag)
        const { status } = yield* Reviews.use((reviews) => reviews.get(room.club.id, room.id))
        assert.strictEqual(status, approval._tag === "Success" ? "approved" : "rejected")
        assert.strictEqual((yield* paidTo(room.club, room.student)).length, status === "approved" ? 1 : 0)
      }
    }))

  it.effect("is refused for a student who was removed, and whose words are gone", () =>
    Effect.gen(function*() {
      const room = yield* openSubmission
      yield* Removal.use((removal) => removal.remove(room.club.id, room.student.id, room.reviewer.id))
      assert.strictEqual((yield* Effect.flip(decide(room, "approved")))._tag, "StudentRemoved")
      const { body, status, student } = yield* Reviews.use((reviews) => reviews.get(room.club.id, room.id))
      assert.deepStrictEqual([body, status, student.anonymized], ["", "pending", true])
    }))

  it.effect("is NotFound for an unknown submission and for one of another club", () =>
    Effect.gen(function*() {
      const room = yield* openSubmission
      const unknown = { ...room, id: SubmissionId.make("0190a000-0000-7000-8000-000000000001") }
      assert.strictEqual((yield* Effect.flip(decide(unknown, "approved")))._tag, "NotFound")
      const club = yield* makeClub()
      assert.strictEqual((yield* Effect.flip(decide({ ...room, club }, "approved")))._tag, "NotFound")
      const read = Reviews.use((reviews) => reviews.get(club.id, room.id))
      assert.strictEqual((yield* Effect.flip(read))._tag, "NotFound")
    }))
})

layer(ClassroomLayer)("The list of submissions", (it) => {
  it.effect("is narrowed to a status, an assignment, a lesson and a student", () =>
    Effect.gen(function*() {
      const room = yield* openSubmission
      const { club, delivery, other } = room
      const [submissions, reviews] = [yield* Submissions, yield* Reviews]
      const [block, student] = [yield* makeAssignment(club, other), yield* makeStudent(club)]
      yield* makeEnrollment(club, student, delivery)
      const second = yield* submissions.submit(club.id, student.id, block.id, { body: "Outro" })
      yield* decide(room, "approved")

      const idsOf = (filter: Parameters<typeof reviews.list>[1]) =>
        Effect.map(reviews.list(club.id, filter), ({ data }) => data.map(({ id }) => id))
      assert.deepStrictEqual(yield* idsOf({ ...page, status: "approved" }), [room.id])
      assert.deepStrictEqual(yield* idsOf({ ...page, status: "pending" }), [second.id])
      assert.deepStrictEqual(yield* idsOf({ ...page, block_id: room.block.id }), [room.id])
      assert.deepStrictEqual(yield* idsOf({ ...page, lesson_id: other.id }), [second.id])
      assert.deepStrictEqual(yield* idsOf({ ...page, student_id: student.id }), [second.id])
      assert.deepStrictEqual(yield* idsOf({ ...page, student_id: student.id, status: "approved" }), [])
    }))

  it.effect("is newest first, page by page, and of one club", () =>
    Effect.gen(function*() {
      const [room] = [yield* openSubmission, yield* openSubmission]
      const [submissions, reviews] = [yield* Submissions, yield* Reviews]
      const students = yield* Effect.forEach([1, 2], () => makeStudent(room.club))
      const ids = [room.id]
      for (const student of students) {
        yield* TestClock.adjust("1 minute")
        yield* makeEnrollment(room.club, student, room.delivery)
        const { id } = yield* submissions.submit(room.club.id, student.id, room.block.id, { body: "x" })
        ids.unshift(id)
      }
      const first = yield* reviews.list(room.club.id, { limit: 2 })
      const second = yield* reviews.list(room.club.id, { limit: 2, cursor: first.next_cursor ?? "" })
      assert.deepStrictEqual([...first.data, ...second.data].map(({ id }) => id), ids)
      assert.isNull(second.next_cursor)
    }))
})
