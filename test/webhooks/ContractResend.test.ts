import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { send } from "../harness/App.ts"
import { foundOnSaturday, idsIn, list, owedNow, register, sendTest, WebhooksLayer } from "./Registering.ts"

// Http-surface, Conventions: Idempotency-Key.

layer(WebhooksLayer)("Resending", (it) => {
  it.effect("answers the same for a request that is repeated with its Idempotency-Key", () =>
    Effect.gen(function*() {
      const endpoint = yield* register(yield* foundOnSaturday)
      yield* sendTest(endpoint)
      const [id] = idsIn(yield* list(endpoint))
      const resent = send("POST", `${endpoint.path}/deliveries/${String(id)}/resend`, {
        token: endpoint.token,
        headers: { "idempotency-key": "resend-1" }
      })
      const [first, again] = [yield* resent, yield* resent]
      assert.deepStrictEqual([first.status, again.status], [202, 202])
      assert.strictEqual(again.text, first.text)
      assert.strictEqual(again.headers["idempotency-replayed"], "true")
      assert.lengthOf(yield* owedNow(endpoint), 1)
    }))
})
