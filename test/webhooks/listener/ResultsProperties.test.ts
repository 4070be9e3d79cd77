import { assert, layer } from "@effect/vitest"
import { DateTime, Duration, Effect, Layer, Option, Schema } from "effect"
import { TestClock } from "effect/testing"
import { Partitions } from "../../../src/platform/sql/Partitions.ts"
import { Endpoints } from "../../../src/webhooks/endpoint/Endpoints.ts"
import { Deliveries } from "../../../src/webhooks/history/delivery/Deliveries.ts"
import { readReceipt } from "../../../src/webhooks/listener/Listener.ts"
import { ListenerResults } from "../../../src/webhooks/listener/ListenerResults.ts"
import { Listeners } from "../../../src/webhooks/listener/Listeners.ts"
import { appLayer } from "../../harness/App.ts"
import { attemptRows, deliveryRow, makeDelivery } from "../../harness/Webhooks.ts"
import { attempted, cancel, created, type DeliveryState, recover, resend } from "../engine/dispatch/DeliveryMachine.ts"
import { foundOnSaturday } from "../Registering.ts"
import { type Listening, startListening } from "./Listening.ts"

// Results of a delivery arrive in any order, late and repeated. Its row always has the state of the machine.

const minute = Duration.minutes(1)
const TestLayer = Partitions.layer
  .pipe(Layer.provideMerge(appLayer({ WEBHOOK_RETRY_SCHEDULE: "1 minute,1 minute", WEBHOOK_RETRY_JITTER: "0" })))

const Step = Schema.Union([
  Schema.Struct({ do: Schema.Literals(["poll", "poll", "poll", "resend", "recover", "disable"]) }),
  Schema.Struct({
    do: Schema.Literals(["tell", "tell"]),
    accepted: Schema.Literals([true, false, false, false]),
    /** The receipt to use, counted back from the newest one. */
    back: Schema.Literals([0, 0, 0, 1, 2])
  })
])
type Step = typeof Step.Type
const Steps = Schema.Array(Step).check(Schema.isMinLength(10), Schema.isMaxLength(40))

type Made = Effect.Success<ReturnType<typeof makeDelivery>>

/** One delivery of a listener, and the state of the machine for it. */
class Played {
  state: DeliveryState
  readonly receipts: Array<string> = []
  readonly listener: Listening
  readonly delivery: Made

  constructor(listener: Listening, delivery: Made, at: DateTime.Utc) {
    this.listener = listener
    this.delivery = delivery
    this.state = created(at)
  }

  /** True if a result with this receipt belongs to an attempt without a result. */
  counts(receipt: string, now: DateTime.Utc) {
    const { attempts_count, finished_at, next_attempt_at, status } = this.state
    const isNext = Option.exists(readReceipt(receipt), (read) => read.attempts_count === attempts_count)
    const leftSoon = status === "canceled" && finished_at !== null &&
      DateTime.isLessThan(now, DateTime.add(finished_at, { hours: 1 }))
    return isNext && (next_attempt_at !== null || leftSoon)
  }

  told(receipt: string, accepted: boolean, at: DateTime.Utc) {
    const { once, step } = this.state
    const wait = once || step + 1 >= 3 ? Option.none<Duration.Duration>() : Option.some(minute)
    const { trigger } = Option.getOrThrow(readReceipt(receipt))
    this.state = attempted(this.state, { trigger, accepted, at, wait })
  }
}

const play = Effect.fnUntraced(function*(played: Played, step: Step) {
  const { delivery, listener } = played
  const { club_id, endpoint_id } = listener
  const listeners = yield* Listeners
  const results = yield* ListenerResults
  const deliveries = yield* Deliveries
  const endpoints = yield* Endpoints
  yield* TestClock.adjust("40 seconds")
  const now = yield* DateTime.now
  switch (step.do) {
    case "poll": {
      const { deliveries: handed } = yield* listeners.poll({ club_id, endpoint_id }, listener.club.owner.id, {
        limit: 10,
        wait: 0
      })
      const { next_attempt_at } = played.state
      const isDue = next_attempt_at !== null && DateTime.isLessThanOrEqualTo(next_attempt_at, now)
      assert.strictEqual(handed.length, isDue ? 1 : 0)
      for (const { receipt } of handed) played.receipts.push(receipt)
      return
    }
    case "tell": {
      const receipt = played.receipts.at(-1 - step.back)
      if (receipt === undefined) return
      const counts = played.counts(receipt, now)
      const status_code = step.accepted ? 200 : 500
      const result = { delivery_id: delivery.id, receipt, status_code, error: null, duration_ms: 1 }
      const { recorded } = yield* results.record({ club_id, endpoint_id }, [result])
      assert.strictEqual(recorded, counts ? 1 : 0)
      if (counts) played.told(receipt, step.accepted, now)
      return
    }
    case "resend":
      yield* deliveries.resend(club_id, endpoint_id, delivery.id)
      played.state = resend(played.state, now)
      return
    case "recover":
      yield* deliveries.recover({ id: club_id, time_zone: "UTC" }, endpoint_id, DateTime.subtract(now, { days: 1 }))
      played.state = recover(played.state, now)
      return
    case "disable":
      yield* endpoints.patch(club_id, endpoint_id, { status: "disabled" })
      yield* endpoints.patch(club_id, endpoint_id, { status: "enabled" })
      played.state = cancel(played.state, "endpoint_disabled", now)
  }
})

layer(TestLayer)("The results of a delivery", (it) => {
  it.effect.prop(
    "makes of it what the machine of deliveries says, each receipt once",
    { steps: Steps },
    ({ steps }) =>
      Effect.gen(function*() {
        const listener = yield* startListening(yield* foundOnSaturday)
        const played = new Played(listener, yield* makeDelivery(listener), yield* DateTime.now)
        for (const step of steps) {
          yield* play(played, step)
          const { attempts_count, cancel_reason, finished_at, next_attempt_at, once, rung, status, trigger } =
            yield* deliveryRow(played.delivery.id)
          const { body_erased: _, ...state } = played.state
          assert.deepStrictEqual(
            { attempts_count, cancel_reason, finished_at, next_attempt_at, once, step: rung, status, trigger },
            state
          )
        }
        const numbers = (yield* attemptRows(played.delivery.id)).map(({ number }) => number)
        assert.deepStrictEqual(numbers, Array.from({ length: played.state.attempts_count }, (_, index) => index + 1))
      }),
    { arbitrary: { runs: 40 } }
  )
})
