import { assert, layer } from "@effect/vitest"
import { DateTime, Duration, Effect, Layer, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { afterAttempt } from "../../../../src/webhooks/engine/dispatch/AfterAttempt.ts"
import { normalBreaker } from "../../../../src/webhooks/engine/dispatch/Breaker.ts"
import { LanesRepo } from "../../../../src/webhooks/engine/dispatch/LanesRepo.ts"
import type { ClaimedLane, Settlement, TakenDelivery } from "../../../../src/webhooks/engine/dispatch/Lease.ts"
import { AttemptId } from "../../../../src/webhooks/model/WebhookDeliveryId.ts"
import { makeClub } from "../../../harness/Makers.ts"
import { attemptRows, deliveryRow, laneRow, makeDelivery, makeEndpoint } from "../../../harness/Webhooks.ts"
import { GroundLayer } from "./Engine.ts"

const TestLayer = LanesRepo.layer.pipe(
  Layer.provideMerge(GroundLayer()),
  Layer.provideMerge(SecureRandom.layerWebCrypto)
)

/** A delivery that a worker has taken. */
const taken = Effect.fn("taken")(function*(given: Parameters<typeof makeDelivery>[1] = {}) {
  const lanes = yield* LanesRepo
  const endpoint = yield* makeEndpoint(yield* makeClub())
  const { id } = yield* makeDelivery(endpoint, given)
  const lane = (yield* lanes.claim(100)).find(({ endpoint_id }) => endpoint_id === endpoint.id)
  if (lane === undefined) return yield* Effect.die(new Error("The lane was not due"))
  const look = yield* lanes.take({
    lease: lane,
    slots: 5,
    requestedOnly: false,
    recovers: true,
    inFlight: [],
    after: null
  })
  const delivery = Option.getOrThrow(look).deliveries.find((one) => one.id === id)
  if (delivery === undefined) return yield* Effect.die(new Error("Nothing was due"))
  return { endpoint, lane, delivery, id }
})

const settlement = Effect.fn("settlement")(function*(
  lease: ClaimedLane,
  delivery: TakenDelivery,
  { accepted, response_body = null, wait = Option.some(Duration.seconds(5)) }: {
    readonly accepted: boolean
    readonly response_body?: string | null
    readonly wait?: Option.Option<Duration.Duration>
  }
) {
  const random = yield* SecureRandom.SecureRandom
  const at = yield* DateTime.now
  const attempt = {
    id: AttemptId.make(yield* random.uuidV7()),
    started_at: at,
    ended_at: at,
    duration_ms: 12,
    status_code: accepted ? 200 : 500,
    response_body,
    error: accepted ? null : "http_status" as const,
    retry_after_seconds: null,
    phases: null,
    connection_reused: true,
    peer: null,
    signature: "v1,signed"
  }
  const after = afterAttempt(delivery, accepted, at, wait)
  return { lease, breaker: normalBreaker, breaker_epoch: 0, delivery, attempt, after } satisfies Settlement
})

const failureOf = Effect.fnUntraced(function*({ id }: { readonly id: string }) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql`
    select last_failure_error, last_failure_status, held_since from webhook_lanes where endpoint_id = ${id}`
  return row
})

const outcomeOf = (
  { attempts_count, cancel_reason, next_attempt_at, once, rung, status, trigger }: Effect.Success<
    ReturnType<typeof deliveryRow>
  >
) => ({
  attempts_count,
  cancel_reason,
  owed: next_attempt_at !== null,
  once,
  rung,
  status,
  trigger
})

layer(TestLayer)("a result", (it) => {
  it.effect("is written for the lanes of its statement whose lease holds, and for no other", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const lanes = yield* LanesRepo
      const [lost, first, second] = [yield* taken(), yield* taken(), yield* taken()]
      yield* sql`update webhook_lanes set lease_id = ${crypto.randomUUID()} where endpoint_id = ${lost.endpoint.id}`
      const settled = yield* Effect.forEach(
        [lost, first, second],
        ({ delivery, lane }) => Effect.flatMap(settlement(lane, delivery, { accepted: true }), lanes.settle),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(settled, [false, true, true])
      const attempts = yield* Effect.forEach([lost, first, second], ({ id }) => attemptRows(id))
      assert.deepStrictEqual(attempts.map(({ length }) => length), [0, 1, 1])
    }))

  it.effect("says on its lane why the last attempt failed and since when it is held, until one is accepted", () =>
    Effect.gen(function*() {
      const lanes = yield* LanesRepo
      const { delivery, endpoint, lane } = yield* taken()
      const now = yield* DateTime.now
      const failed = yield* settlement(lane, delivery, { accepted: false })
      const heldAt = (at: DateTime.Utc) => ({ ...normalBreaker, holds: 1, hold_until: at, failing_since: at })
      yield* lanes.settle({ ...failed, breaker: heldAt(now) })
      const first = { last_failure_error: "http_status", last_failure_status: 500, held_since: DateTime.toDateUtc(now) }
      assert.deepStrictEqual(yield* failureOf(endpoint), first)
      yield* TestClock.adjust("1 minute")
      const again = yield* settlement(lane, { ...delivery, attempts_count: 1 }, { accepted: false })
      const dns = { ...again, attempt: { ...again.attempt, error: "dns" as const, status_code: null } }
      yield* lanes.settle({ ...dns, breaker: heldAt(yield* DateTime.now) })
      assert.deepStrictEqual(yield* failureOf(endpoint), {
        ...first,
        last_failure_error: "dns",
        last_failure_status: null
      })
      yield* lanes.settle(yield* settlement(lane, { ...delivery, attempts_count: 2 }, { accepted: true }))
      assert.deepStrictEqual(yield* failureOf(endpoint), {
        last_failure_error: "dns",
        last_failure_status: null,
        held_since: null
      })
    }))

  it.effect("keeps on its lane when the certificate ends that was seen last, also where several share a statement", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const lanes = yield* LanesRepo
      const { delivery, endpoint, lane } = yield* taken()
      const settleAll = Effect.fnUntraced(function*(first: number, ...ends: ReadonlyArray<string | null>) {
        const base = yield* settlement(lane, delivery, { accepted: true })
        yield* Effect.forEach(ends, (end, number) =>
          lanes.settle({
            ...base,
            delivery: { ...delivery, attempts_count: first + number },
            attempt: {
              ...base.attempt,
              peer: end === null
                ? null
                : {
                  peer_address: "203.0.113.7",
                  tls_version: "TLSv1.3",
                  certificate_ends_at: DateTime.makeUnsafe(end)
                }
            }
          }), { concurrency: "unbounded" })
        const [row] = yield* sql`select certificate_ends_at from webhook_lanes where endpoint_id = ${endpoint.id}`
        return row?.["certificate_ends_at"]
      })
      assert.isNull(yield* settleAll(0, null))
      assert.deepStrictEqual(yield* settleAll(1, "2026-12-01", "2027-03-01", null), new Date("2027-03-01"))
      assert.deepStrictEqual(yield* settleAll(4, null), new Date("2027-03-01"))
    }))

  it.effect("leaves a delivery canceled that was canceled meanwhile, and counts the attempt", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const lanes = yield* LanesRepo
      const { delivery, id, lane } = yield* taken()
      yield* sql`
        update webhook_deliveries set status = 'canceled', cancel_reason = 'endpoint_disabled', next_attempt_at = null,
          finished_at = created_at where id = ${id}`
      assert.isTrue(yield* lanes.settle(yield* settlement(lane, delivery, { accepted: false })))
      assert.deepStrictEqual(outcomeOf(yield* deliveryRow(id)), {
        attempts_count: 1,
        cancel_reason: "endpoint_disabled",
        owed: false,
        once: false,
        rung: 0,
        status: "canceled",
        trigger: "schedule"
      })
      assert.strictEqual((yield* attemptRows(id)).length, 1)
    }))

  it.effect.each([
    ["endpoint_disabled", "succeeded"],
    ["endpoint_deleted", "succeeded"],
    ["student_removed", "canceled"],
    ["expired", "canceled"]
  ] as const)(
    "that is a 2xx after the delivery was canceled with %s ends it as %s",
    ([reason, status]) =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const lanes = yield* LanesRepo
        const { delivery, id, lane } = yield* taken()
        yield* sql`
        update webhook_deliveries set status = 'canceled', cancel_reason = ${reason}, next_attempt_at = null,
          finished_at = created_at where id = ${id}`
        yield* lanes.settle(yield* settlement(lane, delivery, { accepted: true }))
        assert.strictEqual((yield* deliveryRow(id)).status, status)
      })
  )

  it.effect("keeps what a person asked for while a failed attempt was under way", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const lanes = yield* LanesRepo
      const { delivery, id, lane } = yield* taken()
      yield* sql`update webhook_deliveries set trigger = 'manual' where id = ${id}`
      const { next_attempt_at } = yield* deliveryRow(id)
      yield* TestClock.adjust("1 seconds")
      yield* lanes.settle(yield* settlement(lane, delivery, { accepted: false }))
      const row = yield* deliveryRow(id)
      assert.deepStrictEqual(row.next_attempt_at, next_attempt_at)
      assert.deepStrictEqual(outcomeOf(row), {
        attempts_count: 1,
        cancel_reason: null,
        owed: true,
        once: false,
        rung: 1,
        status: "pending",
        trigger: "manual"
      })
    }))

  it.effect("of a finished delivery's one attempt ends it as that attempt went", () =>
    Effect.gen(function*() {
      const lanes = yield* LanesRepo
      const sql = yield* SqlClient.SqlClient
      const now = yield* DateTime.now
      const { delivery, id, lane } = yield* taken({ status: "canceled", trigger: "manual", next_attempt_at: now })
      assert.strictEqual(delivery.status, "canceled")
      yield* sql`update webhook_deliveries set once = true where id = ${id}`
      yield* lanes.settle(yield* settlement(lane, { ...delivery, once: true }, { accepted: false }))
      assert.deepStrictEqual(outcomeOf(yield* deliveryRow(id)), {
        attempts_count: 1,
        cancel_reason: null,
        owed: false,
        once: true,
        rung: 0,
        status: "failed",
        trigger: "manual"
      })
    }))

  it.effect("of a worker that lost the lane changes nothing", () =>
    Effect.gen(function*() {
      const lanes = yield* LanesRepo
      const { delivery, endpoint, id, lane } = yield* taken()
      yield* TestClock.adjust("31 seconds")
      assert.isTrue((yield* lanes.claim(100)).some(({ endpoint_id }) => endpoint_id === endpoint.id))
      const before = yield* laneRow(endpoint)
      assert.isFalse(yield* lanes.settle(yield* settlement(lane, delivery, { accepted: true })))
      assert.deepStrictEqual(yield* laneRow(endpoint), before)
      assert.strictEqual((yield* deliveryRow(id)).status, "pending")
      assert.deepStrictEqual(yield* attemptRows(id), [])
      assert.deepStrictEqual(yield* lanes.heartbeat([lane]), [])
    }))

  it.effect("is committed once, even if it comes twice", () =>
    Effect.gen(function*() {
      const lanes = yield* LanesRepo
      const { delivery, id, lane } = yield* taken()
      const result = yield* settlement(lane, delivery, { accepted: false })
      yield* lanes.settle(result)
      yield* lanes.settle(yield* settlement(lane, delivery, { accepted: false }))
      assert.strictEqual((yield* deliveryRow(id)).attempts_count, 1)
      assert.strictEqual((yield* attemptRows(id)).length, 1)
    }))

  it.effect("about a student who was removed meanwhile keeps neither response nor signature", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const lanes = yield* LanesRepo
      const { delivery, id, lane } = yield* taken()
      yield* sql`
        update webhook_deliveries set status = 'canceled', cancel_reason = 'student_removed', next_attempt_at = null,
          finished_at = created_at, body_erased = true where id = ${id}`
      yield* lanes.settle(yield* settlement(lane, delivery, { accepted: false, response_body: "Bia Lima" }))
      const kept = (yield* attemptRows(id)).map(({ response_body, signature }) => ({ response_body, signature }))
      assert.deepStrictEqual(kept, [{ response_body: null, signature: null }])
    }))
})
