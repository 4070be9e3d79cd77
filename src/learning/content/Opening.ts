import { DateTime, Effect, Schema } from "effect"
import { ApiError } from "../../platform/http/ApiError.ts"
import { field } from "../../platform/http/Field.ts"
import { Timestamp } from "../../platform/http/Timestamp.ts"
import { InstantOrNull } from "../../platform/schema/Instant.ts"

/** When a module or a lesson opens for a student. It has at most one of the two; without them it is open at once. */
export interface Opening {
  /** Whole days of the club after the day on which the student's access began. */
  readonly opens_after_days: number | null
  readonly opens_at: DateTime.Utc | null
}

const Days = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 3650 }))

const about = {
  opens_after_days:
    "How many days after the student's access began it opens, at 00:00 of the club's time zone. The day of the beginning is day 0",
  opens_at: "The moment at which it opens, for all students"
}

/** The fields of an opening in answers. */
export const openingFields = {
  opens_after_days: Schema.NullOr(Days).pipe(field(`${about.opens_after_days}; null: it does not wait for that`, null)),
  opens_at: InstantOrNull.pipe(field(`${about.opens_at}; null: it waits for no moment`, null))
}

/** The fields of an opening in requests. */
export const openingInput = {
  opens_after_days: Schema.optionalKey(Schema.NullOr(Days))
    .pipe(field(`${about.opens_after_days}; null: it does not wait for that`, 0)),
  opens_at: Schema.optionalKey(Schema.NullOr(Timestamp))
    .pipe(field(`${about.opens_at}; null: it waits for no moment. Not beside \`opens_after_days\``, null))
}

/** Both ways to open at once. */
export class OpeningAmbiguous extends ApiError<OpeningAmbiguous>()("OpeningAmbiguous", {
  status: 422,
  code: "opening_ambiguous",
  message: {
    en: "opens_at must be null beside opens_after_days: choose one of the two",
    "pt-BR": "Escolha um dos dois: abrir depois de alguns dias ou em uma data."
  }
}) {}

/** The opening after a change. Absent fields are unchanged. */
export const openingAfter = (
  before: Opening,
  { opens_after_days = before.opens_after_days, opens_at = before.opens_at }: Partial<Opening>
): Effect.Effect<Opening, OpeningAmbiguous> =>
  opens_after_days !== null && opens_at !== null
    ? Effect.fail(new OpeningAmbiguous())
    : Effect.succeed({ opens_after_days, opens_at })

/** An opening that is not set. */
export const openAtOnce: Opening = { opens_after_days: null, opens_at: null }

/** True if a change names a field of the opening. */
export const changesOpening = (patch: Partial<Opening>): boolean => "opens_after_days" in patch || "opens_at" in patch

/** The columns of an opening. */
export const openingRow = ({ opens_after_days, opens_at }: Opening) => ({
  opens_after_days,
  opens_at: opens_at && DateTime.toDateUtc(opens_at)
})
