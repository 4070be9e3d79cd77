import { DateTime, type Duration, Effect, Layer, Metric, Schedule, Schema } from "effect"
import { SqlClient } from "effect/sql"

const gauge = (name: string, description: string, attributes: Record<string, string> = {}) =>
  Metric.gauge(name, { description, attributes })

const endpoints = (state: string) =>
  gauge("turma_webhook_endpoints", "Endpoints in a state that keeps deliveries back", { state })

const gauges = {
  due: gauge("turma_webhook_lanes_due", "Lanes that are due and that no worker has taken"),
  oldest: gauge("turma_webhook_oldest_due_seconds", "How long the lane that has waited longest has been due"),
  held: endpoints("held"),
  disabled: endpoints("disabled")
}

const Counted = Schema.Tuple([Schema.Struct({
  due: Schema.Int,
  oldest_due_at: Schema.NullOr(Schema.DateTimeUtcFromDate),
  held: Schema.Int,
  disabled: Schema.Int
})])
const decode = Schema.decodeUnknownEffect(Counted)

/** Counts once what the gauges show; one statement. A lane that a worker has is not due before its lease ends. */
export const countLanes = Effect.fn("WebhookGauges.countLanes")(function*() {
  const sql = yield* SqlClient.SqlClient
  const now = yield* DateTime.now
  const at = DateTime.toDateUtc(now)
  const rows = yield* sql`
    select
      (select count(*)::int from webhook_lanes where due_at <= ${at}) as due,
      (select min(due_at) from webhook_lanes where due_at <= ${at}) as oldest_due_at,
      (select count(*)::int from webhook_lanes where holds > 0) as held,
      (select count(*)::int from webhook_endpoints where status = 'disabled' and deleted_at is null) as disabled`
  const [{ disabled, due, held, oldest_due_at }] = yield* decode(rows)
  const oldest = oldest_due_at === null
    ? 0
    : (DateTime.toEpochMillis(now) - DateTime.toEpochMillis(oldest_due_at)) / 1000
  yield* Effect.all([
    Metric.update(gauges.due, due),
    Metric.update(gauges.oldest, oldest),
    Metric.update(gauges.held, held),
    Metric.update(gauges.disabled, disabled)
  ], { discard: true })
  return { due, oldest, held, disabled }
}, Effect.orDie)

/** Keeps the gauges current in a worker. */
export const webhookGaugesLayer = ({ every }: { readonly every: Duration.Input }) =>
  Layer.effectDiscard(
    countLanes().pipe(
      Effect.catchCause((cause) => Effect.logWarning("Webhook lanes were not counted", cause)),
      Effect.repeat(Schedule.spaced(every)),
      Effect.forkScoped
    )
  )
