import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { startPair } from "./Failover.ts"
import { startService, toldTwice } from "./Service.ts"
import { startWay } from "./Way.ts"

// Takes long: a database server is lost and another takes over.

const TestLayer = Layer.merge(NodeServices.layer, SecureRandom.layerWebCrypto)

const started = Effect.gen(function*() {
  const pair = yield* startPair
  const way = yield* startWay(pair.primary.port)
  return { pair, way, ...yield* startService({ url: pair.urlAt(way.port) }) }
})

/** Adds students until one is confirmed. Answers the milliseconds that took, and the other statuses. */
const untilConfirmed = Effect.fnUntraced(function*(add: Effect.Effect<number>) {
  const from = yield* Clock.currentTimeMillis
  const others = new Set<number>()
  while (true) {
    const status = yield* add
    if (status === 201) return { millis: (yield* Clock.currentTimeMillis) - from, others: [...others] }
    others.add(status)
    yield* Effect.sleep("50 millis")
  }
})

layer(TestLayer, { concurrent: true, excludeTestServices: true })(
  "When the database's primary is gone and its replica is promoted",
  (it) => {
    it.effect("the service goes on at the new one, though its connections to the old one hang for ever", () =>
      Effect.gen(function*() {
        const { api, club, pair, target, untilTold, way, worker } = yield* started
        for (let count = 0; count < 20; count++) assert.strictEqual(yield* club.add, 201)
        yield* untilTold

        yield* way.lose
        yield* way.moveTo(pair.replica.port)
        yield* pair.primary.kill
        // The address leads to the replica before it is promoted: the replica reads, and refuses writes.
        const first = yield* club.add
        // There are connections for look-ups, writes and short reads. The first request on each finds them broken.
        const [second, third, read] = [yield* club.add, yield* club.read, yield* club.read]
        assert.deepStrictEqual([first, second, third, read], [503, 503, 503, 200])
        yield* pair.replica.promote
        const { millis, others } = yield* untilConfirmed(club.add)
        assert.isBelow(millis, 15_000)
        assert.deepStrictEqual(others.filter((status) => status !== 503), [])
        for (let count = 0; count < 20; count++) assert.strictEqual(yield* club.add, 201)

        // Every confirmed student exists, since the replica had confirmed it too, and has events under one id.
        yield* untilTold
        assert.deepStrictEqual(toldTwice(target), [])
        assert.deepStrictEqual([(yield* api.end()).code, (yield* worker.end()).code], [0, 0])
      }))
  }
)
