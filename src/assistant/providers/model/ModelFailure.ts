import { Duration, Effect, Option, Schema } from "effect"
import { AiError } from "effect/ai"
import { backOff } from "../../../platform/jobs/BackOff.ts"
import { AnswerFailed } from "../Assistant.ts"

/** A failure of the provider. Omits the provider's own message, which may repeat the key or a student's words. */
export const modelError = (reason: AiError.AiErrorReason) =>
  AiError.make({ module: "Model", method: "streamText", reason })

/** The provider did not answer, or did not go on, in time. */
export const timedOut = () =>
  modelError(new AiError.InternalProviderError({ description: "Time is up", metadata: { timed_out: true } }))

/** The connection failed or was lost. */
export const unreachable = (method: string, url: string) =>
  modelError(new AiError.NetworkError({ reason: "TransportError", method, url }))

/** The answer ended without saying that it is complete. */
export const brokenOff = () => modelError(new AiError.InternalProviderError({ description: "The answer broke off" }))

/** The provider does not document such an answer. */
export const malformed = () => modelError(new AiError.InvalidOutputError({ description: "The answer is malformed" }))

/** The model or its content filter refuses to answer. */
export const contentRefused = () => modelError(new AiError.ContentPolicyError({ description: "The model refused" }))

const ErrorBody = Schema.fromJsonString(Schema.Struct({
  error: Schema.Struct({
    type: Schema.optional(Schema.NullOr(Schema.String)),
    code: Schema.optional(Schema.NullOr(Schema.Union([Schema.String, Schema.Number])))
  })
}))

const kindsOf = (body: string): ReadonlyArray<unknown> =>
  Option.match(Schema.decodeUnknownOption(ErrorBody)(body), {
    onNone: () => [],
    onSome: ({ error }) => [error.type, error.code]
  })

const isPolicy = (kind: unknown) => kind === "content_filter" || kind === "content_policy_violation"

/**
 * The failure for a status other than 200, or for an error within a stream. The `body` distinguishes a used-up quota
 * and a content policy from other failures of the same status.
 */
export const statusError = (status: number, body: string, retryAfter?: Duration.Duration) => {
  const metadata = { status }
  const kinds = kindsOf(body)
  if (kinds.includes("insufficient_quota")) return modelError(new AiError.QuotaExhaustedError({ metadata }))
  if (kinds.some(isPolicy)) return contentRefused()
  if (status === 429) return modelError(new AiError.RateLimitError({ metadata, ...(retryAfter && { retryAfter }) }))
  if (status === 401) return modelError(new AiError.AuthenticationError({ kind: "InvalidKey", metadata }))
  if (status === 403) return modelError(new AiError.AuthenticationError({ kind: "InsufficientPermissions", metadata }))
  if (status === 408 || status >= 500) {
    return modelError(new AiError.InternalProviderError({ description: `HTTP ${status}`, metadata }))
  }
  return modelError(new AiError.InvalidRequestError({ description: `HTTP ${status}`, metadata }))
}

/** Reads `Retry-After` in whole seconds, as both providers send it. */
export const retryAfterOf = (header: string | undefined): Duration.Duration | undefined =>
  header !== undefined && /^\d{1,6}$/.test(header) ? Duration.seconds(Number(header)) : undefined

const hasTimedOut = (reason: AiError.AiErrorReason) =>
  reason._tag === "InternalProviderError" && reason.metadata["timed_out"] === true

const codeOf = (reason: AiError.AiErrorReason): AnswerFailed["code"] => {
  if (hasTimedOut(reason)) return "timeout"
  switch (reason._tag) {
    case "RateLimitError":
    case "QuotaExhaustedError":
      return "provider_rate_limited"
    case "ContentPolicyError":
      return "answer_refused"
    default:
      return "provider_unavailable"
  }
}

/** Fails as the assistant's interface says. Logs the kind and the status of the failure, and no text that anybody wrote. */
export const answerFailed = Effect.fnUntraced(function*({ reason }: AiError.AiError) {
  const code = codeOf(reason)
  const metadata = "metadata" in reason ? reason.metadata : {}
  yield* Effect.logWarning("The model did not answer", { code, reason: reason._tag, ...metadata })
  return yield* new AnswerFailed({ code })
})

/** The wait before the next attempt; empty if another attempt would not help. `retries` counts the retries so far. */
export const retryWait = (
  reason: AiError.AiErrorReason,
  retries: number,
  times: { readonly backoff: Duration.Duration; readonly longest_wait: Duration.Duration }
): Option.Option<Duration.Duration> => {
  if (hasTimedOut(reason)) return Option.none()
  switch (reason._tag) {
    case "RateLimitError": {
      const wait = reason.retryAfter ?? times.backoff
      return retries < 1 && Duration.isLessThanOrEqualTo(wait, times.longest_wait) ? Option.some(wait) : Option.none()
    }
    case "InternalProviderError":
    case "NetworkError":
      return retries < 2
        ? Option.some(backOff({ first: times.backoff, longest: times.longest_wait })(retries + 1))
        : Option.none()
    default:
      return Option.none()
  }
}
