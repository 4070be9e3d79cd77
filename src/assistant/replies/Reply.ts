import { Duration, Schema } from "effect"
import type { AskedComment } from "../../conversation/comments/AssistantComments.ts"
import { ApiError } from "../../platform/http/ApiError.ts"

/** Why the assistant stayed silent (http-surface, Community, comments, lives). */
export const SilenceReason = Schema.Literals([
  "no_material",
  "low_confidence",
  "not_a_question",
  "already_answered",
  "author_is_staff",
  "budget_exhausted",
  "assistant_disabled",
  "comment_unavailable"
])
export type SilenceReason = typeof SilenceReason.Type

/** The assistant wrote nothing (contract, Endpoints 6). */
export const Silence = Schema.Struct({ reason: SilenceReason }).annotate({ identifier: "Silence" })

/** Nobody answers at the moment; nothing was written. */
export class AssistantUnavailable extends ApiError<AssistantUnavailable>()("AssistantUnavailable", {
  status: 503,
  code: "assistant_unavailable",
  message: "The assistant cannot answer at the moment; try again later"
}) {}

/** How long the assistant may think while somebody waits, and how long they wait for their turn. */
export const patience = Duration.seconds(25)

/** Below it the assistant keeps to itself what everybody would read. Of the confidence of a `Reply`, 0 to 1. */
export const leastConfidence = 0.6

/** How much of an answer a comment holds, in characters. */
const longestBody = 5000

/** An answer as a comment has it. */
export const bodyOf = (content: string): string => Array.from(content.trim()).slice(0, longestBody).join("")

/**
 * Whether a comment asks for silence by itself: staff and the assistant are never answered, nobody twice, and what others
 * cannot see not at all.
 */
export const silenceBefore = (comment: AskedComment): SilenceReason | undefined => {
  if (comment.unavailable) return "comment_unavailable"
  if (comment.author !== "student") return "author_is_staff"
  if (comment.answered) return "already_answered"
  return comment.lesson === null ? "no_material" : undefined
}
