import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { Sealing } from "../../../../src/platform/sql/Sealing.ts"
import { Attempts } from "../../../../src/webhooks/engine/dispatch/Attempts.ts"
import { WebhookRules } from "../../../../src/webhooks/model/WebhookSettings.ts"
import { answered, FakeNetwork } from "../../../harness/FakeNetwork.ts"
import { club_id, lane, takenDelivery } from "./Taken.ts"

const AttemptsLayer = Attempts.layer.pipe(
  Layer.provide([WebhookRules.layer, Sealing.layer]),
  Layer.provideMerge(FakeNetwork.layer),
  Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({
    APP_SECRET_KEY: Buffer.alloc(32, 7).toString("base64")
  })))
)

layer(AttemptsLayer)("an attempt during which its process stood still for 26 days", (it) => {
  it.effect("is kept as long as its row can say", () =>
    Effect.gen(function*() {
      const network = yield* FakeNetwork
      network.respond = () => undefined
      const { make } = yield* Attempts
      const noSigners = () => Effect.succeed({ secrets: [], keys: [] })
      const attempt = yield* Effect.forkChild(
        make(lane, takenDelivery("0", "schedule"), noSigners, () => Effect.succeed({}), club_id),
        { startImmediately: true }
      )
      yield* TestClock.adjust("26 days")
      for (const { answer } of network.posted) yield* answer(answered(204))
      const { attempt: { duration_ms } } = yield* Fiber.join(attempt)
      assert.strictEqual(duration_ms, 2_147_483_647)
    }))
})
