import { Context, DateTime, Duration, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import { dayZoneOf } from "../../../identity/people/DayZone.ts"
import { faultsDie, one, rows } from "../../../platform/sql/Rows.ts"
import { dayOf } from "../../budget/ClubPeriod.ts"
import { processorLimit } from "./Pdf.ts"

/** Processor time for all documents of a club on one of its days: enough for more than a thousand handouts. */
const dayBudget = Duration.minutes(10)

/** The club's documents have used the day's processor time. */
export class ReadingBudgetUsedUp extends Schema.TaggedError<ReadingBudgetUsedUp>()("ReadingBudgetUsedUp", {
  /** When the club's next day begins. */
  until: Schema.DateTimeUtc
}) {}

/** Processor time set aside for one document. */
interface Reservation {
  readonly club_id: ClubId
  readonly day: string
}

const reservedMillis = Duration.toMillis(processorLimit)

const decodeZone = one(Schema.Struct({ day_zone: Schema.String }))

const decodeTaken = rows(Schema.Struct({ day: Schema.String }))

/** Limits the processor time that reading a club's documents takes. */
export class ReadingBudget extends Context.Service<ReadingBudget, {
  /** Sets aside the most that one document can take, so that a process that dies while reading has paid for it. */
  take(club_id: ClubId): Effect.Effect<Reservation, ReadingBudgetUsedUp>
  /** Gives back the part that was not used. `spent_ms`: milliseconds of the processor. */
  settle(reservation: Reservation, spent_ms: number): Effect.Effect<void>
}>()("turma/assistant/material/documents/ReadingBudget") {
  static readonly layer = Layer.effect(
    ReadingBudget,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const take = Effect.fn("ReadingBudget.take")(function*(club_id: ClubId) {
        const now = yield* DateTime.now
        const { day_zone } = yield* sql`
          select ${dayZoneOf(sql, sql`c`, DateTime.toDateUtc(now))} as day_zone from clubs c where c.id = ${club_id}`
          .pipe(decodeZone)
        const { begins, ends } = dayOf(day_zone, now)
        const taken = yield* sql`
          insert into material_turns as t (club_id, taken_at, day, spent_ms)
          values (${club_id}, ${DateTime.toDateUtc(now)}, ${begins}::date, ${reservedMillis})
          on conflict (club_id) do update
            set day = greatest(t.day, excluded.day),
              spent_ms = excluded.spent_ms + case when t.day >= excluded.day then t.spent_ms else 0 end
            where t.day is null or t.day < excluded.day
              or t.spent_ms + excluded.spent_ms <= ${Duration.toMillis(dayBudget)}
          returning day::text`.pipe(decodeTaken)
        // After a move to the west the date may be earlier than the counted one. That is not a new day.
        const [reserved] = taken
        if (reserved === undefined) return yield* new ReadingBudgetUsedUp({ until: ends })
        return { club_id, day: reserved.day }
      }, faultsDie)

      const settle = Effect.fn("ReadingBudget.settle")(function*({ club_id, day }: Reservation, spent_ms: number) {
        yield* sql`
          update material_turns set spent_ms = greatest(spent_ms - ${reservedMillis} + ${spent_ms}, 0)
          where club_id = ${club_id} and day = ${day}::date`
      }, Effect.orDie)

      return ReadingBudget.of({ take, settle })
    })
  )
}
