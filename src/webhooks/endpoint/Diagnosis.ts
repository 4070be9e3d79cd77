import { DateTime, type Duration, Schema } from "effect"
import { WebhookEndpoint } from "./Endpoint.ts"

const Moment = Schema.NullOr(Schema.DateTimeUtcFromDate)

/**
 * Why an endpoint is or is not delivering (http-surface, Outgoing webhooks). `held`: its circuit breaker lets one attempt
 * through at a time. `queue_depth` counts the deliveries that have a next attempt; where `queue_depth_capped`, there are
 * more, and `oldest_pending_at` is of those counted. `next_attempt_at` may be past: then it is waiting for a worker.
 * `projected_disable_at` is when the endpoint is disabled if it accepts nothing until then.
 */
export const WebhookDiagnosis = Schema.Struct({
  status: WebhookEndpoint.fields.status,
  disabled_reason: WebhookEndpoint.fields.disabled_reason,
  held: Schema.Boolean,
  hold_until: Moment,
  consecutive_failures: Schema.Int,
  queue_depth: Schema.Int,
  queue_depth_capped: Schema.Boolean,
  oldest_pending_at: Moment,
  next_attempt_at: Moment,
  failing_since: Moment,
  projected_disable_at: Moment,
  summary: Schema.String
}).annotate({ identifier: "WebhookDiagnosis" })
export type WebhookDiagnosis = typeof WebhookDiagnosis.Type

/** What is known of an endpoint and its queue. `due_at` and `requested_at` are as in `QueueState`. */
export interface Findings {
  readonly endpoint: Pick<
    WebhookDiagnosis,
    "status" | "disabled_reason" | "hold_until" | "consecutive_failures" | "failing_since"
  >
  readonly queue: {
    readonly depth: number
    readonly oldest_pending_at: DateTime.Utc | null
    readonly due_at: DateTime.Utc | null
    readonly requested_at: DateTime.Utc | null
  }
  /** How far the queue is counted. */
  readonly counted: number
  readonly disable_after: Duration.Duration
}

const earlier = (one: DateTime.Utc | null, other: DateTime.Utc | null) =>
  one === null || other === null ? one ?? other : DateTime.min(one, other)

/** An attempt that a person asked for does not wait for the hold. */
const nextAttempt = ({ endpoint: { hold_until, status }, queue: { due_at, requested_at } }: Findings) => {
  if (status !== "enabled" || due_at === null) return null
  return hold_until === null ? due_at : earlier(DateTime.max(due_at, hold_until), requested_at)
}

const count = (number: number, thing: string, things: string) => number === 1 ? `1 ${thing}` : `${number} ${things}`

const summaryOf = ({ counted, endpoint, queue: { depth } }: Findings): string => {
  const { consecutive_failures, disabled_reason, hold_until, status } = endpoint
  const waiting = depth > counted
    ? `more than ${counted} deliveries wait`
    : depth === 1
    ? "1 delivery waits"
    : `${depth === 0 ? "no" : depth} deliveries wait`
  const failures = count(consecutive_failures, "failed attempt", "failed attempts in a row")
  if (status === "disabled") {
    return disabled_reason === "failing"
      ? "Not delivering: the endpoint was disabled because it accepted nothing for too long."
      : "Not delivering: an administrator disabled the endpoint."
  }
  if (status === "paused") return `Not delivering: the endpoint is paused; ${waiting} until it is enabled.`
  if (hold_until !== null) return `Held after ${failures}: one attempt at a time until one is accepted; ${waiting}.`
  if (consecutive_failures > 0) return `Delivering, after ${failures}; ${waiting}.`
  return `Delivering; ${waiting}.`
}

/** Says in fields and in one sentence why an endpoint is or is not delivering. */
export const diagnose = (findings: Findings): WebhookDiagnosis => {
  const { counted, disable_after, endpoint, queue } = findings
  const { failing_since, hold_until, status } = endpoint
  return {
    ...endpoint,
    held: hold_until !== null,
    queue_depth: Math.min(queue.depth, counted),
    queue_depth_capped: queue.depth > counted,
    oldest_pending_at: queue.oldest_pending_at,
    next_attempt_at: nextAttempt(findings),
    projected_disable_at: status === "enabled" && failing_since !== null
      ? DateTime.addDuration(failing_since, disable_after)
      : null,
    summary: summaryOf(findings)
  }
}
