import { DateTime, Schema } from "effect"

/** A moment for properties. A day from 29 to 31 in a shorter month falls into the next month. */
const Moment = Schema.Struct({
  year: Schema.Int.check(Schema.isBetween({ minimum: 1999, maximum: 2101 })),
  month: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 12 })),
  day: Schema.Union([
    Schema.Literals([28, 29, 30, 31]),
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 31 }))
  ]),
  millis: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 86_399_999 }))
})

/** The start for counting months. */
export const Anchor = Moment
export const anchorOf = ({ day, millis, month, year }: typeof Moment.Type) =>
  DateTime.add(DateTime.makeUnsafe({ year, month, day }), { milliseconds: millis })

/** Milliseconds, with many small values. */
export const Wait = Schema.Union([
  Schema.Literals([0, 1, 999, 86_400_000]),
  Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 75 * 86_400_000 }))
])

/** Cents, with many small values. */
export const Price = Schema.Union([
  Schema.Literals([0, 1, 2, 1900]),
  Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100_000_000 }))
])

export const after = (at: DateTime.Utc, millis: number) => DateTime.add(at, { milliseconds: millis })
