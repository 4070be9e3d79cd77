import { Context, Duration, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import type { SessionClub } from "../../auth/Identity.ts"
import { AssistantComments } from "../../comments/AssistantComments.ts"
import type { Comment, CommentId } from "../../comments/Comment.ts"
import type { NotFound } from "../../http/errors.ts"
import { Agents } from "../Agents.ts"
import { Assistant, type Question } from "../Assistant.ts"
import { AssistantBudget } from "../AssistantBudget.ts"
import { AssistantUnavailable, bodyOf, leastConfidence, silenceBefore, type SilenceReason } from "./Reply.ts"

/** How long the assistant may think while somebody waits. */
export const patience = Duration.seconds(25)

/** What came of it. */
export type Outcome =
  | { readonly _tag: "Written"; readonly comment: Comment }
  | { readonly _tag: "Silent"; readonly reason: SilenceReason }

const silent = (reason: SilenceReason): Outcome => ({ _tag: "Silent", reason })

/** The assistant below the comments of students (contract, Endpoints 6). `NotFound`: the club has no such comment. */
export class Replies extends Context.Service<Replies, {
  /**
   * Writes one reply at most, whoever else asks for one. It costs a unit of the club's budget, and so does an answer that
   * is kept back for its confidence: it was thought about as long, and could be asked for again and again.
   */
  reply(club: SessionClub, id: CommentId): Effect.Effect<Outcome, NotFound | AssistantUnavailable>
}>()("turma/assistant/Replies") {
  static readonly layerNoDeps = Layer.effect(
    Replies,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const agents = yield* Agents
      const assistant = yield* Assistant
      const budget = yield* AssistantBudget
      const comments = yield* AssistantComments

      const answerTo = (question: Question) =>
        assistant.reply(question).pipe(
          Effect.catchTag("AnswerFailed", () => Effect.fail(new AssistantUnavailable())),
          Effect.timeoutOrElse({ duration: patience, orElse: () => Effect.fail(new AssistantUnavailable()) })
        )

      // The budget comes last, where a whole club meets: a reply without a unit is taken back with the transaction.
      const write = (club: SessionClub, id: CommentId, body: string) =>
        sql.withTransaction(Effect.gen(function*() {
          const comment = yield* comments.reply(club.id, id, { body })
          if (Option.isSome(comment)) yield* budget.take(club)
          return comment
        })).pipe(Effect.catchTag("SqlError", Effect.die))

      const unsure = (club: SessionClub) =>
        sql.withTransaction(budget.take(club)).pipe(
          Effect.as(silent("low_confidence")),
          Effect.catchTags({
            BudgetUsedUp: () => Effect.succeed(silent("budget_exhausted")),
            SqlError: Effect.die
          })
        )

      /** Somebody was faster, or the comment went away meanwhile. */
      const tooLate = Effect.fnUntraced(function*(club: SessionClub, id: CommentId) {
        return silent(silenceBefore(yield* comments.find(club.id, id)) ?? "already_answered")
      })

      const reply = Effect.fn("Replies.reply")(function*(club: SessionClub, id: CommentId) {
        const comment = yield* comments.find(club.id, id)
        const reason = silenceBefore(comment)
        if (reason !== undefined || comment.lesson === null) return silent(reason ?? "no_material")
        const agent = yield* agents.read(club.id)
        if (!agent.enabled) return silent("assistant_disabled")
        if (yield* budget.exhausted(club)) return silent("budget_exhausted")
        const answer = yield* answerTo({
          club_id: club.id,
          course_id: comment.lesson.course_id,
          lesson_id: comment.lesson.id,
          lesson_title: comment.lesson.title,
          student_id: null,
          agent_name: agent.name,
          locale: club.locale,
          content: comment.body,
          history: []
        })
        // Where there is no question, or nothing to read, nobody was asked.
        if (answer._tag === "Silence" && answer.reason !== "low_confidence") return silent(answer.reason)
        const body = answer._tag === "Silence" || answer.confidence < leastConfidence ? "" : bodyOf(answer.content)
        if (body === "") return yield* unsure(club)
        const written = yield* write(club, id, body).pipe(
          Effect.catchTag("BudgetUsedUp", () => Effect.succeed("used up" as const))
        )
        if (written === "used up") return silent("budget_exhausted")
        if (Option.isNone(written)) return yield* tooLate(club, id)
        const outcome: Outcome = { _tag: "Written", comment: written.value }
        return outcome
      })

      return Replies.of({ reply })
    })
  )

  /** Still asking for who answers, and for the comments. */
  static readonly layer = this.layerNoDeps.pipe(Layer.provide([Agents.layer, AssistantBudget.layer]))
}
