import { DateTime, Duration, Effect, Layer, Metric, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { repeatedly } from "../../../platform/jobs/Repeatedly.ts"
import { InstantOrNull } from "../../../platform/schema/Instant.ts"
import { one } from "../../../platform/sql/Rows.ts"

const oldestPending = Metric.gauge("turma_billing_oldest_pending_seconds", {
  description:
    "How long the change that Stripe was not told, or the event of Stripe's that was not dealt with, has waited"
})

const decodeOldest = one(Schema.Struct({ oldest: InstantOrNull }))

/** Measures the gauge's value once, in seconds. */
export const measurePending = Effect.fn("StripeGauges.measurePending")(function*() {
  const sql = yield* SqlClient.SqlClient
  const { oldest } = yield* sql`
    select least(
      (select min(created_at) from billing_changes where status = 'pending'),
      (select min(received_at) from billing_events where status = 'pending')
    ) as oldest`.pipe(decodeOldest)
  const now = yield* DateTime.now
  const seconds = Option.match(Option.fromNullishOr(oldest), {
    onNone: () => 0,
    // The clock of the process that wrote it may be ahead.
    onSome: (at) => Math.max(0, Duration.toSeconds(DateTime.distance(at, now)))
  })
  yield* Metric.update(oldestPending, seconds)
  return seconds
}, Effect.orDie)

/** Keeps the gauge current in a worker. */
export const stripeGaugesLayer = ({ every }: { readonly every: Duration.Input }) =>
  Layer.effectDiscard(repeatedly(measurePending(), {
    every,
    onFailure: "The changes that Stripe has to get were not measured",
    level: "Warn"
  }))
