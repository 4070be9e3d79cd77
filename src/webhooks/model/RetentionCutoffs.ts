import { DateTime, type Duration, Effect } from "effect"
import { longestWait, WebhookRules } from "./WebhookSettings.ts"

/** The cutoffs of each age. A row created at or before its cutoff is past its age, even before its deletion. */
export interface RetentionCutoffs {
  readonly now: DateTime.Utc
  /** Bodies of messages. */
  readonly bodies: DateTime.Utc
  readonly attempts: DateTime.Utc
  /** Deliveries. */
  readonly history: DateTime.Utc
  /** Deliveries that are still sent. */
  readonly queue: DateTime.Utc
}

/** Contract, Retention. The inner effect answers the cutoffs as of the moment at which it runs. */
export const makeRetentionCutoffs: Effect.Effect<Effect.Effect<RetentionCutoffs>, never, WebhookRules> = Effect.map(
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
