import type { DateTime } from "effect"
import { Schema } from "effect"
import { EventId } from "../../../events/EventType.ts"
import { Instant, InstantOrNull } from "../../../platform/schema/Instant.ts"
import { AttemptError } from "../../model/AttemptError.ts"
import type { Failure } from "../causes/FailureWords.ts"

/** The notices that a club's administrators get about an endpoint, once in 24 hours at most. */
export const NoticeKind = Schema.Literals(["held", "recovered", "disabling"])
export type NoticeKind = typeof NoticeKind.Type

/**
 * The notices that operators get about endpoints: those of administrators, and that one was disabled, or that a secret
 * ends.
 */
export type NoticeEvent = NoticeKind | "disabled" | "secret_ends"

/** The fields of an endpoint for a mail. */
export const NoticeFacts = Schema.Struct({
  url: Schema.URLFromString,
  /** True if its administrators want mails about it. */
  notices: Schema.Boolean,
  failing_since: InstantOrNull,
  held_since: InstantOrNull,
  consecutive_failures: Schema.Int,
  last_success_at: InstantOrNull,
  last_failure_at: InstantOrNull,
  last_failure_error: Schema.NullOr(AttemptError),
  last_failure_status: Schema.NullOr(Schema.Int),
  certificate_ends_at: InstantOrNull
})
export type NoticeFacts = typeof NoticeFacts.Type

/** The last failed attempt, if it is known. */
export const failureOf = (
  { certificate_ends_at, last_failure_at, last_failure_error, last_failure_status }: Pick<
    NoticeFacts,
    "certificate_ends_at" | "last_failure_at" | "last_failure_error" | "last_failure_status"
  >
): Failed | null =>
  last_failure_error === null || last_failure_at === null
    ? null
    : { error: last_failure_error, status_code: last_failure_status, certificate_ends_at, at: last_failure_at }

/** The last failed delivery. It leaves the event's data out: they may be about a student. */
export const Sample = Schema.Struct({
  event_id: EventId,
  event_type: Schema.String,
  created_at: Instant
})
export type Sample = typeof Sample.Type

export interface Failed extends Failure {
  readonly at: DateTime.Utc
  /** Undefined if no failed delivery waits any more. */
  readonly sample?: Sample | undefined
}
