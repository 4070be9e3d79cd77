import { assert, layer } from "@effect/vitest"
import { DateTime, Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Events } from "../../../../src/events/Events.ts"
import type { ClubId } from "../../../../src/identity/ids/ClubId.ts"
import { LaneChanges } from "../../../../src/webhooks/engine/lane/LaneChanges.ts"
import { Assembler } from "../../../../src/webhooks/events/assembly/Assembler.ts"
import type { EndpointId } from "../../../../src/webhooks/model/EndpointId.ts"
import { outboxOf, typesOf } from "../../../events/EventsLayer.ts"
import { makeClub, makeStudent } from "../../../harness/Makers.ts"
import { warmPool } from "../../../harness/Pool.ts"
import { untilBlocked } from "../../../harness/Waiting.ts"
import { assemblyLayer, completed, deliveriesOf, makeEndpoint, messagesOf } from "./Assembly.ts"

/** A club with an endpoint, and an assembly of one fact that waits for the test after it has read the course. */
const assembling = Effect.gen(function*() {
  yield* warmPool
  const { assemble } = yield* Assembler
  const events = yield* Events
  const club = yield* makeClub()
  const student = yield* makeStudent(club)
  const endpoint_id = yield* makeEndpoint(club, { event_types: ["course.completed", "student.removed"] })
  const reading = yield* Deferred.make<void>()
  const release = yield* Deferred.make<void>()
  const onRead = Deferred.succeed(reading, undefined).pipe(Effect.andThen(Deferred.await(release)), Effect.as(true))
  const id = yield* events.record(club.id, yield* completed(student, onRead))
  yield* TestClock.adjust("2 seconds")
  const fiber = yield* Effect.forkChild(assemble())
  yield* Deferred.await(reading)
  const finish = Effect.andThen(Deferred.succeed(release, undefined), Fiber.join(fiber))
  return { club, student, endpoint_id, id, events, finish }
})

/** Disables an endpoint as an administrator does: its row, its lane, its queue. */
const disable = Effect.fnUntraced(function*(club: { readonly id: ClubId }, endpoint_id: EndpointId) {
  const sql = yield* SqlClient.SqlClient
  const at = DateTime.toDateUtc(yield* DateTime.now)
  yield* sql.withTransaction(Effect.gen(function*() {
    yield* sql`
      update webhook_endpoints set status = 'disabled', disabled_reason = 'manual', disabled_at = ${at}
      where club_id = ${club.id} and id = ${endpoint_id}`
    yield* Effect.flatMap(LaneChanges, ({ suspend }) => suspend({ club_id: club.id, endpoint_id }))
    yield* sql`
      update webhook_deliveries
      set status = 'canceled', cancel_reason = 'endpoint_disabled', finished_at = ${at}, next_attempt_at = null
      where club_id = ${club.id} and endpoint_id = ${endpoint_id} and status = 'pending'`
  }))
})

const stateOf = (club: { readonly id: ClubId }) =>
  Effect.map(deliveriesOf(club), (all) => all.map(({ cancel_reason, status }) => [status, cancel_reason]))

layer(assemblyLayer)("An assembly that is under way", (it) => {
  it.effect("is waited for by who disables the endpoint, and what it made is canceled", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { club, endpoint_id, finish } = yield* assembling
      const disabling = yield* Effect.forkChild(disable(club, endpoint_id))
      yield* untilBlocked()
      assert.strictEqual(yield* finish, 1)
      yield* Fiber.join(disabling)
      assert.deepStrictEqual(yield* stateOf(club), [["canceled", "endpoint_disabled"]])
      const lanes = yield* sql`select due_at from webhook_lanes where club_id = ${club.id}`
      assert.deepStrictEqual(lanes, [{ due_at: null }])
    }))

  it.effect("is waited for by who erases the student, and what it made is erased", () =>
    Effect.gen(function*() {
      const { club, events, finish, student } = yield* assembling
      const erasing = yield* Effect.forkChild(events.eraseStudent(club.id, student.id))
      yield* untilBlocked()
      yield* finish
      const erasure = yield* Fiber.join(erasing)
      assert.deepStrictEqual(erasure, { first: true, facts: 0, bodies: 1, responses: 0, canceled: 1 })
      assert.deepStrictEqual(yield* stateOf(club), [["canceled", "student_removed"]])
      assert.deepStrictEqual((yield* messagesOf(club)).map(({ body }) => body), [null])
      assert.deepStrictEqual(typesOf(yield* outboxOf(club)), ["student.removed"])
    }))
})

layer(assemblyLayer)("An endpoint that is being disabled", (it) => {
  it.effect("is waited for, and gets nothing new", () =>
    Effect.gen(function*() {
      yield* warmPool
      const sql = yield* SqlClient.SqlClient
      const { assemble } = yield* Assembler
      const events = yield* Events
      const club = yield* makeClub()
      const endpoint_id = yield* makeEndpoint(club, { event_types: ["course.completed"] })
      yield* events.record(club.id, yield* completed(yield* makeStudent(club)))
      yield* TestClock.adjust("2 seconds")
      const disabled = yield* Deferred.make<void>()
      const release = yield* Deferred.make<void>()
      const disabling = yield* disable(club, endpoint_id).pipe(
        Effect.andThen(Deferred.succeed(disabled, undefined)),
        Effect.andThen(Deferred.await(release)),
        sql.withTransaction,
        Effect.forkChild
      )
      yield* Deferred.await(disabled)
      const fiber = yield* Effect.forkChild(assemble())
      yield* untilBlocked()
      yield* Deferred.succeed(release, undefined)
      yield* Fiber.join(disabling)
      assert.strictEqual(yield* Fiber.join(fiber), 1)
      assert.deepStrictEqual(yield* deliveriesOf(club), [])
      assert.lengthOf(yield* messagesOf(club), 1)
    }))
})

layer(assemblyLayer)("An assembly that is cut off", (it) => {
  it.effect("leaves its facts to another", () =>
    Effect.gen(function*() {
      const { assemble } = yield* Assembler
      const events = yield* Events
      const club = yield* makeClub()
      const student = yield* makeStudent(club)
      yield* makeEndpoint(club, { event_types: ["course.completed"] })
      const reading = yield* Deferred.make<void>()
      let times = 0
      const onRead = Effect.suspend(() => {
        times += 1
        return times > 1 ? Effect.succeed(true) : Effect.andThen(Deferred.succeed(reading, undefined), Effect.never)
      })
      const id = yield* events.record(club.id, yield* completed(student, onRead))
      yield* TestClock.adjust("2 seconds")
      const fiber = yield* Effect.forkChild(assemble())
      yield* Deferred.await(reading)
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual((yield* outboxOf(club)).map(({ failures, id }) => [id, failures]), [[id, 0]])
      assert.deepStrictEqual(yield* deliveriesOf(club), [])
      assert.strictEqual(yield* assemble(), 1)
      assert.deepStrictEqual((yield* deliveriesOf(club)).map(({ event_id }) => event_id), [id])
    }))
})
