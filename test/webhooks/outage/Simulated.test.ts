import { assert, describe, layer } from "@effect/vitest"
import { Clock, DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { WebhookRules } from "../../../src/webhooks/model/WebhookSettings.ts"
import { runOutage, waitsOf } from "../../../src/webhooks/outage/outageRun.ts"
import { answered, FakeNetwork } from "../../harness/FakeNetwork.ts"
import { makeClub } from "../../harness/Makers.ts"
import {
  attemptRows,
  deliveryRow,
  laneRow,
  type MadeEndpoint,
  makeDelivery,
  makeEndpoint
} from "../../harness/Webhooks.ts"
import { engineLayer, still } from "../dispatch/Engine.ts"

// What is simulated is what the engine does, with its own database and clock.

const minutes = (count: number) => count * 60_000

/** The engine looks every second, so it is late by up to one at each of the steps that led to an attempt. */
const late = minutes(1)

/** Goes to this moment, where the engine does what there is to do. */
const goTo = Effect.fnUntraced(function*(millis: number) {
  const now = yield* Clock.currentTimeMillis
  yield* TestClock.adjust(Math.max(0, millis - now))
  yield* still
})

/** When the endpoint's lane is due, once it is given back. */
const dueAt = (endpoint: MadeEndpoint) =>
  Effect.map(laneRow(endpoint), ({ due_at }) => due_at?.epochMilliseconds ?? Number.POSITIVE_INFINITY)

/** Lets events come at these moments while nothing is accepted until `to`; answers the attempts and end of each. */
const lived = Effect.fnUntraced(function*(arrivals: ReadonlyArray<number>, to: number, retryAfter: number | null) {
  const network = yield* FakeNetwork
  const endpoint = yield* makeEndpoint(yield* makeClub())
  const made: Array<Effect.Success<ReturnType<typeof makeDelivery>>> = []
  let isUp = false
  const asked = retryAfter === null ? {} : { retry_after: String(retryAfter / 1000) }
  network.respond = () => isUp ? answered(200) : answered(503, asked)
  for (let steps = 0; steps < 5000; steps++) {
    const arrival = arrivals[made.length] ?? Number.POSITIVE_INFINITY
    const next = Math.min(arrival, yield* dueAt(endpoint), isUp ? Number.POSITIVE_INFINITY : to)
    if (next === Number.POSITIVE_INFINITY) break
    if (next === to && !isUp) {
      yield* goTo(to)
      isUp = true
      continue
    }
    if (next === arrival) {
      yield* goTo(arrival)
      made.push(yield* makeDelivery(endpoint))
    }
    // The dispatcher looks within the second.
    yield* goTo(Math.max(next, yield* Clock.currentTimeMillis) + 1000)
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

const outages = [
  ["shorter than a hold", { minutes: 4, interval: 0.7 }],
  ["of an afternoon", { minutes: 200, interval: 13 }],
  ["of an afternoon, with one event", { minutes: 200, interval: 500 }],
  ["of two days", { minutes: 2880, interval: 311 }],
  ["in which answers ask to wait", { minutes: 90, interval: 17, retryAfter: minutes(45) }]
] as const

describe("What is simulated is what the engine does in an outage", () => {
  layer(engineLayer({ WEBHOOK_RETRY_JITTER: "0" }), { timeout: "120 seconds" })((it) => {
    it.effect.each(outages)("%s", ([, { interval, minutes: long, ...more }]) =>
      Effect.gen(function*() {
        yield* still
        const rules = yield* WebhookRules
        const from = (yield* Clock.currentTimeMillis) + minutes(1)
        const retryAfter = "retryAfter" in more ? more.retryAfter : null
        const outage = { from, to: from + minutes(long), interval: minutes(interval), takes: 0, retryAfter }
        const { journeys } = runOutage(outage, rules, yield* waitsOf(rules, retryAfter))
        const network = yield* FakeNetwork
        network.posted.length = 0
        const real = yield* lived(journeys.map(({ created }) => Math.ceil(created)), outage.to, retryAfter)
        assert.deepStrictEqual(
          real.map(({ attempts, status }) => [status === "succeeded" ? "delivered" : status, attempts.length]),
          journeys.map(({ attempts, outcome }) => [outcome, attempts.length])
        )
        for (const [place, { attempts }] of journeys.entries()) {
          for (const [number, at] of attempts.entries()) {
            assert.closeTo(real[place]?.attempts[number] ?? 0, at, late, `attempt ${number + 1} of event ${place + 1}`)
          }
        }
      }))
  })
})
