import { assert, layer } from "@effect/vitest"
import { DateTime, Deferred, Duration, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { at, listAt, outcome, send } from "../../../harness/App.ts"
import { untilBlocked } from "../../../harness/Waiting.ts"
import { bodyNow, saturday } from "../../engine/retention/Rows.ts"
import {
  foundOnSaturday,
  laneNow,
  list,
  owedNow,
  readDelivery,
  register,
  sendTest,
  setLane,
  setStatus,
  WebhooksLayer
} from "../../Registering.ts"

// Contract, Delivery behavior 7.

const registered = Effect.flatMap(foundOnSaturday, (club) => register(club))

layer(WebhooksLayer)("A test", (it) => {
  it.effect("answers 202 with a delivery of webhook.test that is due at once", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      const answer = yield* sendTest(endpoint)
      assert.strictEqual(answer.status, 202)
      const { event_id, id, ...delivery } = Object(at(answer.json, "data"))
      assert.deepStrictEqual(delivery, {
        endpoint_id: endpoint.endpoint_id,
        event_type: "webhook.test",
        status: "pending",
        cancel_reason: null,
        payload_purged: false,
        attempts_count: 0,
        next_attempt_at: "2026-11-21T10:00:00.000Z",
        last_attempt_at: null,
        last_status_code: null,
        last_error: null,
        student_id: null,
        created_at: "2026-11-21T10:00:00.000Z",
        finished_at: null
      })
      assert.deepStrictEqual(listAt((yield* list(endpoint)).json, "data"), [at(answer.json, "data")])
      assert.deepStrictEqual(yield* owedNow(endpoint), [
        { id, event_id, status: "pending", trigger: "test", once: false, rung: 0, next_attempt_at: saturday }
      ])
    }))

  it.effect("has the envelope of every event, with the club's public id", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      const { event_id, id } = Object(at((yield* sendTest(endpoint)).json, "data"))
      const body = {
        id: event_id,
        type: "webhook.test",
        occurred_at: "2026-11-21T10:00:00.000Z",
        club_id: endpoint.club.organization_id,
        data: {
          message: "This is a test. It tells of nothing that happened.",
          endpoint_id: endpoint.endpoint_id
        }
      }
      assert.strictEqual(
        yield* bodyNow({ club_id: endpoint.club_id, event_id, id, student_id: id }),
        JSON.stringify(body)
      )
      assert.deepStrictEqual<unknown>(at((yield* readDelivery(endpoint, id)).json, "data", "payload"), body)
      const event = yield* send("GET", `${endpoint.club.path}/webhook-events/${event_id}`, endpoint)
      assert.deepStrictEqual([at(event.json, "data", "type"), at(event.json, "data", "student_id")], [
        "webhook.test",
        null
      ])
    }))

  it.effect("is sent whatever types the endpoint lists", () =>
    Effect.gen(function*() {
      const endpoint = yield* register(yield* foundOnSaturday, { event_types: ["purchase.paid"] })
      assert.strictEqual((yield* sendTest(endpoint)).status, 202)
    }))

  it.effect("does not wait for the end of a hold", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      const hold_until = DateTime.toDateUtc(DateTime.add(saturday, { hours: 1 }))
      yield* setLane(endpoint, { hold_until, holds: 1, due_at: hold_until })
      yield* sendTest(endpoint)
      assert.deepStrictEqual((yield* laneNow(endpoint)).due_at, saturday)
    }))

  it.effect("is made once for a request that is repeated with its Idempotency-Key", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      const once = { "idempotency-key": "test" }
      const [first, second] = [yield* sendTest(endpoint, once), yield* sendTest(endpoint, once)]
      assert.deepStrictEqual([second.status, second.text], [202, first.text])
      assert.lengthOf(yield* owedNow(endpoint), 1)
    }))

  it.effect.each(["paused", "disabled"])(
    "is 409 endpoint_not_enabled while the endpoint is %s",
    (status) =>
      Effect.gen(function*() {
        const endpoint = yield* registered
        yield* setStatus(endpoint, status)
        assert.deepStrictEqual(outcome(yield* sendTest(endpoint)), [409, "endpoint_not_enabled"])
        assert.deepStrictEqual(yield* owedNow(endpoint), [])
      })
  )
})

layer(WebhooksLayer)("A test on the next day", (it) => {
  it.effect("makes that day's partitions before the transaction of its Idempotency-Key", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const endpoint = yield* registered
      yield* TestClock.adjust(Duration.days(1))
      const [held, done] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const holding = yield* Effect.forkChild(sql
        .withTransaction(sql`select from webhook_endpoints where id = ${endpoint.endpoint_id} for update`.pipe(
          Effect.andThen(Deferred.succeed(held, undefined)),
          Effect.andThen(Deferred.await(done))
        )))
      yield* Deferred.await(held)
      const test = yield* Effect.forkChild(sendTest(endpoint, { "idempotency-key": "test" }))
      yield* untilBlocked()
      const made = yield* sql`select to_regclass('webhook_messages_20261129') is not null as made`
      assert.deepStrictEqual<unknown>(made, [{ made: true }])
      yield* Deferred.succeed(done, undefined)
      yield* Fiber.join(holding)
      assert.strictEqual((yield* Fiber.join(test)).status, 202)
    }))
})
