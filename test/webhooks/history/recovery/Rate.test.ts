import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { answered, FakeNetwork } from "../../../harness/FakeNetwork.ts"
import { makeDelivery } from "../../../harness/Webhooks.ts"
import { DispatcherLayer, GroundLayer, lasting, pass, still } from "../../engine/dispatch/Engine.ts"
import { makeEnded, progressOf, start, WorkLayer } from "./Started.ts"

const RateLayer = WorkLayer.pipe(Layer.provideMerge(GroundLayer(lasting)))

/** The most of these moments within one second. Moments are in tenths of a second. */
const mostInASecond = (times: ReadonlyArray<number>) =>
  Math.max(0, ...times.map((from) => times.filter((time) => time >= from && time < from + 10).length))

/** A recovery of 60 deliveries at 10 a second. No worker sends for half a minute, as after a kill, then one does. */
const late = Effect.gen(function*() {
  const network = yield* FakeNetwork
  network.posted.length = 0
  network.respond = () => answered(204)
  const endpoint = yield* makeEnded(60)
  const recovery = yield* start(endpoint, 10)
  yield* Effect.repeat(Effect.andThen(recovery.look, pass("100 millis")), { times: 300 })
  yield* Layer.build(Layer.fresh(DispatcherLayer))
  return { endpoint, network, recovery }
})

/**
 * A recovery at 5 a second, newest first, that has moved two deliveries at once. The lane takes the older one first,
 * but the recovery asks for the newer one. This many attempts have failed before, and the receiver answers this status.
 */
const lastFirst = Effect.fnUntraced(function*(failures: number, status: number) {
  const network = yield* FakeNetwork
  network.posted.length = 0
  network.respond = () => answered(status)
  const endpoint = yield* makeEnded(2)
  const recovery = yield* start(endpoint, 5, true)
  while ((yield* progressOf(recovery)).progress.moved < 2) yield* Effect.andThen(pass("1 second"), recovery.look)
  const sql = yield* SqlClient.SqlClient
  yield* sql`update webhook_lanes set consecutive_failures = ${failures} where endpoint_id = ${endpoint.endpoint_id}`
  yield* Layer.build(Layer.fresh(DispatcherLayer))
  yield* still
  return network.posted
})

layer(RateLayer)("The rate of a recovery", (it) => {
  it.effect("is kept to in any second by whoever sends, however much was moved while nobody did", () =>
    Effect.gen(function*() {
      const { network, recovery } = yield* late
      const times: Array<number> = []
      let seen = 0
      for (let tenth = 0; (yield* progressOf(recovery)).status !== "completed"; tenth += 1) {
        yield* still
        for (; seen < network.posted.length; seen += 1) times.push(tenth)
        yield* Effect.andThen(recovery.look, pass("100 millis"))
        assert.isBelow(tenth, 200)
      }
      assert.strictEqual(new Set(network.posted.map(({ headers }) => headers["webhook-id"])).size, 60)
      assert.isAtMost(mostInASecond(times), 10)
      assert.isAtLeast(mostInASecond(times), 8)
    }).pipe(Effect.scoped))

  it.effect("slows nothing else of its endpoint down, and ends with it", () =>
    Effect.gen(function*() {
      const { endpoint, network, recovery } = yield* late
      const before = network.posted.length
      const others = yield* Effect.forEach(Array.from({ length: 40 }), () => makeDelivery(endpoint))
      yield* Effect.repeat(pass("100 millis"), { times: 11 })
      const sent = new Set(network.posted.slice(before).map(({ headers }) => headers["webhook-id"]))
      assert.includeMembers<unknown>([...sent], others.map(({ event_id }) => event_id))
      for (let looks = 0; (yield* progressOf(recovery)).status !== "completed"; looks += 1) {
        yield* Effect.andThen(recovery.look, pass("100 millis"))
        assert.isBelow(looks, 200)
      }
      const sql = yield* SqlClient.SqlClient
      const rates = yield* sql`select recovery_rate from webhook_lanes where endpoint_id = ${endpoint.endpoint_id}`
      assert.deepStrictEqual(rates, [{ recovery_rate: null }])
    }).pipe(Effect.scoped))

  it.effect("is kept to by its first attempt, which does not wait for a hold that the one before it began", () =>
    Effect.gen(function*() {
      const posted = yield* lastFirst(4, 500)
      const sql = yield* SqlClient.SqlClient
      assert.strictEqual(posted.length, 1)
      yield* pass("199 millis")
      assert.strictEqual(posted.length, 1)
      yield* pass("1 millis")
      assert.strictEqual(posted.length, 2)
      assert.lengthOf(yield* sql`select from webhook_lanes where holds = 2`, 1)
    }).pipe(Effect.scoped))

  it.effect("lets its first attempt go as soon as it has tokens again, though nobody wakes the lane", () =>
    Effect.gen(function*() {
      const posted = yield* lastFirst(0, 204)
      assert.strictEqual(posted.length, 1)
      yield* pass("200 millis")
      assert.strictEqual(posted.length, 2)
    }).pipe(Effect.scoped))
})
