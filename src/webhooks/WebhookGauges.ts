import { DateTime, Duration, Effect, Layer, Metric, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { nextFact } from "../events/Outbox.ts"
import { repeatedly } from "../platform/jobs/Repeatedly.ts"
import { one } from "../platform/sql/Rows.ts"
import { floorOf } from "../platform/sql/Uuid7.ts"
import { longestWait, WebhookRules } from "./model/WebhookSettings.ts"
import { inQueue } from "./queue/InQueue.ts"

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

/** Lanes that are searched at most, those due longest first: each is a search of its own. */
const mostLanesSearched = 200

const Counts = Schema.Struct({
  due: Schema.Int,
  oldest: Schema.OptionFromNullOr(Schema.DateTimeUtcFromDate),
  held: Schema.Int,
  disabled: Schema.Int,
  next_fact: Schema.OptionFromNullOr(Schema.DateTimeUtcFromDate)
})
const decodeCounts = one(Counts)

/**
 * Since when the delivery that has waited longest for its attempt has been due: one `timestamptz` in parentheses. A lane that
 * a worker has is due when its lease ends, so its deliveries are found among the lanes due by then. Deliveries that a hold
 * delays do not count.
 */
export const oldestDue = (sql: SqlClient.SqlClient, rules: WebhookRules["Service"], now: DateTime.Utc) => {
  const at = DateTime.toDateUtc(now)
  const since = DateTime.subtractDuration(now, longestWait(rules))
  return sql`
    (
      select min(d.next_attempt_at)
      from (
        select club_id, endpoint_id from webhook_lanes
        where due_at <= ${DateTime.toDateUtc(DateTime.addDuration(now, rules.lease))} and holds = 0
        order by due_at limit ${mostLanesSearched}
      ) l
      cross join lateral (
        select next_attempt_at from webhook_deliveries d
        where ${inQueue(sql, { club_id: sql`l.club_id`, endpoint_id: sql`l.endpoint_id` })}
          and d.next_attempt_at <= ${at}
          and d.id >= ${floorOf(since)}::uuid and d.created_at > ${DateTime.toDateUtc(since)}
        order by d.next_attempt_at, d.id limit 1
      ) d
    )`
}

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
      (select count(*)::int from webhook_lanes where holds > 0) as held,
      (select count(*)::int from webhook_endpoints where status = 'disabled' and deleted_at is null) as disabled,
      ${nextFact(sql)} as next_fact`.pipe(
    decodeCounts
  )
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
  Layer.effectDiscard(
    repeatedly(countLanes(), { every, onFailure: "Webhook lanes were not counted", level: "Warn" })
  )
