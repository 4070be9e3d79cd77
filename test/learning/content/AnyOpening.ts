import { Arbitrary, DateTime, Schema } from "effect"
import type { Opening } from "../../../src/learning/content/Opening.ts"

const minutes = (text: string) => Math.floor(DateTime.makeUnsafe(text).epochMilliseconds / 60_000)

/** A moment of the years in which clubs open lessons, and in which clocks were changed at midnight. */
export const Moment = Arbitrary.map(
  Arbitrary
    .schema(Schema.Int
      .check(Schema.isBetween({ minimum: minutes("2005-01-01T00:00:00Z"), maximum: minutes("2035-01-01T00:00:00Z") }))),
  (minute) => DateTime.makeUnsafe(minute * 60_000)
)

/** Time zones on both ends of the day, with clocks that change at midnight, by half an hour, or never. */
export const zones = [
  "UTC",
  "America/Sao_Paulo",
  "America/Havana",
  "America/Asuncion",
  "America/Santiago",
  "Atlantic/Azores",
  "Africa/Cairo",
  "Asia/Beirut",
  "Asia/Kathmandu",
  "Australia/Lord_Howe",
  "Europe/Lisbon",
  "Pacific/Kiritimati",
  "Pacific/Pago_Pago"
] as const

/** One of these time zones. */
export const Zone = Schema.Literals(zones)

const Kind = Schema.Union([
  Schema.Struct({ days: Schema.Literals([0, 1, 2, 7, 30, 180, 3650]) }),
  Schema.Struct({ moment: Schema.Literals(["2005-03-01T12:34:00Z", "2018-11-04T03:00:00Z", "2034-12-31T23:59:00Z"]) }),
  Schema.Struct({})
])

/** Any opening of a module or a lesson. */
export const AnyOpening = Arbitrary.map(
  Arbitrary.schema(Kind),
  (kind): Opening => ({
    opens_after_days: "days" in kind ? kind.days : null,
    opens_at: "moment" in kind ? DateTime.makeUnsafe(kind.moment) : null
  })
)
