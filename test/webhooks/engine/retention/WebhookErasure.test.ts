import { assert, layer } from "@effect/vitest"
import { DateTime, Deferred, Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { EventErasure } from "../../../../src/events/EventErasure.ts"
import { Partitions } from "../../../../src/platform/sql/Partitions.ts"
import { WebhookErasureLayer } from "../../../../src/webhooks/engine/retention/WebhookErasure.ts"
import { makeStudent } from "../../../harness/Makers.ts"
import { PostgresLayer } from "../../../harness/Postgres.ts"
import { untilBlocked } from "../../../harness/Waiting.ts"
import {
  ago,
  begin,
  bodyNow,
  deliveryNow,
  ended,
  type MadeDelivery,
  makeAttempt,
  makeDelivery,
  makeEndpoint,
  responsesNow,
  saturday,
  signaturesNow
} from "./Rows.ts"

const TestLayer = Layer.merge(WebhookErasureLayer, Partitions.layer).pipe(Layer.provideMerge(PostgresLayer))

/** Erases the student in a transaction, as the removal does. */
const erase = Effect.fnUntraced(function*({ club_id, student_id }: MadeDelivery) {
  const sql = yield* SqlClient.SqlClient
  const { eraseStudent } = yield* EventErasure
  return yield* sql.withTransaction(eraseStudent(club_id, student_id))
})

/** An endpoint of a new club, and a student of the club. */
const enrolled = Effect.gen(function*() {
  yield* begin("20 days")
  const endpoint = yield* makeEndpoint()
  const { id: student_id } = yield* makeStudent(endpoint.club)
  return { endpoint, student_id }
})

/** The delivery's row, body and responses. */
const allOf = (delivery: MadeDelivery) => Effect.all([deliveryNow(delivery), bodyNow(delivery), responsesNow(delivery)])

layer(TestLayer)("Erasing a student", (it) => {
  it.effect("cancels what waits, and removes its body", () =>
    Effect.gen(function*() {
      const { endpoint, student_id } = yield* enrolled
      const delivery = yield* makeDelivery(endpoint, ago("1 hour"), { student_id })
      assert.deepStrictEqual(yield* erase(delivery), { bodies: 1, responses: 0, canceled: 1 })
      assert.deepStrictEqual(yield* deliveryNow(delivery), {
        status: "canceled",
        cancel_reason: "student_removed",
        body_erased: true,
        next_attempt_at: null,
        finished_at: saturday
      })
      assert.isNull(yield* bodyNow(delivery))
    }))

  it.effect("removes bodies and responses of what was sent, and leaves its history", () =>
    Effect.gen(function*() {
      const { endpoint, student_id } = yield* enrolled
      const sent = yield* makeDelivery(endpoint, ago("20 days"), { student_id, ...ended("succeeded") })
      yield* makeAttempt(sent, ago("20 days"))
      yield* makeAttempt(sent, ago("19 days"))
      assert.deepStrictEqual(yield* erase(sent), { bodies: 1, responses: 2, canceled: 0 })
      assert.deepInclude(yield* deliveryNow(sent), { status: "succeeded", cancel_reason: null, body_erased: true })
      assert.deepStrictEqual(yield* responsesNow(sent), [null, null])
      assert.isNull(yield* bodyNow(sent))
    }))

  it.effect("removes the signatures of what was sent, answered or not, and counts the answers alone", () =>
    Effect.gen(function*() {
      const { endpoint, student_id } = yield* enrolled
      const sent = yield* makeDelivery(endpoint, ago("2 days"), { student_id, ...ended("failed") })
      yield* makeAttempt(sent, ago("2 days"), { signature: "v1,one" })
      yield* makeAttempt(sent, ago("1 day"), { signature: "v1,two", response_body: null })
      assert.strictEqual((yield* erase(sent)).responses, 1)
      assert.deepStrictEqual(yield* signaturesNow(sent), [null, null])
    }))

  it.effect("drops the resend of a delivery that has ended, which stays what it was", () =>
    Effect.gen(function*() {
      const { endpoint, student_id } = yield* enrolled
      const owed = { once: true, trigger: "manual", next_attempt_at: DateTime.toDateUtc(saturday) }
      const failed = yield* makeDelivery(endpoint, ago("2 days"), { student_id, ...ended("failed"), ...owed })
      assert.strictEqual((yield* erase(failed)).canceled, 0)
      assert.deepInclude(yield* deliveryNow(failed), { status: "failed", next_attempt_at: null })
    }))

  it.effect("reaches every endpoint of the club", () =>
    Effect.gen(function*() {
      const { endpoint, student_id } = yield* enrolled
      const other = yield* makeEndpoint({ club: endpoint.club, slot: 2, status: "paused" })
      const first = yield* makeDelivery(endpoint, ago("1 hour"), { student_id })
      yield* makeDelivery(other, ago("1 hour"), { student_id })
      assert.deepStrictEqual(yield* erase(first), { bodies: 2, responses: 0, canceled: 2 })
    }))

  it.effect("leaves student.removed to go out", () =>
    Effect.gen(function*() {
      const { endpoint, student_id } = yield* enrolled
      const removal = yield* makeDelivery(endpoint, ago(0), { student_id, event_type: "student.removed" })
      yield* makeAttempt(removal, ago(0), { signature: "v1,kept" })
      yield* makeDelivery(endpoint, ago("1 hour"), { student_id })
      const before = yield* allOf(removal)
      assert.deepStrictEqual(yield* erase(removal), { bodies: 1, responses: 0, canceled: 1 })
      assert.deepStrictEqual(yield* allOf(removal), before)
      assert.deepStrictEqual(yield* signaturesNow(removal), ["v1,kept"])
    }))

  it.effect("leaves other students alone, of this club and of others", () =>
    Effect.gen(function*() {
      const { endpoint, student_id } = yield* enrolled
      const erased = yield* makeDelivery(endpoint, ago("1 hour"), { student_id })
      const others = [
        yield* makeDelivery(endpoint, ago("1 hour")),
        yield* makeDelivery(yield* makeEndpoint(), ago("1 hour"))
      ]
      yield* Effect.forEach(others, (other) => makeAttempt(other, ago("1 hour")))
      const before = yield* Effect.forEach(others, allOf)
      yield* erase(erased)
      assert.deepStrictEqual(yield* Effect.forEach(others, allOf), before)
    }))

  it.effect("in the name of another club changes nothing", () =>
    Effect.gen(function*() {
      const { endpoint, student_id } = yield* enrolled
      const delivery = yield* makeDelivery(endpoint, ago("1 hour"), { student_id })
      const { club_id } = yield* makeEndpoint()
      assert.deepStrictEqual(yield* erase({ ...delivery, club_id }), { bodies: 0, responses: 0, canceled: 0 })
      assert.isFalse((yield* deliveryNow(delivery)).body_erased)
    }))

  it.effect("changes nothing the second time", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { endpoint, student_id } = yield* enrolled
      const delivery = yield* makeDelivery(endpoint, ago("1 hour"), { student_id })
      yield* makeAttempt(delivery, ago("1 hour"))
      yield* erase(delivery)
      const versions = sql`
        select xmin::text from webhook_deliveries where club_id = ${delivery.club_id}
        union all select xmin::text from webhook_messages where club_id = ${delivery.club_id}
        union all select xmin::text from webhook_attempts where club_id = ${delivery.club_id}`
      const before = yield* versions
      assert.deepStrictEqual(yield* erase(delivery), { bodies: 0, responses: 0, canceled: 0 })
      assert.deepStrictEqual(yield* versions, before)
    }))

  it.effect("is undone with the transaction that it is part of", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { eraseStudent } = yield* EventErasure
      const { endpoint, student_id } = yield* enrolled
      const delivery = yield* makeDelivery(endpoint, ago("1 hour"), { student_id })
      const before = yield* allOf(delivery)
      yield* Effect
        .exit(sql.withTransaction(Effect.andThen(eraseStudent(delivery.club_id, student_id), Effect.fail("no"))))
      assert.deepStrictEqual(yield* allOf(delivery), before)
    }))

  it.effect("waits for a result that is being recorded, and removes its response", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { endpoint, student_id } = yield* enrolled
      const delivery = yield* makeDelivery(endpoint, ago("1 hour"), { student_id })
      const [recorded, done] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      // Takes locks in the same order as the recording of results.
      const recording = yield* Effect.forkChild(sql.withTransaction(Effect.gen(function*() {
        yield* sql`update webhook_lanes set consecutive_failures = 1 where club_id = ${delivery.club_id}`
        yield* Deferred.succeed(recorded, undefined)
        yield* Deferred.await(done)
        yield* sql`update webhook_deliveries set attempts_count = 1 where club_id = ${delivery.club_id}`
        yield* makeAttempt(delivery, ago(0))
      })))
      yield* Deferred.await(recorded)
      const erasing = yield* Effect.forkChild(erase(delivery))
      yield* untilBlocked()
      yield* Deferred.succeed(done, undefined)
      yield* Fiber.join(recording)
      assert.deepStrictEqual(yield* Fiber.join(erasing), { bodies: 1, responses: 1, canceled: 1 })
      assert.deepStrictEqual(yield* responsesNow(delivery), [null])
    }))
})
