import { assert, describe, layer } from "@effect/vitest"
import { Clock, ConfigProvider, DateTime, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { Mailer } from "../../../../src/platform/mail/Mailer.ts"
import { Disabling, disablingLayer, FailingEndpointsLayer } from "../../../../src/webhooks/endpoint/Disabling.ts"
import { WebhookRules } from "../../../../src/webhooks/model/WebhookSettings.ts"
import { type Outage, runOutage, waitsOf } from "../../../../src/webhooks/workbench/outage/outageRun.ts"
import { answered, FakeNetwork } from "../../../harness/FakeNetwork.ts"
import { makeClub } from "../../../harness/Makers.ts"
import { Stillness } from "../../../harness/Stillness.ts"
import {
  attemptRows,
  deliveryRow,
  laneRow,
  type MadeEndpoint,
  makeDelivery,
  makeEndpoint
} from "../../../harness/Webhooks.ts"
import { dispatcherLayer, engineLayer, GroundLayer, lasting, still } from "../../engine/dispatch/Engine.ts"

// The simulation gives the same results as the engine with its own database and clock.

const minutes = (count: number) => count * 60_000

/** The most delay of the engine, which looks every second. */
const late = 1000

const never = Number.POSITIVE_INFINITY

/** When the endpoint's lane is due, after its release. */
const dueAt = (endpoint: MadeEndpoint) =>
  Effect.map(laneRow(endpoint), ({ due_at }) => due_at?.epochMilliseconds ?? never)

/** An open attempt, and the effect that ends it. */
interface Open {
  readonly ends: number
  readonly end: Effect.Effect<boolean>
}

/** Makes events at these moments. Until `to` the receiver accepts nothing. Returns the attempts and the end of each. */
const lived = Effect.fnUntraced(function*(
  arrivals: ReadonlyArray<number>,
  { retryAfter, takes, to }: Outage,
  disabledAt: number | null
) {
  const network = yield* FakeNetwork
  const endpoint = yield* makeEndpoint(yield* makeClub())
  const made: Array<Effect.Success<ReturnType<typeof makeDelivery>>> = []
  const open: Array<Open> = []
  let isUp = false
  const refused = answered(503, retryAfter === null ? {} : { retry_after: String(retryAfter / 1000) })
  network.respond = () => isUp ? answered(200) : takes === 0 ? refused : undefined
  for (let steps = 0; steps < 5000; steps++) {
    const now = yield* Clock.currentTimeMillis
    const arrival = arrivals[made.length] ?? never
    const due = yield* dueAt(endpoint)
    // The look of the next second finds deliveries that are due already, or become due during attempts.
    const look = due <= now || open.length > 0 ? now + 1000 : due
    const turns = [to, disabledAt ?? never].filter((at) => at > now)
    const next = Math.min(arrival, look, open[0]?.ends ?? never, ...turns)
    if (next === never) break
    yield* TestClock.setTime(next)
    isUp = next >= to
    if (next === arrival) made.push(yield* makeDelivery(endpoint))
    yield* Effect.forEach(open.splice(0, open.filter(({ ends }) => ends <= next).length), ({ end }) => end)
    yield* still
    for (const { answer, ended } of network.posted.splice(0)) {
      if (!(yield* ended)) open.push({ ends: next + takes, end: answer(refused) })
    }
  }
  return yield* Effect.forEach(
    made,
    ({ id }) =>
      Effect.zipWith(deliveryRow(id), attemptRows(id), ({ status }, attempts) => ({
        status,
        attempts: attempts.map(({ started_at }) => DateTime.toEpochMillis(started_at))
      }))
  )
})

/** The length of an outage, and the interval between two events. */
interface Given extends Partial<Pick<Outage, "retryAfter" | "takes">> {
  readonly minutes: number
  readonly interval: number
}

/** Checks that the simulation and the engine have the same results. */
const isLived = Effect.fnUntraced(function*({ interval, minutes: long, retryAfter = null, takes = 0 }: Given) {
  yield* still
  const rules = yield* WebhookRules
  const from = (yield* Clock.currentTimeMillis) + minutes(1)
  const outage = { from, to: from + minutes(long), interval: minutes(interval), takes, retryAfter }
  const course = runOutage(outage, rules, yield* waitsOf(rules, retryAfter))
  const { disabledAt, journeys } = course
  const network = yield* FakeNetwork
  network.posted.length = 0
  const real = yield* lived(journeys.map(({ created }) => Math.ceil(created)), outage, disabledAt)
  assert.deepStrictEqual(
    real.map(({ attempts, status }) => [status === "succeeded" ? "delivered" : status, attempts.length]),
    journeys.map(({ attempts, outcome }) => [outcome, attempts.length])
  )
  for (const [place, { attempts }] of journeys.entries()) {
    for (const [number, at] of attempts.entries()) {
      assert.closeTo(real[place]?.attempts[number] ?? 0, at, late, `attempt ${number + 1} of event ${place + 1}`)
    }
  }
  return course
})

const outages = [
  ["shorter than a hold", { minutes: 4, interval: 0.7 }],
  ["of an afternoon", { minutes: 200, interval: 13 }],
  ["of an afternoon, with one event", { minutes: 200, interval: 500 }],
  ["of two days", { minutes: 2880, interval: 311 }],
  ["in which answers ask to wait", { minutes: 90, interval: 17, retryAfter: minutes(45) }]
] as const

/** The engine with the disabling of endpoints, which also looks every second. */
const disablingEngine = Layer.merge(
  dispatcherLayer(FailingEndpointsLayer),
  Stillness.driven(disablingLayer({ every: "1 second" }).pipe(Layer.provide(Disabling.layer)))
).pipe(
  Layer.provide(Mailer.layer),
  Layer.provideMerge(GroundLayer({ ...lasting, WEBHOOK_RETRY_JITTER: "0" })),
  Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ PUBLIC_URL: "https://turma.example" })))
)

describe("What is simulated is what the engine does in an outage", () => {
  layer(engineLayer({ WEBHOOK_RETRY_JITTER: "0" }))((it) => {
    it.effect.each(outages)("%s", ([, outage]) => isLived(outage))
  })

  layer(engineLayer({ WEBHOOK_RETRY_JITTER: "0", WEBHOOK_LANE_CONCURRENCY: "3" }))((it) => {
    it.effect("in which nothing answers, so that attempts take every slot of the lane for 15 seconds", () =>
      Effect.gen(function*() {
        const network = yield* FakeNetwork
        network.open.most = 0
        yield* isLived({ minutes: 4, interval: 0.05, takes: 15_000 })
        assert.strictEqual(network.open.most, 3)
      }))
  })

  layer(disablingEngine)((it) => {
    it.effect("of six days, after five of which the endpoint is disabled", () =>
      Effect.gen(function*() {
        const { disabledAt, journeys } = yield* isLived({ minutes: 6 * 24 * 60, interval: 487 })
        assert.isNotNull(disabledAt)
        assert.deepStrictEqual(new Set(journeys.map(({ outcome }) => outcome)), new Set(["failed", "canceled"]))
      }))
  })
})
