import { Context, DateTime, Effect, Layer, Schema, Struct } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import { NotFound } from "../../../platform/http/errors.ts"
import { scanning } from "../../../platform/sql/ReadLane.ts"
import { firstOr } from "../../../platform/sql/Rows.ts"
import { floorOf } from "../../../platform/sql/Uuid7.ts"
import { inQueue } from "../../engine/queue/InQueue.ts"
import type { EndpointId } from "../../model/EndpointId.ts"
import { EndpointStatus } from "../../model/EndpointStatus.ts"
import { earliestIdTime } from "../../model/IdTimes.ts"
import { makeRetentionCutoffs } from "../../model/RetentionCutoffs.ts"
import { drainOf, mostRemaining, WebhookDrain } from "./Drain.ts"

const Facts = Schema.Struct({
  ...Struct.pick(WebhookDrain.fields, ["rate", "begun_at", "ended_at", "total", "by_type", "by_day"]),
  endpoint_status: EndpointStatus,
  is_held: Schema.Boolean,
  max_per_second: Schema.NullOr(Schema.Int),
  is_canceled: Schema.NullOr(Schema.Boolean),
  waiting: Schema.Int
})

const decodeFacts = firstOr(Facts, () => new NotFound())

/** How far endpoints are that were enabled with a rate. The lane's worker keeps to it, and ends it. */
export class Drains extends Context.Service<Drains, {
  /**
   * The current drain, or the result of the latest. For a paused endpoint: the deliveries that a drain would send now,
   * by the days of the club. `NotFound`: this club has no such endpoint, or it is deleted.
   */
  get(
    club: { readonly id: ClubId; readonly time_zone: string },
    endpoint_id: EndpointId
  ): Effect.Effect<WebhookDrain, NotFound>
}>()("turma/webhooks/history/recovery/Drains") {
  static readonly layer = Layer.effect(
    Drains,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const cutoffs = yield* makeRetentionCutoffs

      const get = Effect.fn("Drains.get")(function*(
        { id, time_zone }: { readonly id: ClubId; readonly time_zone: string },
        endpoint_id: EndpointId
      ) {
        const { now, queue } = yield* cutoffs
        const counted = (key: Statement.Fragment, name: string) =>
          sql`
            (
              select coalesce(jsonb_agg(jsonb_build_object(${name}::text, key, 'count', count) order by key), '[]')
              from (select ${key} as key, count(*)::int as count from shown group by 1) groups
            )`
        const facts = yield* sql`
          with lane as materialized (
            select l.club_id, l.endpoint_id, e.status as endpoint_status, l.holds > 0 as is_held, l.max_per_second,
              l.drain_rate as rate, l.drain_begun_at as begun_at, l.drain_ended_at as ended_at,
              l.drain_canceled as is_canceled, l.drain_total as total, case
                when e.status = 'paused' then ${DateTime.toDateUtc(now)}
                when l.drain_rate is not null or l.drain_canceled then l.drain_begun_at
              end as due_by
            from webhook_endpoints e join webhook_lanes l on l.club_id = e.club_id and l.endpoint_id = e.id
            where e.club_id = ${id} and e.id = ${endpoint_id} and e.deleted_at is null
          ), due as materialized (
            select d.event_type, d.created_at from lane cross join lateral (
              select d.event_type, d.created_at from webhook_deliveries d
              where ${inQueue(sql, { club_id: sql`lane.club_id`, endpoint_id: sql`lane.endpoint_id` })}
                and d.next_attempt_at <= lane.due_by
                and d.id >= ${floorOf(earliestIdTime(queue))}::uuid and d.created_at > ${DateTime.toDateUtc(queue)}
              order by d.next_attempt_at, d.id limit ${mostRemaining + 1}
            ) d
          ), shown as materialized (select * from due limit ${mostRemaining})
          select endpoint_status, is_held, max_per_second, rate, begun_at, ended_at, is_canceled, total,
            (select count(*)::int from due) as waiting, ${counted(sql`event_type`, "event_type")} as by_type,
            ${counted(sql`(created_at at time zone ${time_zone})::date::text`, "date")} as by_day
          from lane`.pipe(decodeFacts, scanning)
        return drainOf(facts, now)
      })

      return Drains.of({ get })
    })
  )
}
