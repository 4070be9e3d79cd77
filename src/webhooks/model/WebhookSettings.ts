import { Config, Context, Duration, Effect, Layer, Schema } from "effect"
import { bodyRetention } from "../../events/EventSettings.ts"
import { setting } from "../../platform/config/Setting.ts"

const longest = Duration.days(3650)

const Positive = Schema.DurationFromString
  .check(Schema.makeFilter((duration: Duration.Duration) =>
    Duration.isGreaterThan(duration, Duration.zero) && Duration.isLessThanOrEqualTo(duration, longest)
  ))

const duration = (variable: string, fallback: string, meaning: string) =>
  setting(
    { variable, fallback, meaning, expected: "a duration of more than 0 and at most 3650 days", example: fallback },
    (variable) => Config.schema(Positive, variable)
  )

const integer = (variable: string, fallback: string, meaning: string, maximum: number) =>
  setting(
    { variable, fallback, meaning, expected: `an integer from 1 to ${maximum}`, example: fallback },
    (variable) =>
      Config.schema(Schema.NumberFromString.check(Schema.isInt(), Schema.isBetween({ minimum: 1, maximum })), variable)
  )

/** The contract's constants (Delivery behavior, Limits, Retention). An operator may set each of them. */
export const webhookSettings = {
  WEBHOOK_RETRY_SCHEDULE: setting({
    variable: "WEBHOOK_RETRY_SCHEDULE",
    fallback: "5 seconds,5 minutes,30 minutes,2 hours,5 hours,10 hours,10 hours",
    meaning: "waits after attempts 1, 2 and so on; one more attempt follows the last",
    expected: "durations separated by commas",
    example: "5 seconds,5 minutes"
  }, (variable) => Config.Array(Positive, variable)),
  WEBHOOK_RETRY_JITTER: setting(
    {
      variable: "WEBHOOK_RETRY_JITTER",
      fallback: "0.1",
      meaning: "each wait varies by this share of it, up and down",
      expected: "a number from 0 to 0.9",
      example: "0.1"
    },
    (variable) => Config.schema(Schema.NumberFromString.check(Schema.isBetween({ minimum: 0, maximum: 0.9 })), variable)
  ),
  WEBHOOK_RETRY_AFTER_MAX: duration("WEBHOOK_RETRY_AFTER_MAX", "10 hours", "the longest `Retry-After` that is honored"),
  WEBHOOK_ATTEMPT_TIMEOUT: duration("WEBHOOK_ATTEMPT_TIMEOUT", "15 seconds", "the deadline of an attempt"),
  WEBHOOK_HOLD_AFTER: integer("WEBHOOK_HOLD_AFTER", "5", "failures in a row after which an endpoint is held", 1000),
  WEBHOOK_HOLD_BASE: duration("WEBHOOK_HOLD_BASE", "1 minute", "the first hold; it doubles with every failed probe"),
  WEBHOOK_HOLD_MAX: duration("WEBHOOK_HOLD_MAX", "1 hour", "the longest hold"),
  WEBHOOK_DISABLE_AFTER: duration(
    "WEBHOOK_DISABLE_AFTER",
    "5 days",
    "an endpoint that accepts nothing for this long is disabled"
  ),
  WEBHOOK_PENDING_TTL: duration("WEBHOOK_PENDING_TTL", "30 days", "a delivery that waits for this long is canceled"),
  WEBHOOK_RECOVER_WINDOW: duration("WEBHOOK_RECOVER_WINDOW", "30 days", "how far back deliveries can be recovered"),
  WEBHOOK_SECRET_OVERLAP: duration("WEBHOOK_SECRET_OVERLAP", "24 hours", "how long a rotated secret keeps signing"),
  WEBHOOK_BODY_RETENTION: bodyRetention,
  WEBHOOK_ATTEMPT_RETENTION: duration("WEBHOOK_ATTEMPT_RETENTION", "30 days", "attempts are kept for this long"),
  WEBHOOK_HISTORY_RETENTION: duration("WEBHOOK_HISTORY_RETENTION", "90 days", "deliveries are kept for this long"),
  WEBHOOK_CONCURRENCY: integer("WEBHOOK_CONCURRENCY", "256", "attempts in flight per process", 10_000),
  WEBHOOK_LANE_CONCURRENCY: integer("WEBHOOK_LANE_CONCURRENCY", "16", "attempts in flight per endpoint", 1000),
  WEBHOOK_TARGET_CONCURRENCY: integer(
    "WEBHOOK_TARGET_CONCURRENCY",
    "64",
    "attempts in flight to one IP address per process; a club has at most half of them",
    10_000
  ),
  WEBHOOK_LEASE: duration("WEBHOOK_LEASE", "30 seconds", "how long an endpoint stays with a worker that has died")
} as const

const read = Effect.all({
  retry_schedule: webhookSettings.WEBHOOK_RETRY_SCHEDULE.read,
  retry_jitter: webhookSettings.WEBHOOK_RETRY_JITTER.read,
  retry_after_max: webhookSettings.WEBHOOK_RETRY_AFTER_MAX.read,
  attempt_timeout: webhookSettings.WEBHOOK_ATTEMPT_TIMEOUT.read,
  hold_after: webhookSettings.WEBHOOK_HOLD_AFTER.read,
  hold_base: webhookSettings.WEBHOOK_HOLD_BASE.read,
  hold_max: webhookSettings.WEBHOOK_HOLD_MAX.read,
  disable_after: webhookSettings.WEBHOOK_DISABLE_AFTER.read,
  pending_ttl: webhookSettings.WEBHOOK_PENDING_TTL.read,
  recover_window: webhookSettings.WEBHOOK_RECOVER_WINDOW.read,
  secret_overlap: webhookSettings.WEBHOOK_SECRET_OVERLAP.read,
  body_retention: webhookSettings.WEBHOOK_BODY_RETENTION.read,
  attempt_retention: webhookSettings.WEBHOOK_ATTEMPT_RETENTION.read,
  history_retention: webhookSettings.WEBHOOK_HISTORY_RETENTION.read,
  concurrency: webhookSettings.WEBHOOK_CONCURRENCY.read,
  lane_concurrency: webhookSettings.WEBHOOK_LANE_CONCURRENCY.read,
  target_concurrency: webhookSettings.WEBHOOK_TARGET_CONCURRENCY.read,
  lease: webhookSettings.WEBHOOK_LEASE.read
})

/** The constants as this process runs with them. */
export class WebhookRules
  extends Context.Service<WebhookRules, Effect.Success<typeof read>>()("turma/webhooks/model/WebhookRules")
{
  static readonly layer = Layer.effect(WebhookRules, read)
}

/** A delivery waits for at most this long: then it expires, or its body is past its age. */
export const longestWait = (
  { body_retention, pending_ttl }: Pick<WebhookRules["Service"], "body_retention" | "pending_ttl">
): Duration.Duration => Duration.min(body_retention, pending_ttl)
