import { assert, layer } from "@effect/vitest"
import { ConfigProvider, DateTime, type Duration, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { ClockGuard } from "../../../../src/platform/jobs/ClockGuard.ts"
import { Partitions } from "../../../../src/platform/sql/Partitions.ts"
import { Sealing } from "../../../../src/platform/sql/Sealing.ts"
import { afterAttempt } from "../../../../src/webhooks/engine/dispatch/AfterAttempt.ts"
import { normalBreaker } from "../../../../src/webhooks/engine/dispatch/Breaker.ts"
import { LanesRepo } from "../../../../src/webhooks/engine/dispatch/LanesRepo.ts"
import type { ClaimedLane, TakenDelivery } from "../../../../src/webhooks/engine/dispatch/Lease.ts"
import { AttemptId, type WebhookDeliveryId } from "../../../../src/webhooks/model/WebhookDeliveryId.ts"
import { WebhookRules } from "../../../../src/webhooks/model/WebhookSettings.ts"
import { makeClub } from "../../../harness/Makers.ts"
import { PostgresLayer } from "../../../harness/Postgres.ts"
import {
  attemptRows,
  deliveryRow,
  laneRow,
  type MadeEndpoint,
  makeDelivery,
  makeEndpoint
} from "../../../harness/Webhooks.ts"

const GroundLayer = Layer.mergeAll(WebhookRules.layer, Partitions.layer, Sealing.layer).pipe(
  Layer.provideMerge(PostgresLayer),
  Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({
    APP_SECRET_KEY: Buffer.alloc(32, 7).toString("base64")
  })))
)

const TestLayer = LanesRepo.layer.pipe(Layer.provideMerge(GroundLayer))

/** The answers of the clock guard in order. The last answer repeats. */
const said: Array<boolean> = []

const DoubtfulLayer = LanesRepo.layer.pipe(
  Layer.provide(Layer.mock(ClockGuard, {
    agrees: Effect.sync(() => (said.length > 1 ? said.shift() : said[0]) ?? true),
    ageing: DateTime.now
  })),
  Layer.provideMerge(GroundLayer)
)

const settlementOf = Effect.fn("settlementOf")(function*(
  lease: ClaimedLane,
  delivery: TakenDelivery,
  accepted: boolean,
  wait: Option.Option<Duration.Duration> = Option.none()
) {
  const at = yield* DateTime.now
  return {
    lease,
    breaker: normalBreaker,
    breaker_epoch: lease.breaker_epoch,
    delivery,
    attempt: {
      id: AttemptId.make("00000000-0000-7000-8000-000000000001"),
      started_at: at,
      ended_at: at,
      duration_ms: 12,
      status_code: accepted ? 200 : 500,
      error: accepted ? null : "http_status" as const,
      response_body: accepted ? null : "no",
      retry_after_seconds: null,
      phases: { lookup_ms: null, connect_ms: null, tls_ms: null, send_ms: 0, wait_ms: 1, read_ms: 0 },
      connection_reused: true,
      peer: null,
      signature: "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4="
    },
    after: afterAttempt(delivery, accepted, at, wait)
  }
})

layer(TestLayer)("LanesRepo", (it) => {
  it.effect("leases, takes, settles and gives back", () =>
    Effect.gen(function*() {
      const lanes = yield* LanesRepo
      const endpoint = yield* makeEndpoint(yield* makeClub())
      const { body, event_id, id } = yield* makeDelivery(endpoint)
      const [lane] = yield* lanes.claim(10)
      assert.strictEqual(lane?.endpoint_id, endpoint.id)
      if (lane === undefined) return
      assert.deepStrictEqual(yield* lanes.claim(10), [])
      const taken = Option.getOrThrow(yield* lanes.take({
        lease: lane,
        slots: 5,
        requestedOnly: false,
        recovers: true,
        inFlight: [],
        after: null
      }))
      assert.deepStrictEqual(taken.deliveries.map(({ body, event_id, id }) => [id, event_id, `${Buffer.from(body)}`]), [
        [id, event_id, body]
      ])
      const [delivery] = taken.deliveries
      if (delivery === undefined) return
      assert.isTrue(yield* lanes.settle(yield* settlementOf(lane, delivery, true)))
      const { attempts_count, next_attempt_at, status } = yield* deliveryRow(id)
      assert.deepStrictEqual({ attempts_count, next_attempt_at, status }, {
        attempts_count: 1,
        next_attempt_at: null,
        status: "succeeded"
      })
      assert.deepStrictEqual((yield* attemptRows(id)).map(({ number }) => number), [1])
      assert.isTrue(yield* lanes.release({ lease: lane, wakes: taken.lane.wakes, notBefore: yield* DateTime.now }))
      const { due_at, lease_id } = yield* laneRow(endpoint)
      assert.deepStrictEqual({ due_at, lease_id }, { due_at: null, lease_id: null })
    }))

  it.effect("keeps a lane that was woken since it was taken from", () =>
    Effect.gen(function*() {
      const lanes = yield* LanesRepo
      const endpoint = yield* makeEndpoint(yield* makeClub())
      yield* makeDelivery(endpoint)
      const [lane] = yield* lanes.claim(10)
      if (lane === undefined) return assert.fail("No lane was due")
      yield* makeDelivery(endpoint)
      assert.isFalse(yield* lanes.release({ lease: lane, wakes: lane.wakes, notBefore: yield* DateTime.now }))
      yield* TestClock.adjust("31 seconds")
      const [again] = yield* lanes.claim(10)
      assert.strictEqual(again?.endpoint_id, endpoint.id)
      assert
        .isTrue(Option.isNone(yield* lanes.take({
          lease: lane,
          slots: 5,
          requestedOnly: false,
          recovers: true,
          inFlight: [],
          after: null
        })))
    }))

  it.effect("gives a held lane back due at once for what a person asked for, else at the end of its hold", () =>
    Effect.gen(function*() {
      const lanes = yield* LanesRepo
      const club = yield* makeClub()
      const now = yield* DateTime.now
      const notBefore = DateTime.add(now, { hours: 1 })
      for (const trigger of ["schedule", "manual"] as const) {
        const endpoint = yield* makeEndpoint(club)
        yield* makeDelivery(endpoint)
        yield* makeDelivery(endpoint, { trigger })
        const lane = (yield* lanes.claim(100)).find(({ endpoint_id }) => endpoint_id === endpoint.id)
        if (lane === undefined) return assert.fail("No lane was due")
        assert.isTrue(yield* lanes.release({ lease: lane, wakes: lane.wakes, notBefore }))
        const { due_at } = yield* laneRow(endpoint)
        assert.deepStrictEqual(due_at, trigger === "manual" ? now : notBefore)
      }
    }))
  it.effect("puts a lane that is given back at the end of the line, however long ago a person asked for something", () =>
    Effect.gen(function*() {
      const lanes = yield* LanesRepo
      const endpoint = yield* makeEndpoint(yield* makeClub())
      yield* makeDelivery(endpoint, { trigger: "manual" })
      yield* TestClock.adjust("10 seconds")
      const lane = (yield* lanes.claim(100)).find(({ endpoint_id }) => endpoint_id === endpoint.id)
      if (lane === undefined) return assert.fail("No lane was due")
      const now = yield* DateTime.now
      const notBefore = DateTime.add(now, { hours: 1 })
      assert.isTrue(yield* lanes.release({ lease: lane, wakes: lane.wakes, notBefore }))
      assert.deepStrictEqual((yield* laneRow(endpoint)).due_at, now)
    }))

  it.effect("takes from lanes together, of each what it may start and of each only what has a body", () =>
    Effect.gen(function*() {
      const lanes = yield* LanesRepo
      const sql = yield* SqlClient.SqlClient
      const club = yield* makeClub()
      const [held, normal, asked] = [yield* makeEndpoint(club), yield* makeEndpoint(club), yield* makeEndpoint(club)]
      const waiting = yield* makeDelivery(held)
      const resent = yield* makeDelivery(held, { trigger: "manual" })
      const due = yield* makeDelivery(normal)
      const lost = yield* makeDelivery(normal)
      const other = yield* makeDelivery(asked)
      yield* sql`delete from webhook_messages where id = ${lost.event_id}`
      const claimed = yield* lanes.claim(10)
      const take = (requestedOnly: ReadonlyArray<readonly [MadeEndpoint, boolean]>) =>
        Effect.forEach(
          requestedOnly,
          ([{ endpoint_id }, requestedOnly]) =>
            Effect.gen(function*() {
              const lease = claimed.find((lane) => lane.endpoint_id === endpoint_id)
              if (lease === undefined) return yield* Effect.die(new Error("The lane was not due"))
              const taken = yield* lanes.take({
                lease,
                slots: 5,
                requestedOnly,
                recovers: true,
                inFlight: [],
                after: null
              })
              return Option.getOrThrow(taken).deliveries.map(({ id }) => id)
            }),
          { concurrency: "unbounded" }
        )
      assert.deepStrictEqual(yield* take([[held, true], [normal, false], [asked, true]]), [[resent.id], [due.id], []])
      const { cancel_reason, status } = yield* deliveryRow(lost.id)
      assert.deepStrictEqual([status, cancel_reason], ["canceled", "expired"])
      assert.deepStrictEqual(yield* take([[held, true], [asked, true]]), [[resent.id], []])
      assert.deepStrictEqual(yield* take([[held, false], [asked, false]]), [[waiting.id, resent.id], [other.id]])
    }))

  it.effect("takes what lies behind a place in the queue, and nothing that is under way", () =>
    Effect.gen(function*() {
      const lanes = yield* LanesRepo
      const endpoint = yield* makeEndpoint(yield* makeClub())
      const now = yield* DateTime.now
      const later = DateTime.subtract(now, { minutes: 1 })
      const first = yield* makeDelivery(endpoint, { next_attempt_at: DateTime.subtract(now, { minutes: 2 }) })
      const second = yield* makeDelivery(endpoint, { next_attempt_at: later })
      const third = yield* makeDelivery(endpoint, { next_attempt_at: later })
      const lease = (yield* lanes.claim(100)).find(({ endpoint_id }) => endpoint_id === endpoint.id)
      if (lease === undefined) return assert.fail("No lane was due")
      const taken = (after: TakenDelivery | null, inFlight: ReadonlyArray<WebhookDeliveryId>) => {
        const place = after && { next_attempt_at: DateTime.fromDateUnsafe(after.next_attempt_at), id: after.id }
        return Effect.map(
          lanes.take({ lease, slots: 5, requestedOnly: false, recovers: true, inFlight, after: place }),
          (found) => Option.getOrThrow(found).deliveries
        )
      }
      const all = yield* taken(null, [])
      assert.deepStrictEqual(all.map(({ id }) => id), [first.id, second.id, third.id])
      const [one, two] = all
      if (one === undefined || two === undefined) return assert.fail("Nothing was taken")
      assert.deepStrictEqual((yield* taken(one, [])).map(({ id }) => id), [second.id, third.id])
      assert.deepStrictEqual((yield* taken(two, [])).map(({ id }) => id), [third.id])
      assert.deepStrictEqual((yield* taken(one, [second.id])).map(({ id }) => id), [third.id])
      assert.deepStrictEqual((yield* taken(null, [first.id, third.id])).map(({ id }) => id), [second.id])
    }))
})

layer(DoubtfulLayer)("While its clock is not the database's, a worker", (it) => {
  it.effect("claims, takes, settles, extends and gives back nothing, and goes on once both agree", () =>
    Effect.gen(function*() {
      const lanes = yield* LanesRepo
      const club = yield* makeClub()
      const endpoint = yield* makeEndpoint(club)
      const { id } = yield* makeDelivery(endpoint)
      const doubting = <A, E, R>(...[work, ...answers]: [Effect.Effect<A, E, R>, ...ReadonlyArray<boolean>]) =>
        Effect.acquireUseRelease(
          Effect.sync(() => void said.splice(0, said.length, ...(answers.length > 0 ? answers : [false]))),
          () => work,
          () => Effect.sync(() => void said.splice(0))
        )
      assert.deepStrictEqual(yield* doubting(lanes.claim(10)), [])
      assert.deepStrictEqual(yield* doubting(lanes.nextDue({ clubs: [], endpoints: [] })), Option.none())
      const [lane] = yield* lanes.claim(10)
      if (lane === undefined) return assert.fail("No lane was due")

      const asked = lanes.take({
        lease: lane,
        slots: 5,
        requestedOnly: false,
        recovers: true,
        inFlight: [],
        after: null
      })
      // The clock may also jump while the database answers. The worker does not send deliveries read at that time.
      for (const answers of [[false], [true, false]]) {
        assert.deepStrictEqual(yield* doubting(asked, ...answers), Option.none())
      }
      const taken = Option.getOrThrow(yield* asked)
      const [delivery] = taken.deliveries
      if (delivery === undefined) return assert.fail("Nothing was taken")

      const settlement = yield* settlementOf(lane, delivery, true)
      const release = { lease: lane, wakes: taken.lane.wakes, notBefore: yield* DateTime.now }
      const before = [yield* deliveryRow(id), yield* laneRow(endpoint)]
      yield* TestClock.adjust("5 seconds")
      assert.isFalse(yield* doubting(lanes.settle(settlement)))
      assert.isFalse(yield* doubting(lanes.release(release)))
      // The heartbeat keeps the lane, since no other worker has it.
      assert.deepStrictEqual(yield* doubting(lanes.heartbeat([lane])), [lane])
      assert.deepStrictEqual([yield* deliveryRow(id), yield* laneRow(endpoint)], before)
      assert.deepStrictEqual(yield* attemptRows(id), [])

      assert.lengthOf(yield* lanes.heartbeat([lane]), 1)
      assert.notDeepEqual(yield* laneRow(endpoint), before[1])
      assert.isTrue(yield* lanes.settle(settlement))
      assert.isTrue(yield* lanes.release(release))
    }))
})
