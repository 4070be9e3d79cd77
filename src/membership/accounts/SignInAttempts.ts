import { Cause, Context, Effect, Exit, Layer, Option } from "effect"
import type { HttpServerRequest } from "effect/http"
import { ClientAddress } from "../../identity/limits/ClientAddress.ts"
import { type RateLimited, RateLimitUnavailable } from "../../identity/limits/RateLimit.ts"
import { WriteCounters } from "../../identity/limits/WriteCounters.ts"
import type { Holder } from "../../identity/people/Holder.ts"
import type { Realm } from "../../identity/people/Realm.ts"
import { addressKey, counterKey } from "./AddressKey.ts"
import { EmailNotVerified, InvalidCredentials } from "./Credential.ts"

const holderKey = (holder: Holder) =>
  holder.kind === "admin" ? counterKey("change", holder.user_id) : counterKey("change", holder.student_id)

/** A wrong password, or a try whose end is unknown because the caller left. A 503 or a fault of ours is neither. */
const isFailedTry = (exit: Exit.Exit<unknown, unknown>) =>
  Exit.isFailure(exit) &&
  (Cause.hasInterrupts(exit.cause) || Option.exists(
    Cause.findErrorOption(exit.cause),
    (error) => error instanceof InvalidCredentials || error instanceof EmailNotVerified
  ))

type Failures = "sign-in-failures" | "sign-in-failures-anywhere"

type Guarded<A, E> = Effect.Effect<A, E | RateLimited | RateLimitUnavailable, HttpServerRequest.HttpServerRequest>

/**
 * Ten failures per address and network in 15 minutes, or a hundred per address from anywhere, whether or not it has an
 * account, then 429: who fails on purpose locks out their own neighbours, and the owner elsewhere goes on. Each try is counted before the
 * password is looked at, so that tries at once do not slip through together, and gives only its own count back if it was
 * no failure: what a stranger sees of the counter depends on strangers alone.
 */
export class SignInAttempts extends Context.Service<SignInAttempts, {
  /** Every failure counts, the right password of an unused sign-up too: anybody can make one for any address. */
  signIn<A, E>(realm: Realm, email: string, signIn: Effect.Effect<A, E>): Guarded<A, E>
  /** The current password, asked of who holds a session: counted apart, so that strangers cannot use it up. */
  change<A, E>(holder: Holder, change: Effect.Effect<A, E>): Guarded<A, E>
}>()("turma/auth/SignInAttempts") {
  static readonly layer = Layer.effect(
    SignInAttempts,
    Effect.gen(function*() {
      const counters = yield* WriteCounters
      const client = yield* ClientAddress

      const counted = <A, E>(policy: Failures, key: string, attempt: Guarded<A, E>): Guarded<A, E> =>
        counters.count(policy, key).pipe(
          Effect.catchTag("CounterUnavailable", () => Effect.fail(new RateLimitUnavailable())),
          Effect.andThen(Effect.onExit(
            attempt,
            (exit) => isFailedTry(exit) ? Effect.void : counters.giveBack(policy, key)
          ))
        )

      return SignInAttempts.of({
        // The network first: what it is refused spends nothing of what the address has anywhere.
        signIn: (realm, email, signIn) =>
          Effect.flatMap(client.network, (network) =>
            counted(
              "sign-in-failures",
              addressKey(realm, email, network),
              counted("sign-in-failures-anywhere", addressKey(realm, email), signIn)
            )),
        change: (holder, change) => counted("sign-in-failures", holderKey(holder), change)
      })
    })
  )
}
