import { Clock, Duration, Effect, Option, Stream } from "effect"
import { type HttpClient, type HttpClientError, HttpClientRequest, type HttpClientResponse } from "effect/http"
import { shownText } from "../../platform/text/Utf8.ts"
import type { AttemptError } from "../../webhooks/model/AttemptError.ts"

/** As long as an endpoint on the internet may take (contract, Delivery behavior). */
const deadline = Duration.seconds(15)

/** The bytes of an answer that are reported. */
const mostBytes = 2048

/** Node's message if the other side ended the connection before it was secured; its code means any lost connection. */
const endedEarly = /before secure TLS connection was established/

const causeOf = (cause: unknown): string => {
  if (typeof cause !== "object" || cause === null) return ""
  const words = "message" in cause && typeof cause.message === "string" ? cause.message : ""
  return endedEarly.test(words) || !("cause" in cause) ? words : causeOf(cause.cause)
}

const codeIn = (cause: unknown): string => {
  if (typeof cause !== "object" || cause === null) return ""
  if ("code" in cause && typeof cause.code === "string") return cause.code
  return "cause" in cause ? codeIn(cause.cause) : ""
}

/** Why no answer came, in the words in which the service knows it. */
const errorOf = ({ reason }: HttpClientError.HttpClientError): AttemptError => {
  const code = codeIn(reason)
  if (/^(?:ENOTFOUND|EAI_)/.test(code)) return "dns"
  if (endedEarly.test(causeOf(reason))) return "tls"
  if (/^(?:ERR_TLS|ERR_SSL|EPROTO|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(code)) return "tls"
  return code.startsWith("HPE_") ? "protocol" : "connection"
}

/** The answer so far. The status decides, so an answer that breaks off or never ends still counts. */
interface Heard {
  response?: HttpClientResponse.HttpClientResponse
  readonly chunks: Array<Uint8Array>
}

const hear = (heard: Heard) => (response: HttpClientResponse.HttpClientResponse) => {
  heard.response = response
  let size = 0
  return response.stream.pipe(
    Stream.takeUntil((chunk) => {
      heard.chunks.push(chunk)
      size += chunk.length
      return size >= mostBytes
    }),
    Stream.runDrain,
    Effect.ignore
  )
}

const beginningOf = ({ chunks }: Heard) => {
  const text = shownText(Buffer.concat(chunks).subarray(0, mostBytes), { isCut: true })
  return text === "" ? null : text
}

/** The answer, whatever happened to its body, or why there was no answer. */
export type Posted =
  | { readonly error: AttemptError }
  | { readonly error: null; readonly response: HttpClientResponse.HttpClientResponse; readonly body: string | null }

interface Posting {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** Posts these bytes with these headers, once, and follows no redirect; with how long it took, in nanoseconds. */
export const postOnce = Effect.fnUntraced(function*(http: HttpClient.HttpClient, url: string, posting: Posting) {
  const begun = yield* Clock.monotonicTimeNanos
  const { "content-type": contentType = "application/json", ...headers } = posting.headers
  const request = HttpClientRequest.post(url).pipe(
    HttpClientRequest.bodyUint8Array(posting.body, contentType),
    HttpClientRequest.setHeaders(headers)
  )
  const heard: Heard = { chunks: [] }
  const error = yield* Effect.flatMap(http.execute(request), hear(heard)).pipe(
    Effect.scoped,
    Effect.match({ onFailure: errorOf, onSuccess: () => null }),
    Effect.timeoutOption(deadline)
  )
  const nanos = (yield* Clock.monotonicTimeNanos) - begun
  const { response } = heard
  const posted: Posted = response === undefined
    ? { error: Option.getOrElse(error, () => "timeout" as const) ?? "connection" }
    // Not a status of HTTP.
    : response.status < 200 || response.status > 599
    ? { error: "protocol" }
    : { error: null, response, body: beginningOf(heard) }
  return { posted, nanos }
})
