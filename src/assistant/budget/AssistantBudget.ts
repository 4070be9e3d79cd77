import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { Metering } from "../../commerce/billing/account/Metering.ts"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { first, one } from "../../platform/sql/Rows.ts"
import { type ClubPeriod, monthOf } from "./ClubPeriod.ts"

/** The resource of the billing catalog that counts the assistant's answers. */
const resource = "assistant_messages"

/**
 * The number of failures a day that give a student's units back. It counts failed answers that a worker had claimed and
 * failed replies to the student's comments together. Limited, because a student's text can cause them.
 */
export const mostFailuresGivenBack = 5

/** The club whose budget it is. */
export interface BudgetOwner {
  readonly id: ClubId
  /** In which its days and months are counted. */
  readonly day_zone: string
}

/** The budget is used up until `until`. */
export class BudgetUsedUp extends Schema.TaggedError<BudgetUsedUp>()("BudgetUsedUp", {
  until: Schema.DateTimeUtc
}) {}

/** The month and the plan's period of a unit, to give it back there. */
export interface BudgetUnit {
  /** The first day of the club's month, `YYYY-MM-DD`. */
  readonly month: string
  /** The start of the period of the club's plan; `null` if the plan does not count the unit. */
  readonly plan_period: DateTime.Utc | null
}

/** A unit, and whether it was the last one. */
export interface TakenUnit {
  readonly unit: BudgetUnit
  readonly exhausted: boolean
}

const MonthRow = Schema.Struct({ month: Schema.String, exhausted: Schema.Boolean })

/** True if the club's own budget of the month that begins on this day is used up, as a value of a statement. */
export const monthBudgetUsedUp = (sql: SqlClient.SqlClient, club_id: ClubId | Fragment, month: string): Fragment =>
  sql`coalesce((
    select coalesce(m.used, 0) >= a.monthly_budget
    from agents a left join assistant_months m on m.club_id = a.club_id and m.month = ${month}::date
    where a.club_id = ${club_id}
  ), false)`

const decodeMonth = first(MonthRow)
const decodeExhausted = one(Schema.Struct({ exhausted: Schema.Boolean }))

/**
 * The answers that a club may have. Its own limit counts by month, in its time zone. The plan's limit counts by the
 * plan's period. A unit counts in both.
 */
export class AssistantBudget extends Context.Service<AssistantBudget, {
  /**
   * Takes one unit in the caller's transaction. Call it late: from here on all of the club's students wait for the end
   * of the transaction. The transaction must fail with `BudgetUsedUp`, because then it may hold half of the unit.
   */
  take(club: BudgetOwner): Effect.Effect<TakenUnit, BudgetUsedUp>
  /** Gives a unit back, in the caller's transaction. Call it once for each unit. */
  giveBack(club_id: ClubId, unit: BudgetUnit): Effect.Effect<void>
  /** True if the budget is used up now. */
  exhausted(club: BudgetOwner): Effect.Effect<boolean>
  /** True if the club has used up its plan. Asks the database only if clubs can have plans. */
  planUsedUp(club_id: ClubId): Effect.Effect<boolean>
}>()("turma/assistant/budget/AssistantBudget") {
  static readonly layer = Layer.effect(
    AssistantBudget,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const metering = yield* Metering

      const budgetOf = (club_id: Fragment) => sql`(select monthly_budget from agents a where a.club_id = ${club_id})`

      // The update checks the newest version of the row, so concurrent questions never take more units than there are.
      const takeFromMonth = Effect.fnUntraced(function*(id: ClubId, { begins, ends }: ClubPeriod) {
        const taken = yield* sql`
          insert into assistant_months as m (club_id, month, used)
          select a.club_id, ${begins}::date, 1 from agents a
          where a.club_id = ${id} and (a.monthly_budget is null or a.monthly_budget > 0)
          on conflict (club_id, month) do update set used = m.used + 1
          where m.used < coalesce(${budgetOf(sql`m.club_id`)}, m.used + 1)
          returning month::text, ${budgetOf(sql`m.club_id`)} is not distinct from used as exhausted`.pipe(decodeMonth)
        if (Option.isNone(taken)) return yield* new BudgetUsedUp({ until: ends })
        return taken.value
      })

      const monthUsedUp = Effect.fnUntraced(function*(id: ClubId, { begins }: ClubPeriod) {
        const { exhausted } = yield* sql`select ${monthBudgetUsedUp(sql, id, begins)} as exhausted`
          .pipe(decodeExhausted)
        return exhausted
      })

      // If month and plan are both used up, new units come when the later of the two begins anew.
      const takeFromPlan = (id: ClubId, month: ClubPeriod) =>
        metering.take(id, resource, 1).pipe(Effect.catchTag("ResourceUsedUp", ({ until }) =>
          Effect.flatMap(monthUsedUp(id, month), (both) =>
            Effect.fail(new BudgetUsedUp({ until: both ? DateTime.max(until, month.ends) : until })))))

      // The plan's row is locked before the month's, as in `giveBack`, so that the two cannot deadlock.
      const take = Effect.fn("AssistantBudget.take")(function*({ day_zone, id }: BudgetOwner) {
        const month = monthOf(day_zone, yield* DateTime.now)
        const plan = yield* takeFromPlan(id, month)
        const taken = yield* takeFromMonth(id, month)
        return {
          unit: { month: taken.month, plan_period: Option.getOrNull(plan)?.period_start ?? null },
          exhausted: taken.exhausted || Option.exists(plan, ({ exhausted }) => exhausted)
        }
      })

      const giveBack = Effect.fn("AssistantBudget.giveBack")(function*(club_id: ClubId, unit: BudgetUnit) {
        const { month, plan_period } = unit
        if (plan_period !== null) yield* metering.giveBack(club_id, { resource, period_start: plan_period, units: 1 })
        yield* sql`
          update assistant_months set used = used - 1
          where club_id = ${club_id} and month = ${month}::date and used > 0`
      }, Effect.orDie)

      const planUsedUp = (club_id: ClubId) => metering.exhausted(club_id, resource)

      const exhausted = Effect.fn("AssistantBudget.exhausted")(function*({ day_zone, id }: BudgetOwner) {
        const month = monthOf(day_zone, yield* DateTime.now)
        return (yield* monthUsedUp(id, month)) || (yield* planUsedUp(id))
      })

      return AssistantBudget.of({ take, giveBack, exhausted, planUsedUp })
    })
  )
}
