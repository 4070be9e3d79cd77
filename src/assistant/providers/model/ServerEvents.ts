import { Effect, Stream } from "effect"
import type { AiError } from "effect/ai"
import { Sse } from "effect/encoding"
import { HttpClient, type HttpClientRequest, type HttpClientResponse } from "effect/http"
import { malformed, refusalOf, retryAfterOf, timedOut, unreachable } from "./ModelFailure.ts"
import type { ModelTimes } from "./ModelTimes.ts"

/** The longest event, in UTF-16 code units: a piece of an answer is far shorter. */
const longestEvent = 256 * 1024

/** What is read of the body of a refusal, in pieces as they come. */
const piecesOfRefusal = 16

/** The `data` of each event; what says when to come again is not for us. */
const dataOf = (text: Stream.Stream<string, AiError.AiError>): Stream.Stream<string, AiError.AiError> =>
  Stream.suspend(() => {
    const found: Array<string> = []
    const parser = Sse.makeParser((event) => {
      if (event._tag === "Event") found.push(event.data)
    }, { maxEventSize: longestEvent })
    return text.pipe(
      Stream.mapEffect((piece) =>
        Effect.suspend(() =>
          parser.feed(piece) === undefined ? Effect.succeed(found.splice(0)) : Effect.fail(malformed())
        )
      ),
      Stream.flattenIterable
    )
  })

const refusal = Effect.fnUntraced(function*(response: HttpClientResponse.HttpClientResponse, times: ModelTimes) {
  const body = yield* response.stream.pipe(
    Stream.take(piecesOfRefusal),
    Stream.decodeText,
    Stream.mkString,
    Effect.timeout(times.between),
    Effect.orElseSucceed(() => "")
  )
  return refusalOf(response.status, body, retryAfterOf(response.headers["retry-after"]))
})

/**
 * The data of the server-sent events with which a provider answers, in the order of their coming. Fails with a refusal
 * (any status but 200), a lost connection or when time is up. Ending early closes the connection.
 */
export const serverEvents = (
  client: HttpClient.HttpClient,
  request: HttpClientRequest.HttpClientRequest,
  times: ModelTimes
): Stream.Stream<string, AiError.AiError> => {
  const lost = () => unreachable(request.method, request.url)
  const answered = Effect.gen(function*() {
    const response = yield* client.execute(request).pipe(
      Effect.mapError(lost),
      Effect.timeoutOrElse({ duration: times.first_byte, orElse: () => Effect.fail(timedOut()) })
    )
    if (response.status !== 200) return yield* Effect.flatMap(refusal(response, times), Effect.fail)
    return response.stream.pipe(
      Stream.mapError(lost),
      Stream.timeoutOrElse({ duration: times.between, orElse: () => Stream.fail(timedOut()) }),
      Stream.decodeText,
      dataOf
    )
  })
  // Nobody outside learns our traces.
  return Stream.unwrap(answered).pipe(Stream.provideService(HttpClient.TracerPropagationEnabled, false))
}
