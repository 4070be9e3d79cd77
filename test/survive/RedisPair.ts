import { Context, Effect, Layer, Redacted } from "effect"
import { Redis } from "../../src/platform/redis/Redis.ts"
import { eventually } from "../harness/Eventually.ts"
import { type OwnRedis, PatientRedisLayer, startRedis } from "../harness/Redis.ts"

/** A connection to the Redis at this address. */
export const redisOn = (url: string) =>
  Effect.map(
    Layer.build(Layer.fresh(Layer.provide(Redis.layer(Redacted.make(url)), PatientRedisLayer))),
    (context) => Context.get(context, Redis)
  )

const started = Effect.fnUntraced(function*(options?: { readonly port?: number }) {
  const server: OwnRedis = yield* startRedis(options)
  const redis = yield* redisOn(server.url)
  const keys = (pattern: string) =>
    Effect.map(redis.send("KEYS", pattern), (found) => Array.isArray(found) ? found.map(String) : [])
  return {
    ...server,
    redis,
    /** The count of the only key in this scope. */
    count: Effect.fnUntraced(function*(scope: string) {
      const [key = ""] = yield* keys(`turma:limit:*:${scope}:*`)
      return Number(yield* redis.send("GET", key))
    }),
    /** Keeps the counts: a busy machine may need more than the minute after which they expire. */
    keepCounts: Effect.gen(function*() {
      for (const key of yield* keys("turma:limit:*:*")) yield* redis.send("PEXPIRE", key, 600_000)
    }),
    /** Makes it a replica of the Redis at this port, and ends once it has all data. */
    follow: Effect.fnUntraced(function*(port: number) {
      // It loads into memory, without a file.
      yield* redis.send("CONFIG", "SET", "repl-diskless-load", "swapdb")
      yield* redis.send("REPLICAOF", "127.0.0.1", port)
      yield* eventually(
        Effect.delay(redis.send("INFO", "replication"), "50 millis"),
        (info) => String(info).includes("master_link_status:up")
      )
    }),
    promote: redis.send("REPLICAOF", "NO", "ONE")
  }
})

/** Starts a Redis and a replica of it. */
export const startRedisPair = Effect.gen(function*() {
  const primary = yield* started()
  const replica = yield* started()
  for (const { redis } of [primary, replica]) yield* redis.send("CONFIG", "SET", "repl-diskless-sync-delay", 0)
  yield* replica.follow(primary.port)
  return {
    primary,
    replica,
    /** Starts the stopped primary again, empty and as a replica of the other Redis. */
    comeBack: Effect.tap(started({ port: primary.port }), (back) => back.follow(replica.port))
  }
})
