import { Context, Duration, Effect, Layer } from "effect"
import type { HttpServerRequest } from "effect/http"
import { ClientAddress } from "../../identity/limits/ClientAddress.ts"
import { limitSettings } from "../../identity/limits/LimitSettings.ts"
import { RateLimited } from "../../identity/limits/RateLimit.ts"
import { RateLimiter } from "../../identity/limits/RateLimiter.ts"
import { WriteCounters } from "../../identity/limits/WriteCounters.ts"
import { retryAfter } from "../../platform/http/RetryAfter.ts"
import type { InternalSecret } from "./InternalSecret.ts"

const policy = "internal-secret"

/** Counts what is presented as `INTERNAL_SECRET`, at all doors together. */
export class SecretGuesses extends Context.Service<SecretGuesses, {
  /**
   * True if this is the secret. A wrong one is counted against the request's IP address. `RateLimited`: as many were wrong as
   * `RATE_LIMIT_CREDENTIALS` allows in a minute, so the right one is refused too.
   */
  isIt(
    secret: InternalSecret,
    presented: string
  ): Effect.Effect<boolean, RateLimited, HttpServerRequest.HttpServerRequest>
}>()("turma/operations/telemetry/SecretGuesses") {
  static readonly layer = Layer.effect(
    SecretGuesses,
    Effect.gen(function*() {
      const address = yield* ClientAddress
      const counters = yield* WriteCounters
      const alone = yield* RateLimiter
      const limit = yield* limitSettings.RATE_LIMIT_CREDENTIALS.read

      // Operators look while Redis is away, so this process counts by itself then.
      const countAlone = (key: string) =>
        alone.consume({ scope: policy, key, limit, window: Duration.minutes(1) }).pipe(
          Effect.as(Effect.ignore(alone.giveBack(policy, key))),
          Effect.catchTags({
            CounterUnavailable: Effect.die,
            RateLimitExceeded: ({ reset_seconds }) =>
              Effect.andThen(retryAfter(reset_seconds), Effect.fail(new RateLimited()))
          })
        )

      /** Ends with what takes it back. */
      const count = (key: string) =>
        counters.count(policy, key).pipe(
          Effect.as(counters.giveBack(policy, key)),
          Effect.catchTag("CounterUnavailable", () => countAlone(key))
        )

      return SecretGuesses.of({
        // Counted before it is looked at: otherwise the answer would tell which guess is right, however many there were.
        isIt: Effect.fn("SecretGuesses.isIt")(function*({ isIt }: InternalSecret, presented: string) {
          const takeBack = yield* Effect.flatMap(address.key, count)
          if (!isIt(presented)) return false
          yield* takeBack
          return true
        })
      })
    })
  ).pipe(Layer.provide(RateLimiter.layerMemory))
}
