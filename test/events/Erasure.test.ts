import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Events } from "../../src/events/Events.ts"
import { Outbox } from "../../src/events/Outbox.ts"
import { makeClub, makeStudent } from "../harness/Makers.ts"
import { warmPool } from "../harness/Pool.ts"
import { untilBlocked } from "../harness/Waiting.ts"
import { created, eventsLayer, outboxOf, typesOf, updated } from "./EventsLayer.ts"

const openClub = Effect.gen(function*() {
  const club = yield* makeClub()
  return { club, student: yield* makeStudent(club), events: yield* Events }
})

/** Does work in a transaction that stays open until the test releases it. */
const heldOpen = Effect.fnUntraced(function*<A, E, R>(work: Effect.Effect<A, E, R>) {
  const sql = yield* SqlClient.SqlClient
  const done = yield* Deferred.make<void>()
  const release = yield* Deferred.make<void>()
  const fiber = yield* work.pipe(
    Effect.tap(() => Deferred.succeed(done, undefined)),
    Effect.tap(() => Deferred.await(release)),
    sql.withTransaction,
    Effect.forkChild
  )
  yield* Deferred.await(done)
  return { commit: Effect.andThen(Deferred.succeed(release, undefined), Fiber.join(fiber)) }
})

layer(eventsLayer())("The erasure of a student", (it) => {
  it.effect("forgets what waits about the student, and records the removal", () =>
    Effect.gen(function*() {
      const { club, events, student } = yield* openClub
      const other = yield* makeStudent(club)
      yield* events.recordAll(club.id, [created(student), updated(student), created(other)])
      const erasure = yield* events.eraseStudent(club.id, student.id)
      assert.deepStrictEqual(erasure, { first: true, facts: 2, bodies: 0, responses: 0, canceled: 0 })
      const rows = yield* outboxOf(club)
      assert.deepStrictEqual(typesOf(rows), ["student.created", "student.removed"])
      assert.deepStrictEqual(rows.map(({ student_id }) => student_id), [other.id, student.id])
      assert.deepStrictEqual(rows[1]?.subject, {})
    }))

  it.effect("is done once: again it changes nothing and says so", () =>
    Effect.gen(function*() {
      const { club, events, student } = yield* openClub
      yield* events.eraseStudent(club.id, student.id)
      const before = yield* outboxOf(club)
      assert.deepStrictEqual(yield* events.eraseStudent(club.id, student.id), {
        first: false,
        facts: 0,
        bodies: 0,
        responses: 0,
        canceled: 0
      })
      assert.deepStrictEqual(yield* outboxOf(club), before)
    }))

  it.effect("is done once however many ask at the same time", () =>
    Effect.gen(function*() {
      yield* warmPool
      const { club, events, student } = yield* openClub
      const erase = events.eraseStudent(club.id, student.id)
      const erasures = yield* Effect.all([erase, erase, erase, erase], { concurrency: "unbounded" })
      assert.strictEqual(erasures.filter(({ first }) => first).length, 1)
      assert.deepStrictEqual(typesOf(yield* outboxOf(club)), ["student.removed"])
    }))

  it.effect("leaves everything where its transaction fails", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { club, events, student } = yield* openClub
      yield* events.record(club.id, created(student))
      yield* events.eraseStudent(club.id, student.id).pipe(
        Effect.andThen(Effect.fail("changed my mind")),
        sql.withTransaction,
        Effect.flip
      )
      assert.deepStrictEqual(typesOf(yield* outboxOf(club)), ["student.created"])
      assert.isTrue((yield* events.eraseStudent(club.id, student.id)).first)
    }))

  it.effect("knows no student of another club", () =>
    Effect.gen(function*() {
      const { club, events } = yield* openClub
      const other = yield* openClub
      yield* events.record(other.club.id, created(other.student))
      const error = yield* Effect.flip(events.eraseStudent(club.id, other.student.id))
      assert.strictEqual(error._tag, "NotFound")
      assert.deepStrictEqual(typesOf(yield* outboxOf(other.club)), ["student.created"])
    }))

  it.effect("waits for a fact that is being recorded, and forgets it", () =>
    Effect.gen(function*() {
      yield* warmPool
      const { club, events, student } = yield* openClub
      const recording = yield* heldOpen(events.record(club.id, created(student)))
      const erasing = yield* Effect.forkChild(events.eraseStudent(club.id, student.id))
      yield* untilBlocked()
      yield* recording.commit
      assert.strictEqual((yield* Fiber.join(erasing)).facts, 1)
      assert.deepStrictEqual(typesOf(yield* outboxOf(club)), ["student.removed"])
    }))

  it.effect("marks what is recorded while it runs or later, so that it is never assembled", () =>
    Effect.gen(function*() {
      yield* warmPool
      const { club, events, student } = yield* openClub
      const other = yield* makeStudent(club)
      const erasing = yield* heldOpen(events.eraseStudent(club.id, student.id))
      const recording = yield* Effect.forkChild(events.record(club.id, updated(student)))
      yield* untilBlocked()
      yield* erasing.commit
      yield* Fiber.join(recording)
      yield* events.recordAll(club.id, [updated(student), updated(other)])
      yield* TestClock.adjust("2 seconds")
      const outbox = yield* Outbox
      const rows = yield* outboxOf(club)
      const claimed = yield* outbox.claimByKey(rows.map(({ id }) => ({ club_id: club.id, id })))
      assert.strictEqual(claimed.length, 4)
      for (const { erased, student_id } of claimed) assert.strictEqual(erased, student_id === student.id)
    }))

  it.effect("waits for an assembly that holds facts of the student", () =>
    Effect.gen(function*() {
      yield* warmPool
      const outbox = yield* Outbox
      const { club, events, student } = yield* openClub
      const id = yield* events.record(club.id, created(student))
      const key = { club_id: club.id, id }
      const assembling = yield* heldOpen(Effect.andThen(outbox.claimByKey([key]), outbox.remove([key])))
      const erasing = yield* Effect.forkChild(events.eraseStudent(club.id, student.id))
      yield* untilBlocked()
      yield* assembling.commit
      assert.strictEqual((yield* Fiber.join(erasing)).facts, 0)
      assert.deepStrictEqual(typesOf(yield* outboxOf(club)), ["student.removed"])
    }))
})
