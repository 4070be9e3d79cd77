import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import type { ClubId } from "../clubs/Club.ts"
import { monthOf } from "./Day.ts"

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

const Taken = Schema.Struct({ unit: Schema.String, exhausted: Schema.Boolean })
/** A unit, and whether it was the last one. */
export type Taken = typeof Taken.Type

/** Whether this club's answers of the month that begins on this day are used up, as a value of a statement. */
export const budgetUsedUp = (sql: SqlClient.SqlClient, club_id: ClubId, month: string): Fragment =>
  sql`coalesce((
    select coalesce(m.used, 0) >= a.monthly_budget
    from agents a left join assistant_months m on m.club_id = a.club_id and m.month = ${month}::date
    where a.club_id = ${club_id}
  ), false)`

const decodeTaken = Schema.decodeUnknownEffect(Schema.Array(Taken))
const decodeExhausted = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ exhausted: Schema.Boolean })]))

/**
 * How many answers a club may have: so many a month, counted in its time zone. A unit names the month that it is of, so
 * that it goes back to where it came from.
 */
export class AssistantBudget extends Context.Service<AssistantBudget, {
  /** One unit, in the caller's transaction: late in it, as here all of a club's students meet until it ends. */
  take(club: BudgetOwner): Effect.Effect<Taken, BudgetUsedUp>
  /** In the caller's transaction, once for a unit. */
  giveBack(club_id: ClubId, unit: string): Effect.Effect<void>
  /** Whether nothing is left now. */
  exhausted(club: BudgetOwner): Effect.Effect<boolean>
}>()("turma/assistant/AssistantBudget") {
  static readonly layer = Layer.effect(
    AssistantBudget,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const budgetOf = (club_id: Fragment) => sql`(select monthly_budget from agents a where a.club_id = ${club_id})`

      // The row's newest version decides, so of several at once no more pass than there are units.
      const take = Effect.fn("AssistantBudget.take")(
        function*({ id, time_zone }: BudgetOwner) {
          const { begins, ends } = monthOf(time_zone, yield* DateTime.now)
          const rows = yield* sql`
            insert into assistant_months as m (club_id, month, used)
            select a.club_id, ${begins}::date, 1 from agents a
            where a.club_id = ${id} and (a.monthly_budget is null or a.monthly_budget > 0)
            on conflict (club_id, month) do update set used = m.used + 1
            where m.used < coalesce(${budgetOf(sql`m.club_id`)}, m.used + 1)
            returning month::text as unit, ${budgetOf(sql`m.club_id`)} is not distinct from used as exhausted`
          const [taken] = yield* decodeTaken(rows)
          return taken ?? (yield* new BudgetUsedUp({ until: ends }))
        },
        Effect.catchTag(["SchemaError", "SqlError"], Effect.die)
      )

      const giveBack = Effect.fn("AssistantBudget.giveBack")(function*(club_id: ClubId, unit: string) {
        yield* sql`
          update assistant_months set used = used - 1
          where club_id = ${club_id} and month = ${unit}::date and used > 0`
      }, Effect.orDie)

      const exhausted = Effect.fn("AssistantBudget.exhausted")(function*({ id, time_zone }: BudgetOwner) {
        const { begins } = monthOf(time_zone, yield* DateTime.now)
        const [row] = yield* Effect.flatMap(
          sql`select ${budgetUsedUp(sql, id, begins)} as exhausted`,
          decodeExhausted
        )
        return row.exhausted
      }, Effect.orDie)

      return AssistantBudget.of({ take, giveBack, exhausted })
    })
  )
}
