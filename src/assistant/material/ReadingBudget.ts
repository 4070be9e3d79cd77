import { Context, DateTime, Duration, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { dayOf } from "../Day.ts"
import { processorLimit } from "./Pdf.ts"

/** Of the processor's time, for all documents of a club on one of its days: more than a thousand handouts. */
export const dayBudget = Duration.minutes(10)

/** The club's documents have taken what they may on this day. */
export class BudgetSpent extends Schema.TaggedError<BudgetSpent>()("BudgetSpent", {
  /** When its next day begins. */
  until: Schema.DateTimeUtc
}) {}

/** What was set aside for one document. */
interface Taken {
  readonly club_id: ClubId
  readonly day: string
}

const mostMillis = Duration.toMillis(processorLimit)

const decodeZones = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ time_zone: Schema.String })]))

/** What reading a club's documents may cost. */
export class ReadingBudget extends Context.Service<ReadingBudget, {
  /** Sets aside what a document takes at most: who is killed while reading has taken all of it. */
  take(club_id: ClubId): Effect.Effect<Taken, BudgetSpent>
  /** Says what it has taken, in milliseconds of the processor; the rest is the club's again. */
  settle(taken: Taken, spent_ms: number): Effect.Effect<void>
}>()("turma/assistant/material/ReadingBudget") {
  static readonly layer = Layer.effect(
    ReadingBudget,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const take = Effect.fn("ReadingBudget.take")(function*(club_id: ClubId) {
        const now = yield* DateTime.now
        const [{ time_zone }] = yield* Effect.orDie(decodeZones(
          yield* sql`select time_zone from clubs where id = ${club_id}`
        ))
        const { begins, ends } = dayOf(time_zone, now)
        const taken = yield* sql`
          insert into material_turns as t (club_id, taken_at, day, spent_ms)
          values (${club_id}, ${DateTime.toDateUtc(now)}, ${begins}::date, ${mostMillis})
          on conflict (club_id) do update
            set day = excluded.day,
              spent_ms = excluded.spent_ms + case when t.day = excluded.day then t.spent_ms else 0 end
            where t.day is distinct from excluded.day
              or t.spent_ms + excluded.spent_ms <= ${Duration.toMillis(dayBudget)}
          returning 1`
        if (taken.length === 0) return yield* new BudgetSpent({ until: ends })
        return { club_id, day: begins }
      }, Effect.catchTag("SqlError", Effect.die))

      const settle = Effect.fn("ReadingBudget.settle")(function*({ club_id, day }: Taken, spent_ms: number) {
        yield* sql`
          update material_turns set spent_ms = greatest(spent_ms - ${mostMillis} + ${spent_ms}, 0)
          where club_id = ${club_id} and day = ${day}::date`
      }, Effect.orDie)

      return ReadingBudget.of({ take, settle })
    })
  )
}
