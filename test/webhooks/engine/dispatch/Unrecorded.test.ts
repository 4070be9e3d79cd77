import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { mostUnrecorded } from "../../../../src/webhooks/engine/dispatch/LaneProgress.ts"
import { eventually } from "../../../harness/Eventually.ts"
import { FakeNetwork } from "../../../harness/FakeNetwork.ts"
import { makeClub } from "../../../harness/Makers.ts"
import { deliveryRow, makeDelivery, makeEndpoint } from "../../../harness/Webhooks.ts"
import { engineLayer, pass, soon } from "./Engine.ts"

const count = 400
const atOnce = 16

layer(engineLayer())("While no attempt can be recorded", (it) => {
  it.effect("a lane sends no more than it may have to send again, and all of the rest afterwards, once each", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const network = yield* FakeNetwork
      const [held, done] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const endpoint = yield* makeEndpoint(yield* makeClub())
      const deliveries = yield* Effect.forEach(Array.from({ length: count }), () => makeDelivery(endpoint))
      const holder = yield* Effect.forkChild(sql.withTransaction(sql`lock table webhook_attempts in share mode`.pipe(
        Effect.andThen(Deferred.succeed(held, undefined)),
        Effect.andThen(Deferred.await(done))
      )))
      yield* Deferred.await(held)
      // This second ends only after the lock.
      const passing = yield* Effect.forkChild(pass("1 second"))
      const sent = Effect.promise(async () => {
        const before = network.posted.length
        await new Promise((resolve) => setTimeout(resolve, 500))
        return { before, after: network.posted.length }
      })
      const { after } = yield* eventually(
        sent,
        ({ after, before }) => after === before && after >= mostUnrecorded
      )
      assert.isAtMost(after, mostUnrecorded + atOnce)
      yield* Deferred.succeed(done, undefined)
      yield* Fiber.joinAll([holder, passing])
      yield* eventually(pass("1 second"), () => network.posted.length >= count)
      yield* Effect.forEach(deliveries, ({ id }) => soon(deliveryRow(id), ({ status }) => status === "succeeded"))
      assert.strictEqual(network.posted.length, count)
    }))
})
