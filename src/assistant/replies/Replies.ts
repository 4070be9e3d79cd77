import { Context, Effect, Layer, Option } from "effect"
import { AssistantComments } from "../../conversation/comments/AssistantComments.ts"
import type { Comment, CommentId } from "../../conversation/comments/Comment.ts"
import type { SessionClub } from "../../identity/people/Identity.ts"
import type { NotFound } from "../../platform/http/errors.ts"
import { Agents } from "../agents/Agents.ts"
import { AssistantBudget } from "../budget/AssistantBudget.ts"
import { Assistant, type Question } from "../providers/Assistant.ts"
import {
  AssistantUnavailable,
  commentBodyOf,
  leastConfidence,
  reasonForSilence,
  replyTimeLimit,
  type SilenceReason
} from "./Reply.ts"
import { ReplyLeases } from "./ReplyLeases.ts"

/** The new comment, or the reason for silence. */
export type ReplyOutcome =
  | { readonly _tag: "Written"; readonly comment: Comment }
  | { readonly _tag: "Silent"; readonly reason: SilenceReason }

const silent = (reason: SilenceReason): ReplyOutcome => ({ _tag: "Silent", reason })

/** The assistant below the comments of students (contract, Endpoints 6). `NotFound`: the club has no such comment. */
export class Replies extends Context.Service<Replies, {
  /**
   * Writes at most one reply to a comment, however many ask for one at once. It takes a unit of the club's budget
   * before it asks the assistant. The unit stays spent without a reply if the confidence is low, the reply comes too
   * late or nobody waits for it any longer. It comes back if the assistant was not asked, and a few times a day if it
   * failed.
   */
  reply(club: SessionClub, id: CommentId): Effect.Effect<ReplyOutcome, NotFound | AssistantUnavailable>
}>()("turma/assistant/replies/Replies") {
  /** Leaves `Assistant` and `AssistantComments` to the caller. */
  static readonly layer = Layer.effect(
    Replies,
    Effect.gen(function*() {
      const agents = yield* Agents
      const assistant = yield* Assistant
      const budget = yield* AssistantBudget
      const comments = yield* AssistantComments
      const leases = yield* ReplyLeases

      const answerTo = (question: Question) =>
        assistant.reply(question).pipe(
          Effect.catchTag("AnswerFailed", () => Effect.fail(new AssistantUnavailable())),
          Effect.timeoutOrElse({ duration: replyTimeLimit, orElse: () => Effect.fail(new AssistantUnavailable()) })
        )

      /** Another author replied first, or the comment was hidden or deleted since. */
      const tooLate = Effect.fnUntraced(function*(club: SessionClub, id: CommentId) {
        return silent(reasonForSilence(yield* comments.find(club.id, id)) ?? "already_answered")
      })

      const reply = Effect.fn("Replies.reply")(
        function*(club: SessionClub, id: CommentId) {
          const comment = yield* comments.find(club.id, id)
          const reason = reasonForSilence(comment)
          if (reason !== undefined) return silent(reason)
          const agent = yield* agents.read(club.id)
          if (!agent.enabled) return silent("assistant_disabled")
          if (yield* budget.exhausted(club)) return silent("budget_exhausted")
          const lease = yield* leases.take(club, id, comment.thread_id)
          const answer = yield* answerTo({
            club_id: club.id,
            course_id: lease.lesson.course_id,
            lesson_id: lease.lesson.id,
            lesson_title: lease.lesson.title,
            student_id: null,
            agent_name: agent.name,
            locale: club.locale,
            content: lease.body,
            history: []
          }).pipe(Effect.tapError(() => leases.giveBackLimited(club, lease)))
          // Without a question or without material the model was not asked.
          if (answer._tag === "Silence" && answer.reason !== "low_confidence") {
            yield* leases.giveBack(club, lease)
            return silent(answer.reason)
          }
          const body = answer._tag === "Silence" || answer.confidence < leastConfidence
            ? ""
            : commentBodyOf(answer.content)
          if (body === "") return silent("low_confidence")
          const written = yield* comments.reply(club.id, id, { body })
          if (Option.isNone(written)) return yield* tooLate(club, id)
          const outcome: ReplyOutcome = { _tag: "Written", comment: written.value }
          return outcome
        },
        Effect.scoped,
        Effect.catchTags({
          BudgetUsedUp: () => Effect.succeed(silent("budget_exhausted")),
          NothingToAnswer: ({ reason }) => Effect.succeed(silent(reason))
        })
      )

      return Replies.of({ reply })
    })
  ).pipe(Layer.provide([Agents.layer, AssistantBudget.layer, ReplyLeases.layer]))
}
