import { Effect, Stream } from "effect"
import type { AiError } from "effect/ai"
import * as Sse from "effect/encoding/Sse"
import { HttpClient, type HttpClientRequest, type HttpClientResponse } from "effect/http"
import { shownText, streamText } from "../../../platform/text/Utf8.ts"
import { malformed, retryAfterOf, statusError, timedOut, unreachable } from "./ModelFailure.ts"
import type { ModelTimes } from "./ModelTimes.ts"

/** The longest event, in UTF-16 code units: a piece of an answer is far shorter. */
const longestEvent = 256 * 1024

/** Number of pieces read from the body of a failed answer. */
const mostPiecesOfFailure = 16

/** The `data` of each event; `retry` fields are ignored. */
const dataOf = (text: Stream.Stream<string, AiError.AiError>): Stream.Stream<string, AiError.AiError> =>
  Stream.suspend(() => {
    const events: Array<string> = []
    const parser = Sse.makeParser((event) => {
      if (event._tag === "Event") events.push(event.data)
    }, { maxEventSize: longestEvent })
    return text.pipe(
      Stream.mapEffect((piece) =>
        Effect.suspend(() =>
          parser.feed(piece) === undefined ? Effect.succeed(events.splice(0)) : Effect.fail(malformed())
        )
      ),
      Stream.flattenIterable
    )
  })

const failureOf = Effect.fnUntraced(function*(response: HttpClientResponse.HttpClientResponse, times: ModelTimes) {
  const body = yield* response.stream.pipe(
    Stream.take(mostPiecesOfFailure),
    Stream.runCollect,
    Effect.map((pieces) => shownText(Buffer.concat(pieces), { isCut: true })),
    Effect.timeout(times.between),
    Effect.orElseSucceed(() => "")
  )
  return statusError(response.status, body, retryAfterOf(response.headers["retry-after"]))
})

/**
 * The data of the server-sent events with which a provider answers, in their order. Fails on any status but 200, on a lost
 * connection and when time is up. Ending early closes the connection.
 */
export const serverEvents = (
  client: HttpClient.HttpClient,
  request: HttpClientRequest.HttpClientRequest,
  times: ModelTimes
): Stream.Stream<string, AiError.AiError> => {
  const connectionLost = () => unreachable(request.method, request.url)
  const events = Effect.gen(function*() {
    const response = yield* client.execute(request).pipe(
      Effect.mapError(connectionLost),
      Effect.timeoutOrElse({ duration: times.first_byte, orElse: () => Effect.fail(timedOut()) })
    )
    if (response.status !== 200) return yield* Effect.flatMap(failureOf(response, times), Effect.fail)
    return response.stream.pipe(
      Stream.mapError(connectionLost),
      Stream.timeoutOrElse({ duration: times.between, orElse: () => Stream.fail(timedOut()) }),
      (bytes) => streamText(bytes, malformed),
      dataOf
    )
  })
  // Trace headers are not sent to the provider.
  return Stream.unwrap(events).pipe(Stream.provideService(HttpClient.TracerPropagationEnabled, false))
}
