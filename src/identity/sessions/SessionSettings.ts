import { Config, Duration, Schema } from "effect"
import { setting } from "../../platform/config/Setting.ts"

const shortest = Duration.minutes(1)
const longest = Duration.days(3650)

const Lifetime = Schema.DurationFromString
  .check(Schema.makeFilter((lifetime: Duration.Duration) =>
    Duration.between(lifetime, { minimum: shortest, maximum: longest })
  ))

const lifetime = (variable: string, fallback: string, meaning: string) =>
  setting(
    { variable, fallback, meaning, expected: "a duration from 1 minute to 3650 days", example: "7 days" },
    (variable) => Config.schema(Lifetime, variable)
  )

/** How long sessions live, unused and at most. */
export const sessionSettings = {
  ADMIN_SESSION_IDLE: lifetime("ADMIN_SESSION_IDLE", "7 days", "an administrator session ends after this long unused"),
  ADMIN_SESSION_MAX: lifetime("ADMIN_SESSION_MAX", "30 days", "and after this long in any case"),
  STUDENT_SESSION_IDLE: lifetime("STUDENT_SESSION_IDLE", "30 days", "a student session ends after this long unused"),
  STUDENT_SESSION_MAX: lifetime("STUDENT_SESSION_MAX", "180 days", "and after this long in any case")
}
