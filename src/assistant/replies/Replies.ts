import { Context, Effect, Layer, Option } from "effect"
import { AssistantComments } from "../../conversation/comments/AssistantComments.ts"
import type { Comment, CommentId } from "../../conversation/comments/Comment.ts"
import type { SessionClub } from "../../identity/people/Identity.ts"
import type { NotFound } from "../../platform/http/errors.ts"
import { Agents } from "../agents/Agents.ts"
import { AssistantBudget } from "../budget/AssistantBudget.ts"
import { Assistant, type Question } from "../providers/Assistant.ts"
import { AssistantUnavailable, bodyOf, leastConfidence, patience, silenceBefore, type SilenceReason } from "./Reply.ts"
import { ReplyTurns } from "./ReplyTurns.ts"

/** What came of it. */
export type Outcome =
  | { readonly _tag: "Written"; readonly comment: Comment }
  | { readonly _tag: "Silent"; readonly reason: SilenceReason }

const silent = (reason: SilenceReason): Outcome => ({ _tag: "Silent", reason })

/** The assistant below the comments of students (contract, Endpoints 6). `NotFound`: the club has no such comment. */
export class Replies extends Context.Service<Replies, {
  /**
   * Writes one reply at most, whoever else asks for one. A unit of the club's budget is taken before the assistant is
   * asked, so it is paid for whether it is written, kept back for its confidence, too late, or nobody waits for it any
   * more. It goes back where nobody was asked, and a few times a day where the assistant failed.
   */
  reply(club: SessionClub, id: CommentId): Effect.Effect<Outcome, NotFound | AssistantUnavailable>
}>()("turma/assistant/Replies") {
  static readonly layerNoDeps = Layer.effect(
    Replies,
    Effect.gen(function*() {
      const agents = yield* Agents
      const assistant = yield* Assistant
      const budget = yield* AssistantBudget
      const comments = yield* AssistantComments
      const turns = yield* ReplyTurns

      const answerTo = (question: Question) =>
        assistant.reply(question).pipe(
          Effect.catchTag("AnswerFailed", () => Effect.fail(new AssistantUnavailable())),
          Effect.timeoutOrElse({ duration: patience, orElse: () => Effect.fail(new AssistantUnavailable()) })
        )

      /** The staff was faster, or the comment went away meanwhile. */
      const tooLate = Effect.fnUntraced(function*(club: SessionClub, id: CommentId) {
        return silent(silenceBefore(yield* comments.find(club.id, id)) ?? "already_answered")
      })

      const reply = Effect.fn("Replies.reply")(
        function*(club: SessionClub, id: CommentId) {
          const comment = yield* comments.find(club.id, id)
          const reason = silenceBefore(comment)
          if (reason !== undefined) return silent(reason)
          const agent = yield* agents.read(club.id)
          if (!agent.enabled) return silent("assistant_disabled")
          if (yield* budget.exhausted(club)) return silent("budget_exhausted")
          const turn = yield* turns.take(club, id, comment.thread_id)
          const answer = yield* answerTo({
            club_id: club.id,
            course_id: turn.lesson.course_id,
            lesson_id: turn.lesson.id,
            lesson_title: turn.lesson.title,
            student_id: null,
            agent_name: agent.name,
            locale: club.locale,
            content: turn.body,
            history: []
          }).pipe(Effect.tapError(() => turns.giveBackFew(club, turn)))
          // Where there is no question, or nothing to read, nobody was asked.
          if (answer._tag === "Silence" && answer.reason !== "low_confidence") {
            yield* turns.giveBack(club, turn)
            return silent(answer.reason)
          }
          const body = answer._tag === "Silence" || answer.confidence < leastConfidence ? "" : bodyOf(answer.content)
          if (body === "") return silent("low_confidence")
          const written = yield* comments.reply(club.id, id, { body })
          if (Option.isNone(written)) return yield* tooLate(club, id)
          const outcome: Outcome = { _tag: "Written", comment: written.value }
          return outcome
        },
        Effect.scoped,
        Effect.catchTags({
          BudgetUsedUp: () => Effect.succeed(silent("budget_exhausted")),
          Silenced: ({ reason }) => Effect.succeed(silent(reason))
        })
      )

      return Replies.of({ reply })
    })
  )

  /** Still asking for who answers, and for the comments. */
  static readonly layer = this.layerNoDeps.pipe(Layer.provide([Agents.layer, AssistantBudget.layer, ReplyTurns.layer]))
}
