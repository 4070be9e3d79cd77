import { DateTime, Duration, Effect, Layer, Metric, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { nextFact } from "../events/Outbox.ts"
import { repeatedly } from "../platform/jobs/Repeatedly.ts"
import { Instant } from "../platform/schema/Instant.ts"
import { one } from "../platform/sql/Rows.ts"
import { oldestDue } from "./engine/queue/oldestDue.ts"
import { WebhookRules } from "./model/WebhookSettings.ts"

const gauge = (name: string, description: string, attributes: Record<string, string> = {}) =>
  Metric.gauge(name, { description, attributes })

const endpoints = (state: string) =>
  gauge("turma_webhook_endpoints", "Endpoints in a state that keeps deliveries back", { state })

const oldest = (what: string) =>
  gauge("turma_webhook_oldest_pending_seconds", "How long what has waited longest has been due", { what })

const gauges = {
  due: gauge("turma_webhook_lanes_due", "Lanes that are due and that no worker has taken"),
  oldestDelivery: oldest("delivery"),
  oldestEvent: oldest("event"),
  held: endpoints("held"),
  disabled: endpoints("disabled")
}

const Counts = Schema.Struct({
  due: Schema.Int,
  oldest: Schema.OptionFromNullOr(Instant),
  held: Schema.Int,
  disabled: Schema.Int,
  next_fact: Schema.OptionFromNullOr(Instant)
})
const decodeCounts = one(Counts)

/** Counts once what the gauges show. Ages are in seconds. */
export const countLanes = Effect.fn("WebhookGauges.countLanes")(function*() {
  const sql = yield* SqlClient.SqlClient
  const rules = yield* WebhookRules
  const now = yield* DateTime.now
  const at = DateTime.toDateUtc(now)
  const counts = yield* sql`
    select
      (select count(*)::int from webhook_lanes where due_at <= ${at}) as due,
      ${oldestDue(sql, rules, now)} as oldest,
      (select count(*)::int from webhook_lanes where holds > 0 and not rests) as held,
      (select count(*)::int from webhook_endpoints where status = 'disabled' and deleted_at is null) as disabled,
      ${nextFact(sql)} as next_fact`.pipe(decodeCounts)
  const age = Option.match({
    onNone: () => 0,
    onSome: (at: DateTime.Utc) => Duration.toSeconds(DateTime.distance(at, DateTime.max(at, now)))
  })
  const { disabled, due, held } = counts
  const oldestDelivery = age(counts.oldest)
  const oldestEvent = age(counts.next_fact)
  yield* Effect.all([
    Metric.update(gauges.due, due),
    Metric.update(gauges.oldestDelivery, oldestDelivery),
    Metric.update(gauges.oldestEvent, oldestEvent),
    Metric.update(gauges.held, held),
    Metric.update(gauges.disabled, disabled)
  ], { discard: true })
  return { due, oldestDelivery, oldestEvent, held, disabled }
}, Effect.orDie)

/** Keeps the gauges current in a worker. */
export const webhookGaugesLayer = ({ every }: { readonly every: Duration.Input }) =>
  Layer.effectDiscard(repeatedly(countLanes(), { every, onFailure: "Webhook lanes were not counted", level: "Warn" }))
