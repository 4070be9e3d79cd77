import { DateTime, Duration, Effect } from "effect"
import { longestWait, WebhookRules } from "./WebhookSettings.ts"

/** What was created at or before each of these moments is past its age, whether or not it is there still. */
export interface Ages {
  readonly now: DateTime.Utc
  /** Bodies of messages. */
  readonly bodies: DateTime.Utc
  readonly attempts: DateTime.Utc
  /** Deliveries. */
  readonly history: DateTime.Utc
  /** Deliveries that are still sent. */
  readonly queue: DateTime.Utc
}

/** Contract, Retention, as of the moment at which the inner effect runs. */
export const agesOf: Effect.Effect<Effect.Effect<Ages>, never, WebhookRules> = Effect.map(
  WebhookRules,
  (rules) =>
    Effect.map(DateTime.now, (now) => {
      const before = (age: Duration.Duration) => DateTime.subtractDuration(now, age)
      return {
        now,
        bodies: before(rules.body_retention),
        attempts: before(rules.attempt_retention),
        history: before(rules.history_retention),
        queue: before(longestWait(rules))
      }
    })
)

// An id is made a moment before or after its row's time, by a clock that may be set meanwhile.
const leeway = Duration.hours(1)

/** A moment before which no id of a row of this moment or later is made: so that older partitions are left alone. */
export const idsFrom = (at: DateTime.Utc): DateTime.Utc => DateTime.subtractDuration(at, leeway)

/** A moment from which on no id of a row of this moment or earlier is made. */
export const idsTo = (at: DateTime.Utc): DateTime.Utc => DateTime.addDuration(at, leeway)
