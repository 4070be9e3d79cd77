import { Context, DateTime, Duration, Effect, Layer, Schedule, Schema, type Scope } from "effect"
import { SqlClient } from "effect/sql"
import { type AskedComment, AssistantComments } from "../../conversation/comments/AssistantComments.ts"
import type { CommentId } from "../../conversation/comments/Comment.ts"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import { StudentRows } from "../../identity/students/StudentRows.ts"
import type { NotFound } from "../../platform/http/errors.ts"
import { waitsOutside } from "../../platform/http/OutsideWaits.ts"
import { boundPerKey } from "../../platform/sql/BoundPerKey.ts"
import { mostFailuresGivenBack } from "../ask/MessageState.ts"
import { AssistantBudget, type BudgetOwner, type BudgetUsedUp, type Unit } from "../AssistantBudget.ts"
import { dayOf } from "../Day.ts"
import { AssistantUnavailable, patience, silenceBefore, SilenceReason } from "./Reply.ts"

/** How long a thread is somebody's: longer than the assistant may think and the database may take. */
const leased = Duration.seconds(40)

/** How often it is looked whether another process is done with a thread. */
const pause = Duration.millis(250)

/** A question that may be put to the assistant now, once: it is paid for. */
export interface Turn {
  readonly body: string
  readonly lesson: NonNullable<AskedComment["lesson"]>
  readonly student_id: StudentId
  readonly unit: Unit
}

/** There is nothing to ask any more. */
export class Silenced extends Schema.TaggedError<Silenced>()("Silenced", { reason: SilenceReason }) {}

/** Another process has the thread. */
class ThreadTaken extends Schema.TaggedError<ThreadTaken>()("ThreadTaken", {}) {}

/** Who may ask the assistant for a reply: one at a time in a thread, whose unit of the club's budget is taken before. */
export class ReplyTurns extends Context.Service<ReplyTurns, {
  /** Waits for whoever has a turn in the thread, then has one and its unit; the turn ends with the scope. */
  take(
    club: BudgetOwner,
    id: CommentId,
    thread_id: CommentId
  ): Effect.Effect<Turn, AssistantUnavailable | BudgetUsedUp | NotFound | Silenced, Scope.Scope>
  /** For a turn in which nobody was asked. Once. */
  giveBack(club: BudgetOwner, turn: Turn): Effect.Effect<void>
  /**
   * For a turn in which the answer failed, once: what is written in a comment can bring that about, so there are as many of
   * these a day for who wrote it as for their own questions, in one sum.
   */
  giveBackFew(club: BudgetOwner, turn: Turn): Effect.Effect<void>
}>()("turma/assistant/ReplyTurns") {
  static readonly layerNoDeps = Layer.effect(
    ReplyTurns,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const budget = yield* AssistantBudget
      const comments = yield* AssistantComments
      const students = yield* StudentRows
      // Here they wait in line; the lease is for other processes, and ends by itself where one is killed.
      const line = boundPerKey(1)

      // Looked at again with the thread in hand: whoever had it may have answered. The budget comes last, where a whole
      // club meets.
      const begin = Effect.fnUntraced(
        function*(club: BudgetOwner, id: CommentId, thread_id: CommentId) {
          const until = DateTime.addDuration(yield* DateTime.now, leased)
          if (!(yield* comments.lease(club.id, thread_id, until))) return yield* new ThreadTaken()
          const comment = yield* comments.find(club.id, id)
          const { body, lesson, student_id } = comment
          const reason = silenceBefore(comment)
          if (reason !== undefined || lesson === null || student_id === null) {
            return yield* new Silenced({ reason: reason ?? "no_material" })
          }
          const { unit } = yield* budget.take(club)
          return { body, lesson, student_id, unit, until }
        },
        sql.withTransaction,
        Effect.catchTag("SqlError", Effect.die)
      )

      const take = Effect.fn("ReplyTurns.take")((club: BudgetOwner, id: CommentId, thread_id: CommentId) =>
        line.take(`${club.id}/${thread_id}`).pipe(
          Effect.andThen(
            Effect.acquireRelease(
              begin(club, id, thread_id),
              ({ until }) => comments.release(club.id, thread_id, until)
            ).pipe(
              Effect.retry({ while: ({ _tag }) => _tag === "ThreadTaken", schedule: Schedule.spaced(pause) }),
              Effect.catchTag("ThreadTaken", Effect.die)
            )
          ),
          Effect.timeoutOrElse({ duration: patience, orElse: () => Effect.fail(new AssistantUnavailable()) }),
          waitsOutside
        )
      )

      const giveBack = Effect.fn("ReplyTurns.giveBack")(
        (club: BudgetOwner, { unit }: Turn) => budget.giveBack(club.id, unit),
        sql.withTransaction,
        Effect.catchTag("SqlError", Effect.die)
      )

      // The row of the day decides, and with it the budget.
      const giveBackFew = Effect.fn("ReplyTurns.giveBackFew")(
        function*(club: BudgetOwner, { student_id, unit }: Turn) {
          yield* students.hold(club.id, student_id)
          const { begins } = dayOf(club.time_zone, yield* DateTime.now)
          const days = yield* sql`
            insert into assistant_days as d (club_id, student_id, day, used, failures_given_back)
            values (${club.id}, ${student_id}, ${begins}::date, 0, 1)
            on conflict (club_id, student_id, day) do update set failures_given_back = d.failures_given_back + 1
            where d.failures_given_back < ${mostFailuresGivenBack}::int
            returning 1`
          if (days.length > 0) yield* budget.giveBack(club.id, unit)
        },
        sql.withTransaction,
        // Of whoever was removed no days are kept.
        Effect.catchTag(["NotFound", "StudentRemoved"], () => Effect.void),
        Effect.catchTag("SqlError", Effect.die)
      )

      return ReplyTurns.of({ take, giveBack, giveBackFew })
    })
  )

  /** Still asking for the comments. */
  static readonly layer = this.layerNoDeps.pipe(Layer.provide([AssistantBudget.layer, StudentRows.layer]))
}
