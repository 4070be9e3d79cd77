import { Context, DateTime, Duration, Effect, Layer, Schedule, Schema, type Scope } from "effect"
import { SqlClient } from "effect/sql"
import { type AskedComment, AssistantComments } from "../../conversation/comments/AssistantComments.ts"
import type { CommentId } from "../../conversation/comments/Comment.ts"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import { StudentLocks } from "../../identity/students/StudentLocks.ts"
import type { NotFound } from "../../platform/http/errors.ts"
import { waitsOutside } from "../../platform/http/request/OutsideWaits.ts"
import { boundPerKey } from "../../platform/sql/BoundPerKey.ts"
import { faultsDie } from "../../platform/sql/Rows.ts"
import {
  AssistantBudget,
  type BudgetOwner,
  type BudgetUnit,
  type BudgetUsedUp,
  mostFailuresGivenBack
} from "../budget/AssistantBudget.ts"
import { dayOf } from "../budget/ClubPeriod.ts"
import { AssistantUnavailable, reasonForSilence, replyTimeLimit, SilenceReason } from "./Reply.ts"

/** The lease of a thread: longer than the assistant and the database may take together. */
const leaseTime = Duration.seconds(40)

/** How often to try again while another process has the thread's lease. */
const retryEvery = Duration.millis(250)

/** The lease of a comment's thread, with the question and the unit that it took for its reply. */
export interface ReplyLease {
  readonly body: string
  readonly lesson: NonNullable<AskedComment["lesson"]>
  readonly student_id: StudentId
  readonly unit: BudgetUnit
}

/** The comment gets no reply any more. */
export class NothingToAnswer
  extends Schema.TaggedError<NothingToAnswer>()("NothingToAnswer", { reason: SilenceReason })
{}

/** Another process has the thread's lease. */
class ThreadLeased extends Schema.TaggedError<ThreadLeased>()("ThreadLeased", {}) {}

/** Lets one caller at a time ask the assistant for a reply in a thread, after taking a unit of the club's budget. */
export class ReplyLeases extends Context.Service<ReplyLeases, {
  /** Waits for the thread's lease, then takes a unit. The lease ends with the scope. */
  take(
    club: BudgetOwner,
    id: CommentId,
    thread_id: CommentId
  ): Effect.Effect<ReplyLease, AssistantUnavailable | BudgetUsedUp | NotFound | NothingToAnswer, Scope.Scope>
  /** Gives the unit back if the assistant was not asked. Call it once. */
  giveBack(club: BudgetOwner, lease: ReplyLease): Effect.Effect<void>
  /**
   * Gives the unit back if the assistant failed. The author of the comment gets back at most `mostFailuresGivenBack` a
   * day, counted together with the failures of their own questions. Call it once.
   */
  giveBackLimited(club: BudgetOwner, lease: ReplyLease): Effect.Effect<void>
}>()("turma/assistant/replies/ReplyLeases") {
  /** Leaves `AssistantComments` to the caller. */
  static readonly layer = Layer.effect(
    ReplyLeases,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const budget = yield* AssistantBudget
      const comments = yield* AssistantComments
      const students = yield* StudentLocks
      // Callers in this process wait for each other here. The lease in the database keeps out other processes, and
      // expires if a process is killed.
      const threads = boundPerKey({ places: 1 })

      // Reads the comment again under the lease, because the last holder may have replied. The budget comes last,
      // because the whole club waits for its row.
      const leaseThread = Effect.fnUntraced(
        function*(club: BudgetOwner, id: CommentId, thread_id: CommentId) {
          const until = DateTime.addDuration(yield* DateTime.now, leaseTime)
          if (!(yield* comments.lease(club.id, thread_id, until))) return yield* new ThreadLeased()
          const comment = yield* comments.find(club.id, id)
          const { body, lesson, student_id } = comment
          const reason = reasonForSilence(comment)
          if (reason !== undefined || lesson === null || student_id === null) {
            return yield* new NothingToAnswer({ reason: reason ?? "no_material" })
          }
          const { unit } = yield* budget.take(club)
          return { body, lesson, student_id, unit, until }
        },
        sql.withTransaction,
        faultsDie
      )

      const take = Effect.fn("ReplyLeases.take")((club: BudgetOwner, id: CommentId, thread_id: CommentId) =>
        threads.take(`${club.id}/${thread_id}`).pipe(
          Effect.andThen(Effect.acquireRelease(
            leaseThread(club, id, thread_id),
            ({ until }) => comments.release(club.id, thread_id, until)
          ).pipe(
            Effect.retry({ while: ({ _tag }) => _tag === "ThreadLeased", schedule: Schedule.spaced(retryEvery) }),
            Effect.catchTag("ThreadLeased", Effect.die)
          )),
          Effect.timeoutOrElse({ duration: replyTimeLimit, orElse: () => Effect.fail(new AssistantUnavailable()) }),
          waitsOutside
        )
      )

      const giveBack = Effect.fn("ReplyLeases.giveBack")(
        (club: BudgetOwner, { unit }: ReplyLease) => budget.giveBack(club.id, unit),
        sql.withTransaction,
        faultsDie
      )

      // Gives back only if the day's row has failures left.
      const giveBackLimited = Effect.fn("ReplyLeases.giveBackLimited")(
        function*(club: BudgetOwner, { student_id, unit }: ReplyLease) {
          yield* students.lock(club.id, student_id)
          const { begins } = dayOf(club.day_zone, yield* DateTime.now)
          const days = yield* sql`
            insert into assistant_days as d (club_id, student_id, day, used, failures_given_back)
            values (${club.id}, ${student_id}, ${begins}::date, 0, 1)
            on conflict (club_id, student_id, day) do update set failures_given_back = d.failures_given_back + 1
            where d.failures_given_back < ${mostFailuresGivenBack}::int
            returning 1`
          if (days.length > 0) yield* budget.giveBack(club.id, unit)
        },
        sql.withTransaction,
        // The days of a removed student are deleted.
        Effect.catchTag(["NotFound", "StudentRemoved"], () => Effect.void),
        faultsDie
      )

      return ReplyLeases.of({ take, giveBack, giveBackLimited })
    })
  ).pipe(Layer.provide([AssistantBudget.layer, StudentLocks.layer]))
}
