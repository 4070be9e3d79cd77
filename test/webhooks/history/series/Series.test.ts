import { assert, layer } from "@effect/vitest"
import { DateTime, Deferred, Duration, Effect, Fiber, identity, Layer, Option, Schema, Struct } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { afterAttempt } from "../../../../src/webhooks/engine/dispatch/AfterAttempt.ts"
import { normalBreaker } from "../../../../src/webhooks/engine/dispatch/Breaker.ts"
import { durationBounds } from "../../../../src/webhooks/engine/dispatch/Durations.ts"
import { LanesRepo } from "../../../../src/webhooks/engine/dispatch/LanesRepo.ts"
import type { Settlement } from "../../../../src/webhooks/engine/dispatch/Lease.ts"
import { RetentionRepo } from "../../../../src/webhooks/engine/retention/RetentionRepo.ts"
import type { SeriesWindow } from "../../../../src/webhooks/history/series/Series.ts"
import { SeriesReads } from "../../../../src/webhooks/history/series/SeriesReads.ts"
import { stepsOf } from "../../../../src/webhooks/history/series/Steps.ts"
import { AttemptId } from "../../../../src/webhooks/model/WebhookDeliveryId.ts"
import { makeClub } from "../../../harness/Makers.ts"
import { untilBlocked } from "../../../harness/Waiting.ts"
import { type MadeEndpoint, makeDelivery, makeEndpoint } from "../../../harness/Webhooks.ts"
import { GroundLayer, lasting } from "../../engine/dispatch/Engine.ts"

const TestLayer = Layer.mergeAll(LanesRepo.layer, SeriesReads.layer, RetentionRepo.layer).pipe(
  Layer.provideMerge(GroundLayer({ ...lasting, WEBHOOK_LEASE: "90 days" })),
  Layer.provideMerge(SecureRandom.layerWebCrypto)
)

/** One attempt of a new delivery: its time, its duration, its result, and if it is the last attempt. */
const Story = Schema.Array(Schema.Struct({
  endpoint: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1 })),
  minutes_later: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 600 })),
  duration_ms: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 20_000 })),
  accepted: Schema.Boolean,
  last: Schema.Boolean
})).check(Schema.isMinLength(1), Schema.isMaxLength(25))
type Attempt = (typeof Story.Type)[number]

const held = Effect.fnUntraced(function*(endpoint: MadeEndpoint) {
  const lanes = yield* LanesRepo
  yield* makeDelivery(endpoint)
  const lane = (yield* lanes.claim(100)).find(({ endpoint_id }) => endpoint_id === endpoint.id)
  return lane ?? (yield* Effect.die(new Error("The lane was not due")))
})

/** An endpoint with a leased lane, in this club or a new one. */
const heldEndpoint = Effect.fnUntraced(function*(given?: Effect.Success<ReturnType<typeof makeClub>>) {
  const club = given ?? (yield* makeClub())
  const endpoint = yield* makeEndpoint(club)
  return { club: { ...club, time_zone: "UTC" }, endpoint, lease: yield* held(endpoint) }
})

/** Makes and settles a delivery in the endpoint's lane. It ends now or `ago`. `meeting` wraps the statement. */
const attempt = Effect.fnUntraced(function*<R = never>(
  endpoint: MadeEndpoint,
  lease: Settlement["lease"],
  { accepted, ago = Duration.zero, duration_ms, last }: Omit<Attempt, "endpoint" | "minutes_later"> & {
    readonly ago?: Duration.Duration
  },
  meeting: (settling: Effect.Effect<boolean>) => Effect.Effect<boolean, never, R> = identity
) {
  const random = yield* SecureRandom.SecureRandom
  const { settle } = yield* LanesRepo
  const { id } = yield* makeDelivery(endpoint)
  const ended_at = DateTime.subtractDuration(yield* DateTime.now, ago)
  const delivery = { id, attempts_count: 0, trigger: "schedule" as const }
  const wait = last ? Option.none() : Option.some(Duration.seconds(5))
  const settlement: Settlement = {
    lease,
    breaker: normalBreaker,
    breaker_epoch: 0,
    delivery,
    attempt: {
      id: AttemptId.make(yield* random.uuidV7()),
      started_at: DateTime.subtractDuration(ended_at, Duration.millis(duration_ms)),
      ended_at,
      duration_ms,
      status_code: accepted ? 200 : 500,
      response_body: null,
      error: accepted ? null : "http_status",
      retry_after_seconds: null,
      phases: null,
      connection_reused: null,
      peer: null,
      signature: null
    },
    after: afterAttempt({ status: "pending", step: 0, trigger: "schedule", once: false }, accepted, ended_at, wait)
  }
  assert.isTrue(yield* meeting(settle(settlement)))
  return { ended_at, accepted, duration_ms, given_up: !accepted && last }
})
type Told = Effect.Success<ReturnType<typeof attempt>>

/** The same series, by a pass over all attempts for each step. */
const naive = (told: ReadonlyArray<Told>, window: SeriesWindow, now: DateTime.Utc, zone: string) => {
  const { starts } = stepsOf(window, now, zone)
  return starts.map((at, place) => {
    const end = starts[place + 1]
    const here = told.filter(({ ended_at }) =>
      DateTime.isGreaterThanOrEqualTo(ended_at, at) && (end === undefined || DateTime.isLessThan(ended_at, end))
    )
    const succeeded = here.filter(({ accepted }) => accepted).length
    return {
      at: DateTime.formatIso(at),
      succeeded,
      failed: here.length - succeeded,
      given_up: here.filter(({ given_up }) => given_up).length,
      attempts: here.length,
      durations: here.map(({ duration_ms }) => duration_ms).toSorted((one, other) => one - other)
    }
  })
}

const boundsOf = (duration: number) => {
  const place = durationBounds.filter((bound) => bound <= duration).length
  return [durationBounds[place - 1] ?? 0, durationBounds[place] ?? 61_440] as const
}

const zones = ["UTC", "America/Sao_Paulo", "Asia/Kathmandu", "Europe/Lisbon"]

layer(TestLayer)("A series", (it) => {
  it.effect.prop(
    "is what a count of every attempt comes to, in every window and time zone",
    [Story],
    ([story]) =>
      Effect.gen(function*() {
        const reads = yield* SeriesReads
        // Days of 23 and 25 hours lie between the first story and the last one.
        if (DateTime.toEpochMillis(yield* DateTime.now) === 0) {
          yield* TestClock.setTime(Date.parse("2026-10-20T21:07:00Z"))
        }
        const club = yield* makeClub()
        const endpoints = [yield* makeEndpoint(club), yield* makeEndpoint(club)] as const
        const leases = [yield* held(endpoints[0]), yield* held(endpoints[1])] as const
        const told: [Array<Told>, Array<Told>] = [[], []]
        for (const { endpoint, minutes_later, ...one } of story) {
          yield* TestClock.adjust(Duration.minutes(minutes_later))
          const place = endpoint === 0 ? 0 : 1
          told[place].push(yield* attempt(endpoints[place], leases[place], one))
        }
        const now = yield* DateTime.now
        for (const window of ["24h", "7d", "30d"] as const) {
          for (const time_zone of zones) {
            const all = yield* reads.all({ id: club.id, time_zone }, window)
            assert.deepStrictEqual(all.map(({ endpoint_id }) => endpoint_id), endpoints.map(({ id }) => id))
            for (const [place, endpoint] of endpoints.entries()) {
              const expected = naive(told[place === 0 ? 0 : 1], window, now, time_zone)
              const { from, points, until } = yield* reads.of({ id: club.id, time_zone }, endpoint.id, window)
              assert.deepStrictEqual([DateTime.formatIso(from), until], [expected[0]?.at, now])
              assert.deepStrictEqual(
                points.map(({ at, attempts, failed, given_up, succeeded }) => ({
                  at: DateTime.formatIso(at),
                  succeeded,
                  failed,
                  given_up,
                  attempts
                })),
                expected.map(Struct.omit(["durations"]))
              )
              assert.deepStrictEqual(
                all[place]?.points,
                points.map(({ at, failed, succeeded }) => ({ at, succeeded, failed }))
              )
              for (const [step, { p50_ms, p95_ms }] of points.entries()) {
                const durations = expected[step]?.durations ?? []
                for (const [found, share] of [[p50_ms, 0.5], [p95_ms, 0.95]] as const) {
                  const real = durations[Math.ceil(share * durations.length) - 1]
                  if (real === undefined) {
                    assert.isNull(found)
                    continue
                  }
                  const [least, most] = boundsOf(real)
                  assert.isAtLeast(found ?? -1, least)
                  assert.isAtMost(found ?? Infinity, most)
                }
              }
            }
          }
        }
      }),
    { arbitrary: { runs: 12 } }
  )
})

layer(TestLayer)("The counts of attempts", (it) => {
  const { accepted, duration_ms, last } = { accepted: true, duration_ms: 10, last: true }

  it.effect("count an attempt once, however often its result comes, and none of who has lost the lane", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const reads = yield* SeriesReads
      const { club, endpoint, lease } = yield* heldEndpoint()
      yield* attempt(endpoint, lease, { accepted, duration_ms, last })
      yield* sql`update webhook_lanes set lease_id = ${crypto.randomUUID()} where endpoint_id = ${endpoint.id}`
      yield* Effect.exit(attempt(endpoint, lease, { accepted, duration_ms, last }))
      const { points } = yield* reads.of(club, endpoint.id, "24h")
      assert.deepStrictEqual(points.map(({ attempts }) => attempts).filter((attempts) => attempts > 0), [1])
    }))

  it.effect("count together what one statement writes, of several clubs, endpoints and quarters of an hour", () =>
    Effect.gen(function*() {
      const reads = yield* SeriesReads
      const clubs = [yield* makeClub(), yield* makeClub()]
      const endpoints = yield* Effect.forEach(Array.from({ length: 4 }, () => clubs).flat(), heldEndpoint)
      const now = yield* DateTime.now
      // From the second round on, some of the rows exist already.
      const told = yield* Effect.forEach([0, 1, 2], (round) =>
        Effect.forEach(
          endpoints.flatMap((one, place) =>
            [0, 20, 90].flatMap((minutes) =>
              (place + minutes / 10 + round) % 2 === 0 ? [[one, place, minutes] as const] : []
            )
          ),
          ([{ endpoint, lease }, place, minutes]) =>
            Effect.map(
              attempt(endpoint, lease, {
                accepted: place % 3 !== 1,
                duration_ms: 7 * (place + minutes),
                last,
                ago: Duration.minutes(minutes)
              }),
              (one) => ({ ...one, endpoint_id: endpoint.id })
            ),
          { concurrency: "unbounded" }
        ))
      for (const { club, endpoint } of endpoints) {
        const own = told.flat().filter(({ endpoint_id }) => endpoint_id === endpoint.id)
        const { points } = yield* reads.of(club, endpoint.id, "24h")
        const counted = points.map(({ attempts, failed, given_up }) => ({ attempts, failed, given_up }))
        const expected = naive(own, "24h", now, "UTC").map(({ attempts, failed, given_up }) => ({
          attempts,
          failed,
          given_up
        }))
        assert.deepStrictEqual(counted, expected)
        for (const [step, { durations }] of naive(own, "24h", now, "UTC").entries()) {
          const [shortest] = durations
          if (durations.length !== 1 || shortest === undefined) continue
          const [least, most] = boundsOf(shortest)
          assert.isAtLeast(points[step]?.p50_ms ?? -1, least)
          assert.isAtMost(points[step]?.p50_ms ?? Infinity, most)
        }
      }
    }))

  it.effect.each([0, 1])(
    "count what somebody else counted while a statement waited for the lane, after %i",
    (before) =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const reads = yield* SeriesReads
        const { club, endpoint, lease } = yield* heldEndpoint()
        yield* Effect.replicateEffect(attempt(endpoint, lease, { accepted, duration_ms, last }), before)
        yield* attempt(endpoint, lease, { accepted, duration_ms, last }, (settling) =>
          Effect.gen(function*() {
            const at = DateTime.toDateUtc(DateTime.startOf(yield* DateTime.now, "hour"))
            const counted = yield* Deferred.make<void>()
            const waiting = yield* Deferred.make<void>()
            const first = yield* Effect.forkChild(sql.withTransaction(Effect.gen(function*() {
              yield* sql`select 1 from webhook_lanes where endpoint_id = ${endpoint.id} for update`
              yield* sql`
              insert into webhook_counts as c (club_id, endpoint_id, at, accepted, failed, given_up, under_5)
              values (${club.id}, ${endpoint.id}, ${at}, 2, 0, 0, 2)
              on conflict (at, endpoint_id, club_id) do update set accepted = c.accepted + 2, under_5 = 2`
              yield* Deferred.succeed(counted, undefined)
              yield* Deferred.await(waiting)
            })))
            yield* Deferred.await(counted)
            const second = yield* Effect.forkChild(settling)
            yield* untilBlocked()
            yield* Deferred.succeed(waiting, undefined)
            yield* Fiber.join(first)
            return yield* Fiber.join(second)
          }).pipe(Effect.orDie))
        const { points } = yield* reads.of(club, endpoint.id, "24h")
        assert.deepStrictEqual(points.map(({ attempts }) => attempts).filter((attempts) => attempts > 0), [before + 3])
      })
  )

  it.effect("are removed at the age of the history, and with their endpoint", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const retention = yield* RetentionRepo
      const { endpoint, lease } = yield* heldEndpoint()
      const left = Effect.map(
        sql`select 1 from webhook_counts where endpoint_id = ${endpoint.id}`,
        ({ length }) => length
      )
      const { ended_at } = yield* attempt(endpoint, lease, { accepted, duration_ms, last })
      yield* TestClock.adjust("15 minutes")
      yield* attempt(endpoint, lease, { accepted, duration_ms, last })
      assert.strictEqual(yield* left, 2)
      assert.isAtLeast(yield* retention.removeCounts(ended_at), 1)
      assert.strictEqual(yield* left, 1)
      const now = DateTime.toDateUtc(yield* DateTime.now)
      yield* sql`delete from webhook_deliveries where endpoint_id = ${endpoint.id}`
      yield* sql`
        update webhook_endpoints set deleted_at = ${now}, secret = null where id = ${endpoint.id}`
      yield* retention.removeEndpoints(yield* DateTime.now)
      assert.strictEqual(yield* left, 0)
    }))
})
