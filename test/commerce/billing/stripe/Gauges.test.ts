import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { measurePending } from "../../../../src/commerce/billing/stripe/StripeGauges.ts"
import { FakeStripe, pass, settle, settleAfter, stripeLayer, subscribedClub, tell } from "./World.ts"

layer(stripeLayer)("The gauge of what waits", (it) => {
  it.effect("shows how long an event was not dealt with, and nothing once it is", () =>
    Effect.gen(function*() {
      const { state } = yield* FakeStripe
      yield* subscribedClub()
      assert.strictEqual(yield* measurePending(), 0)
      state.subscribe(["price_starter"], {})
      yield* Effect.forEach(state.events.splice(0), tell, { discard: true })
      yield* pass(90)
      assert.strictEqual(yield* measurePending(), 90)
      yield* settle
      yield* settleAfter(3600)
      yield* settleAfter(3600)
      assert.strictEqual(yield* measurePending(), 0)
    }))
})
