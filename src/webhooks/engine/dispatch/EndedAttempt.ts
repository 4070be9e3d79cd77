import { type DateTime, Duration, Effect, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { AttemptId } from "../../model/WebhookDeliveryId.ts"
import { WebhookRules } from "../../model/WebhookSettings.ts"
import type { SendResult } from "../../send/Sender.ts"
import { afterAttempt, type TakenState } from "./AfterAttempt.ts"
import type { Settlement } from "./Lease.ts"
import { makeNextWait } from "./RetrySchedule.ts"

/** An attempt that has ended: all of its settlement but the breaker's part. */
export type EndedAttempt = Omit<Settlement, "breaker" | "breaker_epoch" | "lease">

/** The times of an attempt. */
interface AttemptTimes {
  readonly started_at: DateTime.Utc
  readonly ended_at: DateTime.Utc
  readonly duration_ms: number
}

/**
 * Computes the result of an attempt. `signature` is null if the attempt sent nothing. `retryAfter` is the wait that the
 * answer asked for.
 */
export type EndAttempt = (
  delivery: TakenState & Settlement["delivery"],
  times: AttemptTimes,
  result: Omit<SendResult, "retry_after">,
  signature: string | null,
  retryAfter: Option.Option<Duration.Duration>
) => Effect.Effect<EndedAttempt>

/** Made once, not for each attempt. */
export const makeEndAttempt = Effect.gen(function*() {
  const random = yield* SecureRandom.SecureRandom
  const nextWait = yield* makeNextWait(yield* WebhookRules)
  const end: EndAttempt = (
    delivery,
    { duration_ms, ended_at, started_at },
    { connection_reused, error, peer, phases, response_body, status_code },
    signature,
    retryAfter
  ) => {
    const accepted = error === null
    const wait = accepted ? Effect.succeedNone : nextWait({ step: delivery.step + 1, retryAfter })
    return Effect.flatMap(wait, (wait) =>
      Effect.map(random.uuidV7(), (id): EndedAttempt => ({
        delivery,
        attempt: {
          id: AttemptId.make(id),
          started_at,
          ended_at,
          duration_ms,
          status_code,
          error,
          response_body,
          retry_after_seconds: Option.getOrNull(Option.map(retryAfter, wholeSeconds)),
          phases,
          connection_reused,
          peer,
          signature
        },
        after: afterAttempt(delivery, accepted, ended_at, wait)
      })))
  }
  return end
})

/** Fits an `integer` column. Another limit shortens longer waits anyway. */
const wholeSeconds = (wait: Duration.Duration) => Math.min(Math.ceil(Duration.toSeconds(wait)), 2_147_483_647)
