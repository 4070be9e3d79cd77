import { Context, Effect, Layer } from "effect"
import type { HttpServerRequest } from "effect/http"
import { createHash } from "node:crypto"
import type { TemporarilyUnavailable } from "../../http/errors.ts"
import { type RateLimited, RateLimitUnavailable } from "../../limits/RateLimit.ts"
import { WriteCounters } from "../../limits/WriteCounters.ts"
import type { Realm } from "../Realm.ts"
import type { IssuedSession } from "../sessions/SessionStore.ts"
import type { EmailNotVerified, InvalidCredentials } from "./Credential.ts"

type SignInFailure = InvalidCredentials | EmailNotVerified | TemporarilyUnavailable

// The counter's keys leave the process, addresses do not.
const keyOf = (realm: Realm, email: string) =>
  createHash("sha256").update(JSON.stringify([realm, email])).digest("base64url")

/**
 * Ten failures per address in 15 minutes, whether or not it has an account, then
 * 429. Each try is counted before the password is looked at, so that tries at
 * once do not slip through together, and the right password clears the count.
 */
export class SignInAttempts extends Context.Service<SignInAttempts, {
  guard<E extends SignInFailure>(
    realm: Realm,
    email: string,
    signIn: Effect.Effect<IssuedSession, E>
  ): Effect.Effect<IssuedSession, E | RateLimited | RateLimitUnavailable, HttpServerRequest.HttpServerRequest>
}>()("turma/auth/SignInAttempts") {
  static readonly layer = Layer.effect(
    SignInAttempts,
    Effect.gen(function*() {
      const counters = yield* WriteCounters
      return SignInAttempts.of({
        guard: (realm, email, signIn) => {
          const key = keyOf(realm, email)
          const count = Effect.catchTag(
            counters.count("sign-in-failures", key),
            "CounterUnavailable",
            () => Effect.fail(new RateLimitUnavailable())
          )
          const clear = counters.forget("sign-in-failures", key)
          const counted = Effect.tapError(signIn, (error) => error._tag === "EmailNotVerified" ? clear : Effect.void)
          return Effect.andThen(count, Effect.tap(counted, clear))
        }
      })
    })
  )
}
