import { assert, layer } from "@effect/vitest"
import { ConfigProvider, DateTime, Effect, Fiber, Latch, Layer, Option } from "effect"
import { afterAttempt } from "../../../../src/webhooks/engine/dispatch/AfterAttempt.ts"
import { AttemptCapacity } from "../../../../src/webhooks/engine/dispatch/AttemptCapacity.ts"
import { Attempts } from "../../../../src/webhooks/engine/dispatch/Attempts.ts"
import { normalBreaker } from "../../../../src/webhooks/engine/dispatch/Breaker.ts"
import type { EndedAttempt } from "../../../../src/webhooks/engine/dispatch/EndedAttempt.ts"
import { LaneRunner } from "../../../../src/webhooks/engine/dispatch/LaneRunner.ts"
import { LaneSignal } from "../../../../src/webhooks/engine/dispatch/LaneSignal.ts"
import { LanesRepo } from "../../../../src/webhooks/engine/dispatch/LanesRepo.ts"
import { Lease, type TakenDelivery, type TakeRequest } from "../../../../src/webhooks/engine/dispatch/Lease.ts"
import { EndpointId } from "../../../../src/webhooks/model/EndpointId.ts"
import { AttemptId } from "../../../../src/webhooks/model/WebhookDeliveryId.ts"
import { WebhookRules } from "../../../../src/webhooks/model/WebhookSettings.ts"
import { NoDisabling } from "./Engine.ts"
import { club_id, lane, takenDelivery } from "./Taken.ts"

const endpoint_id = EndpointId.make("019d4860-d9c0-7f21-8b6c-0d1e2f3a4b5d")
const lease_id = Lease.fields.lease_id.make("019d4860-d9c0-7f21-8b6c-0d1e2f3a4b5e")

const first = takenDelivery("0", "schedule")
/** Its trigger does not show if a person or a recovery asked for it. */
const recovered = takenDelivery("1", "recover")

/** Four attempts have failed: one more failure holds the endpoint. */
const breaker = { ...normalBreaker, consecutive_failures: 4 }

const failed = (delivery: TakenDelivery, at: DateTime.Utc): EndedAttempt => ({
  delivery,
  attempt: {
    id: AttemptId.make("019d4860-d9c0-7f21-8b6c-0d1e2f3a4b6f"),
    started_at: at,
    ended_at: at,
    duration_ms: 1,
    status_code: 500,
    error: "http_status",
    response_body: null,
    retry_after_seconds: null,
    phases: null,
    connection_reused: null,
    peer: null,
    signature: null
  },
  after: afterAttempt(delivery, false, at, Option.none())
})

/** During the second read of the lane, the first attempt fails and holds the endpoint. */
const stage = () => {
  const asked: Array<TakeRequest> = []
  const started: Array<TakenDelivery> = []
  const [answers, settled] = [Latch.makeUnsafe(), Latch.makeUnsafe()]
  const signal = new LaneSignal()
  const reads = [
    Effect.succeed([first]),
    Effect.as(Effect.andThen(answers.open, settled.await), [recovered]),
    Effect.succeed([])
  ]
  const LanesLayer = Layer.mock(LanesRepo, {
    take: (request) => {
      const read = reads[asked.length] ?? Effect.succeed([])
      asked.push(request)
      return Effect.map(read, (deliveries) => Option.some({ lane: { ...lane, ...breaker }, deliveries }))
    },
    settle: () => Effect.as(settled.open, true),
    release: () => Effect.succeed(true)
  })
  const AttemptsLayer = Layer.mock(Attempts, {
    secretsOf: () => () => Effect.succeed({ secrets: [], keys: [] }),
    headersOf: () => () => Effect.succeed({}),
    make: (_, delivery) => {
      started.push(delivery)
      return answers.await.pipe(
        Effect.andThen(DateTime.now),
        Effect.map((at) => failed(delivery, at))
      )
    }
  })
  return { asked, started, signal, layer: Layer.mergeAll(LanesLayer, AttemptsLayer, NoDisabling) }
}

const RulesLayer = WebhookRules.layer.pipe(Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({}))))

layer(RulesLayer)("what a recovery has moved", (it) => {
  it.effect("is not sent where the endpoint became held while it was read", () =>
    Effect.gen(function*() {
      const { asked, layer, signal, started } = stage()
      const runner = yield* LaneRunner.pipe(Effect.provide(LaneRunner.layerNoDeps.pipe(Layer.provide(layer))))
      const dispatcher = {
        capacity: new AttemptCapacity(16),
        isStopping: () => false,
        isAtShare: () => false
      }
      const claimed = { club_id, endpoint_id, lease_id, ...breaker, wakes: "1", breaker_epoch: 0, limits: null }
      yield* signal.wake
      const running = yield* Effect.forkChild(runner.run(claimed, dispatcher, signal))
      yield* Effect.yieldNow
      yield* signal.wake
      yield* Fiber.join(running)
      assert.deepStrictEqual(started.map(({ id }) => id), [first.id])
      assert.deepStrictEqual(asked.map(({ requestedOnly }) => requestedOnly).slice(0, 3), [false, false, true])
    }))
})
