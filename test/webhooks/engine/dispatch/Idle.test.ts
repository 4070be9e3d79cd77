import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { FakeNetwork } from "../../../harness/FakeNetwork.ts"
import { makeClub } from "../../../harness/Makers.ts"
import { warmPool } from "../../../harness/Pool.ts"
import { SpansLayer, traced } from "../../../harness/Statements.ts"
import { whileHeld } from "../../../harness/Waiting.ts"
import { makeDelivery, makeEndpoint } from "../../../harness/Webhooks.ts"
import { DispatcherLayer, GroundLayer, pass, second, soon, still } from "./Engine.ts"

const TestLayer = DispatcherLayer.pipe(Layer.provideMerge(GroundLayer()), Layer.provideMerge(SpansLayer))

/** How often the dispatcher looks for lanes while this time passes. */
const looksIn = (millis: number) =>
  Effect.map(
    traced(pass(millis)),
    ([, spans]) => spans.filter(({ name }) => name === "LanesRepo.claim").length
  )

layer(TestLayer)("a dispatcher that finds nothing", (it) => {
  it.effect("looks again after a second", () =>
    Effect.gen(function*() {
      yield* still
      assert.strictEqual(yield* looksIn(999), 0)
      assert.strictEqual(yield* looksIn(1), 1)
    }))

  it.effect("although a lane is due, which somebody has locked, looks again after 50 ms and not before", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { posted } = yield* FakeNetwork
      yield* warmPool
      const endpoint = yield* makeEndpoint(yield* makeClub())
      yield* makeDelivery(endpoint)
      const lock = sql`select from webhook_lanes where endpoint_id = ${endpoint.id} for update`
      yield* whileHeld(
        lock,
        Effect.gen(function*() {
          yield* second
          assert.strictEqual(yield* looksIn(49), 0)
          assert.strictEqual(yield* looksIn(1), 1)
          assert.strictEqual(yield* looksIn(49), 0)
          assert.strictEqual(yield* looksIn(1), 1)
        })
      )
      assert.deepStrictEqual(posted, [])
      yield* soon(Effect.sync(() => posted.length), (count) => count === 1)
    }))
})
