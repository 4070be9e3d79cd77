import { Cause, Context, Effect, Exit, Layer, Option } from "effect"
import type { HttpServerRequest } from "effect/http"
import { ClientAddress } from "../../identity/limits/ClientAddress.ts"
import type { RateLimited, RateLimitUnavailable } from "../../identity/limits/RateLimit.ts"
import { refuseUncounted, WriteCounters } from "../../identity/limits/WriteCounters.ts"
import type { AccountScope } from "../../identity/people/AccountScope.ts"
import type { Holder } from "../../identity/people/Holder.ts"
import { counterKey, emailCounterKey } from "./CounterKey.ts"
import { EmailNotVerified, InvalidCredentials } from "./Credential.ts"

const holderKey = (holder: Holder) =>
  holder.kind === "admin" ? counterKey("change", holder.user_id) : counterKey("change", holder.student_id)

/**
 * A wrong password, or an attempt that did not end because the caller left. A 503 or a defect is not a failed attempt.
 */
const isFailedAttempt = (exit: Exit.Exit<unknown, unknown>) =>
  Exit.isFailure(exit) &&
  (Cause.hasInterrupts(exit.cause) || Option.exists(
    Cause.findErrorOption(exit.cause),
    (error) => error instanceof InvalidCredentials || error instanceof EmailNotVerified
  ))

type Failures = "sign-in-failures" | "sign-in-failures-anywhere"

type CountedAttempt<A, E> = Effect.Effect<
  A,
  E | RateLimited | RateLimitUnavailable,
  HttpServerRequest.HttpServerRequest
>

/**
 * Answers 429 after ten failures per address and network in 15 minutes, or after a hundred per address from anywhere.
 * An account is not needed for that. So an attacker locks out only people in the same network, and the owner elsewhere
 * can still sign in.
 *
 * Each attempt counts before the password is compared, so concurrent attempts do not exceed the limit. An attempt that
 * is not a failure gives back only its own count, so the counter tells strangers only about attempts of strangers.
 */
export class SignInAttempts extends Context.Service<SignInAttempts, {
  /** Every failure counts, also the right password of an unconfirmed sign-up, which anybody can make for any address. */
  signIn<A, E>(scope: AccountScope, email: string, signIn: Effect.Effect<A, E>): CountedAttempt<A, E>
  /** The current password in a change of it. Counted apart from sign-ins, so that strangers cannot use it up. */
  change<A, E>(holder: Holder, change: Effect.Effect<A, E>): CountedAttempt<A, E>
}>()("turma/membership/accounts/SignInAttempts") {
  static readonly layer = Layer.effect(
    SignInAttempts,
    Effect.gen(function*() {
      const counters = yield* WriteCounters
      const client = yield* ClientAddress

      const counted = <A, E>(policy: Failures, key: string, attempt: CountedAttempt<A, E>): CountedAttempt<A, E> =>
        counters.count(policy, key).pipe(
          Effect.catchTag("CounterUnavailable", () => refuseUncounted),
          Effect.andThen(Effect.onExit(
            attempt,
            (exit) => isFailedAttempt(exit) ? Effect.void : counters.giveBack(policy, key)
          ))
        )

      return SignInAttempts.of({
        // The network first: an attempt that it refuses does not count for the address.
        signIn: (scope, email, signIn) =>
          Effect.flatMap(client.network, (network) =>
            counted(
              "sign-in-failures",
              emailCounterKey(scope, email, network),
              counted("sign-in-failures-anywhere", emailCounterKey(scope, email), signIn)
            )),
        change: (holder, change) => counted("sign-in-failures", holderKey(holder), change)
      })
    })
  )
}
