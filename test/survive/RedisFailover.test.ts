import { assert, layer } from "@effect/vitest"
import { Clock, Context, Effect, Layer, Redacted } from "effect"
import { Redis } from "../../src/platform/redis/Redis.ts"
import { eventually } from "../harness/Eventually.ts"
import { startRedis } from "../harness/Redis.ts"
import { startWay } from "./Way.ts"

const redisOn = (url: string) =>
  Effect.map(Layer.build(Layer.fresh(Redis.layer(Redacted.make(url)))), (context) => Context.get(context, Redis))

const isOk = (redis: Redis["Service"]) =>
  Effect.match(redis.send("INCR", "counter"), { onSuccess: () => true, onFailure: () => false })

layer(Layer.empty, { excludeTestServices: true, timeout: "60 seconds" })(
  "When a Redis is no primary any more",
  (it) => {
    it.effect("its connection is left, and the next one goes to who has the address by then", () =>
      Effect.gen(function*() {
        const [old, next] = [yield* startRedis(), yield* startRedis()]
        const way = yield* startWay(old.port)
        const redis = yield* redisOn(`redis://127.0.0.1:${way.port}`)
        assert.isTrue(yield* isOk(redis))
        yield* redis.send("REPLICAOF", "127.0.0.1", next.port)
        const refused = yield* Effect.flip(redis.send("INCR", "counter"))
        assert.match(refused.detail, /^READONLY/)
        yield* way.moveTo(next.port)
        const from = yield* Clock.currentTimeMillis
        yield* eventually(Effect.delay(isOk(redis), "20 millis"), (ok) => ok)
        assert.isBelow((yield* Clock.currentTimeMillis) - from, 5_000)
      }))
  }
)
