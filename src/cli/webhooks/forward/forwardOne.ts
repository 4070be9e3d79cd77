import { Clock, Duration, Effect, Option, Stream } from "effect"
import { type HttpClient, type HttpClientError, HttpClientRequest, type HttpClientResponse } from "effect/http"
import type { ListenerResult } from "../../../webhooks/listener/Listener.ts"
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

/** The start of the body. The status decides, so an answer that breaks off is still one. */
const beginningOf = Effect.fnUntraced(function*(response: HttpClientResponse.HttpClientResponse) {
  const chunks: Array<Uint8Array> = []
  let size = 0
  yield* response.stream.pipe(
    Stream.takeUntil((chunk) => {
      chunks.push(chunk)
      size += chunk.length
      return size >= mostBytes
    }),
    Stream.runDrain,
    Effect.ignore
  )
  const text = new TextDecoder().decode(Buffer.concat(chunks).subarray(0, mostBytes), { stream: true })
  return text === "" ? null : text
})

const wholeSeconds = (text: string | undefined) =>
  text !== undefined && /^\d{1,9}$/.test(text) ? { retry_after_seconds: Number(text) } : {}

type Outcome = Pick<ListenerResult, "status_code" | "error" | "response_body" | "retry_after_seconds">

const failed = (error: AttemptError): Outcome => ({ status_code: null, error })

const outcomeOf = Effect.fnUntraced(function*(response: HttpClientResponse.HttpClientResponse) {
  const { headers, status } = response
  const outcome: Outcome = {
    status_code: status,
    error: null,
    response_body: yield* beginningOf(response),
    ...wholeSeconds(headers["retry-after"])
  }
  return outcome
})

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
  const outcome = yield* Effect.flatMap(http.execute(request), outcomeOf).pipe(
    Effect.scoped,
    Effect.catch((error) => Effect.succeed(failed(errorOf(error)))),
    Effect.timeoutOption(deadline),
    Effect.map(Option.getOrElse(() => failed("timeout")))
  )
  const duration_ms = Number((yield* Clock.monotonicTimeNanos) - begun) / 1e6
  const { delivery_id, receipt } = handed
  const result: ListenerResult = { delivery_id, receipt, duration_ms: Math.round(duration_ms), ...outcome }
  return result
})
