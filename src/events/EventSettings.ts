import { Config, Duration, Schema } from "effect"
import { setting } from "../platform/config/Setting.ts"

const Positive = Schema.DurationFromString
  .check(Schema.makeFilter((duration: Duration.Duration) =>
    Duration.isGreaterThan(duration, Duration.zero) && Duration.isLessThanOrEqualTo(duration, Duration.days(3650))
  ))

/** How long a body is kept (contract, Retention). */
export const bodyRetention = setting({
  variable: "WEBHOOK_BODY_RETENTION",
  fallback: "30 days",
  meaning: "bodies of messages are kept for this long",
  expected: "a duration of more than 0 and at most 3650 days",
  example: "30 days"
}, (variable) => Config.schema(Positive, variable))

/** How long a fact waits before its body is assembled (contract, Envelope: "assembled seconds after the fact"). */
export const eventSettings = {
  WEBHOOK_ASSEMBLE_DELAY: setting({
    variable: "WEBHOOK_ASSEMBLE_DELAY",
    fallback: "2 seconds",
    meaning: "from a fact to the assembly of its body",
    expected: "a duration of more than 0 and at most 3650 days",
    example: "2 seconds"
  }, (variable) => Config.schema(Positive, variable))
} as const
