import { Duration, Effect } from "effect"
import type { HttpClientResponse } from "effect/http"
import { note } from "../output/Write.ts"

/** The longest that one answer may ask us to wait, and how often a request is sent again. */
const longestWait = 60
const mostWaits = 5

const secondsOf = (response: HttpClientResponse.HttpClientResponse) => {
  const seconds = Number(response.headers["retry-after"] ?? "1")
  return Number.isFinite(seconds) && seconds >= 0 ? Math.ceil(seconds) : longestWait + 1
}

/**
 * Sends a request again when the service asks to wait, after that time, and says so. An answer that asks for more than a
 * minute, or again and again, stays what it is.
 */
export const patiently = <E, R>(
  request: Effect.Effect<HttpClientResponse.HttpClientResponse, E, R>,
  waited = 0
): Effect.Effect<
  HttpClientResponse.HttpClientResponse,
  E | Effect.Error<ReturnType<typeof note>>,
  R
> =>
  Effect.flatMap(request, (response) => {
    const seconds = secondsOf(response)
    if (response.status !== 429 || seconds > longestWait || waited === mostWaits) return Effect.succeed(response)
    return note(`turma: the service is at its limit: waiting ${seconds} s, as it asks`).pipe(
      Effect.andThen(Effect.sleep(Duration.seconds(seconds))),
      Effect.andThen(Effect.suspend(() => patiently(request, waited + 1)))
    )
  })
