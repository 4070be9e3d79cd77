import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { AssistantComments } from "../../conversation/comments/AssistantComments.ts"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { instants } from "../../platform/sql/Arrays.ts"
import { one } from "../../platform/sql/Rows.ts"
import { floorOf } from "../../platform/sql/Uuid7.ts"
import { AssistantBudget, type BudgetOwner, monthBudgetUsedUp } from "../budget/AssistantBudget.ts"
import { type ClubDays, lastDays, monthOf } from "../budget/ClubPeriod.ts"
import { daysOf, type Usage, UsageDay, type UsageWindow } from "./Usage.ts"

const { answered, canceled, cost, failed, questions } = UsageDay.fields

const decodeAsked = one(Schema.Struct({
  days: Schema.Array(Schema.Struct({ day: Schema.Int, answered, canceled, cost, failed, questions })),
  monthly_budget: Schema.NullOr(Schema.Int),
  used: Schema.Int,
  exhausted: Schema.Boolean
}))

/** What the assistant of a club did, for its staff. */
export class AssistantUsage extends Context.Service<AssistantUsage, {
  /** By the club's days. Two statements, one more where clubs can have plans. */
  of(club: BudgetOwner, window: UsageWindow): Effect.Effect<Usage>
}>()("turma/assistant/questions/AssistantUsage") {
  static readonly layerNoDeps = Layer.effect(
    AssistantUsage,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const budget = yield* AssistantBudget
      const comments = yield* AssistantComments

      // Ended answers are counted along an index that has all of them; those being generated are few. The id of a question is
      // made after its time, so no question of these days has an id from before them.
      const asked = (club_id: ClubId, { begins }: ClubDays, month: string) => {
        const ofDays = sql`
          club_id = ${club_id} and role = 'assistant' and reply_to >= ${floorOf(begins[0])}::uuid
            and created_at >= ${DateTime.toDateUtc(begins[0])}`
        return sql`
          select
            (
              select coalesce(json_agg(d), '[]') from (
                select width_bucket(created_at, ${instants(begins)}) as day,
                  count(*) as questions,
                  count(*) filter (where status = 'completed') as answered,
                  count(*) filter (where status = 'failed') as failed,
                  count(*) filter (where status = 'canceled') as canceled, count(month) as cost
                from (
                  select created_at, status, month from messages
                  where ${ofDays} and status in ('completed', 'failed', 'canceled') and status <> 'generating'
                  union all
                  select created_at, status, month from messages where ${ofDays} and status = 'generating'
                ) r
                group by 1
              ) d
            ) as days,
            a.monthly_budget, coalesce(m.used, 0) as used, ${monthBudgetUsedUp(sql, club_id, month)} as exhausted
          from agents a left join assistant_months m on m.club_id = a.club_id and m.month = ${month}::date
          where a.club_id = ${club_id}`.pipe(decodeAsked)
      }

      const of = Effect.fn("AssistantUsage.of")(function*({ id, time_zone }: BudgetOwner, window: UsageWindow) {
        const now = yield* DateTime.now
        const days = lastDays(time_zone, now, daysOf[window])
        const month = monthOf(time_zone, now)
        const [found, replies, planUsedUp] = yield* Effect.all([
          asked(id, days, month.begins),
          comments.countByDay(id, days.begins),
          budget.planUsedUp(id)
        ], { concurrency: "unbounded" })
        const questionsOf = new Map(found.days.map((one) => [one.day, one]))
        return {
          from: days.begins[0],
          until: days.ends,
          days: days.dates.map((date, index) => {
            const { answered = 0, canceled = 0, cost = 0, failed = 0, questions = 0 } = questionsOf.get(index + 1) ?? {}
            const replied = replies.get(index + 1) ?? 0
            return { date, questions, answered, failed, canceled, replies: replied, cost: cost + replied }
          }),
          budget: {
            month: month.begins,
            monthly_budget: found.monthly_budget,
            used: found.used,
            exhausted: found.exhausted || planUsedUp,
            resets_at: month.ends
          }
        }
      })

      return AssistantUsage.of({ of })
    })
  )

  /** Leaves `AssistantComments` to the caller. */
  static readonly layer = this.layerNoDeps.pipe(Layer.provide(AssistantBudget.layer))
}
