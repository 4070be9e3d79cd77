import { DateTime, Duration, Effect, Option } from "effect"
import type { HttpClient } from "effect/http"
import { parseRetryAfter } from "../../../webhooks/engine/dispatch/RetryAfter.ts"
import { type ListenerResult, longestDuration } from "../../../webhooks/listener/Listener.ts"
import { type Posted, postOnce } from "../postOnce.ts"
import type { HandedOut } from "./Upstream.ts"

type Outcome = Pick<ListenerResult, "status_code" | "error" | "response_body" | "retry_after_seconds">

const outcomeOf = (posted: Posted, now: DateTime.Utc): Outcome => {
  // The service refuses a status that HTTP does not have, and with it all results of the same request.
  if (posted.error !== null) return { status_code: null, error: posted.error }
  const { body: response_body, response: { headers, status } } = posted
  const asked = parseRetryAfter(headers["retry-after"] ?? null, now)
  return {
    status_code: status,
    error: null,
    response_body,
    ...(Option.isSome(asked) ? { retry_after_seconds: Math.ceil(Duration.toSeconds(asked.value)) } : {})
  }
}

/** In whole milliseconds. A machine that slept meanwhile may have counted for longer than the service takes. */
export const millisOf = (nanos: bigint): number => Math.min(Math.round(Number(nanos) / 1e6), longestDuration)

/**
 * Posts a delivery with the same bytes and headers to this address. Redirects are not followed. The answer is the
 * result for the service.
 */
export const forwardOne = Effect.fnUntraced(function*(
  http: HttpClient.HttpClient,
  forward_to: string,
  { body, delivery_id, headers, receipt }: HandedOut
) {
  const { nanos, posted } = yield* postOnce(http, forward_to, { headers, body: Buffer.from(body) })
  const outcome = outcomeOf(posted, yield* DateTime.now)
  const result: ListenerResult = { delivery_id, receipt, duration_ms: millisOf(nanos), ...outcome }
  return result
})
