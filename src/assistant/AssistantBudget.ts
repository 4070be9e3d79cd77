import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { Metering } from "../commerce/billing/Metering.ts"
import type { ClubId } from "../identity/ids/ClubId.ts"
import { monthOf, type Period } from "./Day.ts"

/** What the catalog of plans calls an answer of the assistant. */
const resource = "assistant_messages"

/** Whose budget it is. */
export interface BudgetOwner {
  readonly id: ClubId
  /** Where its months begin. */
  readonly time_zone: string
}

/** There is nothing left until then. */
export class BudgetUsedUp extends Schema.TaggedError<BudgetUsedUp>()("BudgetUsedUp", {
  until: Schema.DateTimeUtc
}) {}

/** Where a unit came from, so that it goes back there. */
export interface Unit {
  /** The first day of the club's month, `YYYY-MM-DD`. */
  readonly month: string
  /** When the period of the club's plan began; `null` where none counted it. */
  readonly plan_period: DateTime.Utc | null
}

/** A unit, and whether it was the last one. */
export interface Taken {
  readonly unit: Unit
  readonly exhausted: boolean
}

const OfMonth = Schema.Struct({ month: Schema.String, exhausted: Schema.Boolean })

/** Whether the club's own budget of the month that begins on this day is used up, as a value of a statement. */
export const budgetUsedUp = (sql: SqlClient.SqlClient, club_id: ClubId, month: string): Fragment =>
  sql`coalesce((
    select coalesce(m.used, 0) >= a.monthly_budget
    from agents a left join assistant_months m on m.club_id = a.club_id and m.month = ${month}::date
    where a.club_id = ${club_id}
  ), false)`

const decodeOfMonth = Schema.decodeUnknownEffect(Schema.Array(OfMonth))
const decodeExhausted = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ exhausted: Schema.Boolean })]))

/**
 * How many answers a club may have: as many a month, counted in its time zone, as it allows itself, and as many in a period
 * of its plan as that grants. A unit is one of each.
 */
export class AssistantBudget extends Context.Service<AssistantBudget, {
  /**
   * One unit, in the caller's transaction: late in it, as here all of a club's students meet until it ends. It has to fail
   * with this, as half a unit may be taken then.
   */
  take(club: BudgetOwner): Effect.Effect<Taken, BudgetUsedUp>
  /** In the caller's transaction, once for a unit. */
  giveBack(club_id: ClubId, unit: Unit): Effect.Effect<void>
  /** Whether nothing is left now. */
  exhausted(club: BudgetOwner): Effect.Effect<boolean>
  /** Whether nothing is left of what the club's plan grants. Asks the database only where clubs can have plans. */
  planUsedUp(club_id: ClubId): Effect.Effect<boolean>
}>()("turma/assistant/AssistantBudget") {
  static readonly layer = Layer.effect(
    AssistantBudget,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const metering = yield* Metering

      const budgetOf = (club_id: Fragment) => sql`(select monthly_budget from agents a where a.club_id = ${club_id})`

      // The row's newest version decides, so of several at once no more pass than there are units.
      const takeOfMonth = Effect.fnUntraced(function*(id: ClubId, { begins, ends }: Period) {
        const rows = yield* sql`
          insert into assistant_months as m (club_id, month, used)
          select a.club_id, ${begins}::date, 1 from agents a
          where a.club_id = ${id} and (a.monthly_budget is null or a.monthly_budget > 0)
          on conflict (club_id, month) do update set used = m.used + 1
          where m.used < coalesce(${budgetOf(sql`m.club_id`)}, m.used + 1)
          returning month::text, ${budgetOf(sql`m.club_id`)} is not distinct from used as exhausted`
        const [taken] = yield* decodeOfMonth(rows)
        return taken ?? (yield* new BudgetUsedUp({ until: ends }))
      }, Effect.catchTag(["SchemaError", "SqlError"], Effect.die))

      const monthUsedUp = Effect.fnUntraced(function*(id: ClubId, { begins }: Period) {
        const rows = yield* sql`select ${budgetUsedUp(sql, id, begins)} as exhausted`
        const [{ exhausted }] = yield* decodeExhausted(rows)
        return exhausted
      }, Effect.orDie)

      // Where both are used up, there is something again when both begin anew.
      const takeOfPlan = (id: ClubId, month: Period) =>
        metering.take(id, resource, 1).pipe(
          Effect.catchTag("ResourceUsedUp", ({ until }) =>
            Effect.flatMap(monthUsedUp(id, month), (both) =>
              Effect.fail(new BudgetUsedUp({ until: both ? DateTime.max(until, month.ends) : until }))))
        )

      // The plan's first: whoever waits there has nothing yet that a unit which goes back would wait for.
      const take = Effect.fn("AssistantBudget.take")(function*({ id, time_zone }: BudgetOwner) {
        const month = monthOf(time_zone, yield* DateTime.now)
        const ofPlan = yield* takeOfPlan(id, month)
        const ofMonth = yield* takeOfMonth(id, month)
        return {
          unit: { month: ofMonth.month, plan_period: Option.getOrNull(ofPlan)?.period_start ?? null },
          exhausted: ofMonth.exhausted || Option.exists(ofPlan, ({ exhausted }) => exhausted)
        }
      })

      const giveBack = Effect.fn("AssistantBudget.giveBack")(function*(club_id: ClubId, unit: Unit) {
        const { month, plan_period } = unit
        if (plan_period !== null) yield* metering.giveBack(club_id, { resource, period_start: plan_period, units: 1 })
        yield* sql`
          update assistant_months set used = used - 1
          where club_id = ${club_id} and month = ${month}::date and used > 0`
      }, Effect.orDie)

      const planUsedUp = (club_id: ClubId) => metering.exhausted(club_id, resource)

      const exhausted = Effect.fn("AssistantBudget.exhausted")(function*({ id, time_zone }: BudgetOwner) {
        const month = monthOf(time_zone, yield* DateTime.now)
        return (yield* monthUsedUp(id, month)) || (yield* planUsedUp(id))
      })

      return AssistantBudget.of({ take, giveBack, exhausted, planUsedUp })
    })
  )
}
