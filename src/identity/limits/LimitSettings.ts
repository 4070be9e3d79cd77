import { Config, Schema } from "effect"
import { setting } from "../../platform/config/Setting.ts"

const perMinute = (variable: string, fallback: string, meaning: string) =>
  setting(
    { variable, fallback, meaning, expected: "an integer of at least 1", example: fallback },
    (variable) => Config.schema(Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)), variable)
  )

/** The caps of the contract (Limits, Rate limits), in requests per minute. */
export const limitSettings = {
  RATE_LIMIT_WRITES: perMinute("RATE_LIMIT_WRITES", "60", "writes per minute of a club, or of an IP outside clubs"),
  RATE_LIMIT_CREDENTIALS: perMinute(
    "RATE_LIMIT_CREDENTIALS",
    "10",
    "POSTs on /v1/auth per minute and IP; wrong `INTERNAL_SECRET`s have a count of their own"
  ),
  RATE_LIMIT_PLATFORM_HOOK: perMinute("RATE_LIMIT_PLATFORM_HOOK", "600", "inbound sales hooks per minute and IP"),
  RATE_LIMIT_CLASSROOM: perMinute("RATE_LIMIT_CLASSROOM", "600", "writes per minute of a student")
}
