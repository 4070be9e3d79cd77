import { Duration, Schema } from "effect"
import type { AuthorRole } from "../../conversation/authors/Author.ts"
import { ApiError } from "../../platform/http/ApiError.ts"
import { field } from "../../platform/http/Field.ts"

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
export const Silence = Schema.Struct({
  reason: SilenceReason
    .pipe(field("Why it stayed silent. `no_material`: the course's material has no answer; also on posts. `low_confidence`: no answer is sure enough. `comment_unavailable`: the comment is hidden, deleted or held back. The others say it by their names"))
}).annotate({ identifier: "Silence", description: "That the assistant wrote nothing, and why" })

/** The assistant failed or took too long; nothing was written. */
export class AssistantUnavailable extends ApiError<AssistantUnavailable>()("AssistantUnavailable", {
  status: 503,
  code: "assistant_unavailable",
  message: {
    en: "The assistant cannot answer at the moment: try again later",
    "pt-BR": "O assistente não consegue responder agora: tente mais tarde."
  }
}) {}

/**
 * The time that the assistant may take while a caller waits, and the time that a caller waits for the thread's lease.
 */
export const replyTimeLimit = Duration.seconds(25)

/** A reply with less confidence, from 0 to 1, is not published. */
export const leastConfidence = 0.6

/** The longest body of a comment, in characters. */
const longestBody = 5000

/** The body of the comment for an answer: trimmed, and shortened if it is too long. */
export const commentBodyOf = (content: string): string => Array.from(content.trim()).slice(0, longestBody).join("")

/** The fields of a comment that decide if it gets a reply. `lesson` is null for a comment on a post. */
interface Asked {
  readonly author: AuthorRole
  readonly lesson: object | null
  readonly answered: boolean
  readonly unavailable: boolean
}

/**
 * The reason why a comment gets no reply, as far as the comment itself decides. It gets no reply if the staff or the
 * assistant wrote it, if it already has a reply, or if others cannot see it.
 */
export const reasonForSilence = (comment: Asked): SilenceReason | undefined => {
  if (comment.unavailable) return "comment_unavailable"
  if (comment.author !== "student") return "author_is_staff"
  if (comment.answered) return "already_answered"
  return comment.lesson === null ? "no_material" : undefined
}
