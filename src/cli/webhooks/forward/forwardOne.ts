import { Clock, DateTime, Duration, Effect, Option, Stream } from "effect"
import { type HttpClient, type HttpClientError, HttpClientRequest, type HttpClientResponse } from "effect/http"
import { parseRetryAfter } from "../../../webhooks/dispatch/RetryAfter.ts"
import { type ListenerResult, longestDuration } from "../../../webhooks/listener/Listener.ts"
import type { AttemptError } from "../../../webhooks/model/AttemptError.ts"
import type { HandedOut } from "./Upstream.ts"

/** As long as an endpoint on the internet may take (contract, Delivery behavior). */
const deadline = Duration.seconds(15)

/** Bytes of an answer that are told. */
const mostBytes = 2048

const codeIn = (cause: unknown): string => {
  if (typeof cause !== "object" || cause === null) return ""
  if ("code" in cause && typeof cause.code === "string") return cause.code
  return "cause" in cause ? codeIn(cause.cause) : ""
}

/** Why no answer came, in the words in which the service knows it. */
const errorOf = ({ reason }: HttpClientError.HttpClientError): AttemptError => {
  const code = codeIn(reason)
  if (/^(?:ENOTFOUND|EAI_)/.test(code)) return "dns"
  if (/^(?:ERR_TLS|ERR_SSL|EPROTO|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(code)) return "tls"
  return code.startsWith("HPE_") ? "protocol" : "connection"
}

/** What has come of an answer so far. The status decides, so one that breaks off or never ends is still one. */
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
  const text = new TextDecoder().decode(Buffer.concat(chunks).subarray(0, mostBytes), { stream: true })
  return text === "" ? null : text
}

type Outcome = Pick<ListenerResult, "status_code" | "error" | "response_body" | "retry_after_seconds">

const failed = (error: AttemptError): Outcome => ({ status_code: null, error })

const outcomeOf = (response: HttpClientResponse.HttpClientResponse, heard: Heard, now: DateTime.Utc): Outcome => {
  const { headers, status } = response
  // Not a status of HTTP. The service takes none, and would refuse all that is told together with it.
  if (status < 200 || status > 599) return failed("protocol")
  const asked = parseRetryAfter(headers["retry-after"] ?? null, now)
  return {
    status_code: status,
    error: null,
    response_body: beginningOf(heard),
    ...(Option.isSome(asked) ? { retry_after_seconds: Math.ceil(Duration.toSeconds(asked.value)) } : {})
  }
}

/** In whole milliseconds. A machine that slept meanwhile may have counted for longer than the service takes. */
export const millisOf = (nanos: bigint): number => Math.min(Math.round(Number(nanos) / 1e6), longestDuration)

/**
 * Posts a delivery as it was handed out, bytes and headers, to this address. Redirects are not followed. What came of it is
 * what is told to the service.
 */
export const forwardOne = Effect.fnUntraced(function*(
  http: HttpClient.HttpClient,
  forward_to: string,
  handed: HandedOut
) {
  const begun = yield* Clock.monotonicTimeNanos
  const { "content-type": contentType = "application/json", ...headers } = handed.headers
  const request = HttpClientRequest.post(forward_to).pipe(
    HttpClientRequest.bodyUint8Array(Buffer.from(handed.body), contentType),
    HttpClientRequest.setHeaders(headers)
  )
  const heard: Heard = { chunks: [] }
  const error = yield* Effect.flatMap(http.execute(request), hear(heard)).pipe(
    Effect.scoped,
    Effect.match({ onFailure: errorOf, onSuccess: () => null }),
    Effect.timeoutOption(deadline)
  )
  const outcome = heard.response === undefined
    ? failed(Option.getOrElse(error, () => "timeout" as const) ?? "connection")
    : outcomeOf(heard.response, heard, yield* DateTime.now)
  const duration_ms = millisOf((yield* Clock.monotonicTimeNanos) - begun)
  const { delivery_id, receipt } = handed
  const result: ListenerResult = { delivery_id, receipt, duration_ms, ...outcome }
  return result
})
