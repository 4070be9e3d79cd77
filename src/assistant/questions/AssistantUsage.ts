import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { AssistantComments } from "../../conversation/comments/AssistantComments.ts"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { instants } from "../../platform/sql/Arrays.ts"
import { scanning } from "../../platform/sql/ReadLane.ts"
import { one } from "../../platform/sql/Rows.ts"
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

/** The usage of a club's assistant, for its staff. */
export class AssistantUsage extends Context.Service<AssistantUsage, {
  /** By the club's days. Two statements, one more if clubs can have plans. */
  of(club: BudgetOwner, window: UsageWindow): Effect.Effect<Usage>
}>()("turma/assistant/questions/AssistantUsage") {
  /** Leaves `AssistantComments` to the caller. */
  static readonly layer = Layer.effect(
    AssistantUsage,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const budget = yield* AssistantBudget
      const comments = yield* AssistantComments

      // Each day is a range of an index that has all that is counted: putting rows into days takes three times as long.
      const asked = (club_id: ClubId, { begins }: ClubDays, month: string) =>
        sql`
          select
            (
              select coalesce(json_agg(d), '[]') from (
                select day.number as day, asked.*
                from unnest(${instants(begins)}, ${instants([...begins.slice(1), null])}) with ordinality
                  as day (begins, ends, number)
                cross join lateral (
                  select count(*) as questions,
                    count(*) filter (where status = 'completed') as answered,
                    count(*) filter (where status = 'failed') as failed,
                    count(*) filter (where status = 'canceled') as canceled, count(month) as cost
                  from messages
                  where club_id = ${club_id} and role = 'assistant' and created_at >= day.begins
                    and created_at < coalesce(day.ends, 'infinity')
                ) asked
              ) d
            ) as days,
            a.monthly_budget, coalesce(m.used, 0) as used, ${monthBudgetUsedUp(sql, club_id, month)} as exhausted
          from agents a left join assistant_months m on m.club_id = a.club_id and m.month = ${month}::date
          where a.club_id = ${club_id}`.pipe(decodeAsked)

      const of = Effect.fn("AssistantUsage.of")(function*({ day_zone, id }: BudgetOwner, window: UsageWindow) {
        const now = yield* DateTime.now
        const days = lastDays(day_zone, now, daysOf[window])
        const month = monthOf(day_zone, now)
        const [found, replies, planUsedUp] = yield* Effect.all([
          scanning(asked(id, days, month.begins)),
          scanning(comments.countByDay(id, days.begins)),
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
  ).pipe(Layer.provide(AssistantBudget.layer))
}
