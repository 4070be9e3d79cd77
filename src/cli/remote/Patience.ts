import { Duration, Effect, Option, Result } from "effect"
import type { HttpClientResponse } from "effect/http"
import { note } from "../output/Write.ts"

/** Sends a request again after each pause that `pauseAfter` gives for its outcome. Without a pause the outcome stays. */
export const patiently = Effect.fnUntraced(function*<A, E, R, E2, R2>(
  request: Effect.Effect<A, E, R>,
  pauseAfter: (
    outcome: Result.Result<NoInfer<A>, NoInfer<E>>,
    pauses: number
  ) => Effect.Effect<Option.Option<Duration.Duration>, E2, R2>
) {
  for (let pauses = 0;; pauses++) {
    const outcome = yield* Effect.result(request)
    const pause = yield* pauseAfter(outcome, pauses)
    if (Option.isNone(pause)) return yield* Effect.fromResult(outcome)
    yield* Effect.sleep(pause.value)
  }
})

/** The longest that one answer may ask us to wait, and how often a request is sent again. */
const longestWait = 60
const mostWaits = 5

const secondsOf = (response: HttpClientResponse.HttpClientResponse) => {
  const seconds = Number(response.headers["retry-after"] ?? "1")
  return Number.isFinite(seconds) && seconds >= 0 ? Math.ceil(seconds) : longestWait + 1
}

/**
 * Waits as the service asks and says so. An answer that asks for more than a minute, or for a sixth wait, stays what it is.
 */
export const whileAtLimit = Effect.fnUntraced(function*(
  outcome: Result.Result<HttpClientResponse.HttpClientResponse, unknown>,
  pauses: number
) {
  if (Result.isFailure(outcome) || outcome.success.status !== 429) return Option.none()
  const seconds = secondsOf(outcome.success)
  if (seconds > longestWait || pauses === mostWaits) return Option.none()
  yield* note(`turma: the service is at its limit: waiting ${seconds} s, as it asks`)
  return Option.some(Duration.seconds(seconds))
})
