import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { outcome, send } from "../../harness/App.ts"
import { fieldsOf, patch, type Registered, setStatus } from "../Registering.ts"
import { ago, makeDelivery, saturday } from "../retention/Rows.ts"
import { RecoveringLayer, registered, settle } from "./Recovering.ts"

const read = ({ path, token }: Registered) => send("GET", `${path}/drain`, { token })

const drainNow = (endpoint: Registered) =>
  Effect.map(read(endpoint), (answer) => fieldsOf(answer, "rate", "begun_at", "remaining", "capped"))

const due = { next_attempt_at: DateTime.toDateUtc(ago("1 hours")) }

const none = { rate: null, begun_at: null, remaining: 0, capped: false }

layer(RecoveringLayer, { timeout: "60 seconds" })("The drain of an endpoint that was paused", (it) => {
  it.effect("says how many of what waited then are not sent yet, and nothing of what came since", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      yield* setStatus(endpoint, "paused")
      for (let count = 0; count < 3; count++) yield* makeDelivery(endpoint, ago("1 hours"), due)
      assert.deepStrictEqual<unknown>(yield* drainNow(endpoint), none)
      yield* patch(endpoint, { status: "enabled", drain_rate: 20 })
      yield* TestClock.adjust("1 seconds")
      const later = DateTime.toDateUtc(DateTime.add(saturday, { seconds: 1 }))
      yield* makeDelivery(endpoint, ago("1 minutes"), { next_attempt_at: later })
      const begun_at = DateTime.formatIso(saturday)
      assert.deepStrictEqual<unknown>(yield* drainNow(endpoint), { rate: 20, begun_at, remaining: 3, capped: false })
      yield* settle(endpoint, "succeeded", 2)
      assert.deepStrictEqual<unknown>(yield* drainNow(endpoint), { rate: 20, begun_at, remaining: 1, capped: false })
    }))

  it.effect("is canceled by `drain_rate` null, and ends with a pause", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      for (const end of [{ drain_rate: null }, { status: "paused" }]) {
        yield* setStatus(endpoint, "paused")
        yield* makeDelivery(endpoint, ago("1 hours"), due)
        yield* patch(endpoint, { status: "enabled", drain_rate: 20 })
        yield* patch(endpoint, end)
        assert.deepStrictEqual<unknown>(yield* drainNow(endpoint), none)
      }
    }))

  it.effect("is none of a deleted endpoint", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      yield* send("DELETE", endpoint.path, { token: endpoint.token })
      assert.deepStrictEqual(outcome(yield* read(endpoint)), [404, "not_found"])
    }))
})
