import { Clock, Context, Duration, Effect, Layer, Option, Schema } from "effect"
import { type Supervised, Supervisor } from "../../platform/processes/Supervisor.ts"
import { Redis, script } from "../../platform/redis/Redis.ts"
import { redisSettings } from "../../platform/redis/RedisSettings.ts"
import { makeFixedWindows, memoryCapacity, type TakeResult } from "./FixedWindows.ts"
import { askForWindows } from "./SupervisedWindows.ts"

/** An accepted request: `remaining` more may follow until the window closes in `reset_seconds` (at least 1). */
export interface Allowance {
  readonly limit: number
  readonly remaining: number
  readonly reset_seconds: number
}

/** The window is used up and closes in `reset_seconds`: at least 1, at most the window. */
export class RateLimitExceeded extends Schema.TaggedError<RateLimitExceeded>()("RateLimitExceeded", {
  limit: Schema.Int,
  reset_seconds: Schema.Int
}) {}

/** The counter cannot be reached. The caller decides what happens then. */
export class CounterUnavailable extends Schema.TaggedError<CounterUnavailable>()("CounterUnavailable", {
  detail: Schema.String
}) {
  override get message(): string {
    return this.detail
  }
}

/** One window: `scope` says what is counted, `key` whose it is. A scope always comes with the same `window`. */
export interface Consumption {
  readonly scope: string
  readonly key: string
  readonly limit: number
  readonly window: Duration.Duration
}

const resultOf = ({ limit }: Consumption, { accepted, closes_in, used }: TakeResult) => {
  const reset_seconds = Math.max(1, Math.ceil(closes_in / 1000))
  return accepted
    ? Effect.succeed<Allowance>({ limit, remaining: Math.max(0, limit - used), reset_seconds })
    : Effect.fail(new RateLimitExceeded({ limit, reset_seconds }))
}

// The scope's length distinguishes ("a:b", "c") from ("a", "b:c").
const windowId = (scope: string, key: string) => `${scope.length}:${scope}:${key}`

// A key without expiry does not come from this script, so it is not a window.
const takeScript = script(`
local closes_in = redis.call("pttl", KEYS[1])
if closes_in < 0 then
  redis.call("set", KEYS[1], 1, "px", ARGV[2])
  return {1, 1, tonumber(ARGV[2])}
end
local used = tonumber(redis.call("get", KEYS[1]))
if used >= tonumber(ARGV[1]) then
  return {0, used, closes_in}
end
return {1, redis.call("incr", KEYS[1]), closes_in}
`)

// A window that has closed meanwhile must not be opened by this.
const giveBackScript = script(`
if redis.call("pttl", KEYS[1]) > 0 and tonumber(redis.call("get", KEYS[1])) > 0 then
  redis.call("decr", KEYS[1])
end
return 0
`)

const unavailable = (error: { readonly message: string }) => new CounterUnavailable({ detail: error.message })

const decodeReply = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Literals([0, 1]), Schema.Int, Schema.Int]))

/** Accepts exactly `limit` requests per fixed window; the window opens with its first request (contract, Limits). */
export class RateLimiter extends Context.Service<RateLimiter, {
  /** Takes one from the window. A refused request neither counts nor lengthens the wait. */
  consume(options: Consumption): Effect.Effect<Allowance, RateLimitExceeded | CounterUnavailable>
  /** Takes back one counted request, for example after a successful sign-in. */
  giveBack(scope: string, key: string): Effect.Effect<void, CounterUnavailable>
  /** True if counting works now, for the readiness check. */
  readonly check: Effect.Effect<void, CounterUnavailable>
}>()("turma/identity/limits/RateLimiter") {
  /** Counters in this process alone. */
  static readonly layerMemory = Layer.sync(RateLimiter, () => {
    const windows = makeFixedWindows(memoryCapacity)
    return RateLimiter.of({
      consume: Effect.fnUntraced(function*(options) {
        const now = Number(yield* Clock.monotonicTimeNanos) / 1e6
        const id = windowId(options.scope, options.key)
        return yield* resultOf(options, windows.take(now, id, options.limit, Duration.toMillis(options.window)))
      }),
      giveBack: (scope, key) =>
        Effect.map(Clock.monotonicTimeNanos, (nanos) => windows.giveBack(Number(nanos) / 1e6, windowId(scope, key))),
      check: Effect.void
    })
  })

  /** Counters in Redis, shared by every process that uses it. */
  static readonly layerRedis = Layer.effect(
    RateLimiter,
    Effect.gen(function*() {
      const redis = yield* Redis
      const keyOf = (scope: string, key: string) => `turma:limit:${windowId(scope, key)}`
      return RateLimiter.of({
        consume: Effect.fnUntraced(function*(options) {
          const { key, limit, scope, window } = options
          const [accepted, used, closes_in] = yield* redis.run(
            takeScript,
            [keyOf(scope, key)],
            [limit, Duration.toMillis(window)]
          ).pipe(Effect.flatMap(decodeReply), Effect.mapError(unavailable))
          return yield* resultOf(options, { accepted: accepted === 1, used, closes_in })
        }),
        giveBack: (scope, key) =>
          Effect.asVoid(Effect.mapError(redis.run(giveBackScript, [keyOf(scope, key)], []), unavailable)),
        // A replica that only reads and a full Redis answer a PING, and count nothing.
        check: Effect.asVoid(Effect.mapError(redis.send("SET", "turma:limit:check", 1, "PX", 1000), unavailable))
      })
    })
  )

  /** Counters that the supervisor of this process keeps for all of its processes. */
  static readonly layerSupervised = (supervisor: Supervised) =>
    Layer.sync(RateLimiter, () => {
      const windows = askForWindows(supervisor)
      return RateLimiter.of({
        consume: Effect.fnUntraced(function*(options) {
          const { key, limit, scope, window } = options
          const taken = windows.take(windowId(scope, key), limit, Duration.toMillis(window))
          return yield* resultOf(options, yield* Effect.mapError(taken, unavailable))
        }),
        giveBack: (scope, key) => Effect.mapError(windows.giveBack(windowId(scope, key)), unavailable),
        check: Effect.void
      })
    })

  /** In this process where it is the only one of its command. */
  private static readonly layerLocal = Layer.unwrap(Effect.map(
    Supervisor,
    (supervisor) => supervisor === undefined ? this.layerMemory : this.layerSupervised(supervisor)
  ))

  /** In Redis where `REDIS_URL` is set, otherwise in this process or its supervisor. */
  static readonly layer = Layer.unwrap(Effect.map(
    redisSettings.REDIS_URL.read,
    Option.match({
      onNone: () => this.layerLocal,
      onSome: (url) => Layer.provide(this.layerRedis, Redis.layer(url))
    })
  ))
}

/** True if several commands count together. Without it, a process of `ROLE=api` should warn when it starts. */
export const countersAreShared = Effect.map(redisSettings.REDIS_URL.read, Option.isSome)
