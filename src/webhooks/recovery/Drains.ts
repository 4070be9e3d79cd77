import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { NotFound } from "../../platform/http/errors.ts"
import { firstOr } from "../../platform/sql/Rows.ts"
import { floorOf } from "../../platform/sql/Uuid7.ts"
import type { LaneName } from "../lane/LaneChanges.ts"
import { earliestIdTime } from "../model/IdTimes.ts"
import { makeRetentionCutoffs } from "../model/RetentionCutoffs.ts"
import { inQueue } from "../queue/InQueue.ts"
import { mostRemaining, WebhookDrain } from "./Drain.ts"

const Counted = Schema.Struct({
  rate: WebhookDrain.fields.rate,
  begun_at: WebhookDrain.fields.begun_at,
  waiting: Schema.Int
})

const decodeCounted = firstOr(Counted, () => new NotFound())

/** How far endpoints are that were enabled with a rate. The lane's worker keeps to it, and ends it. */
export class Drains extends Context.Service<Drains, {
  /** `NotFound`: this club has no such endpoint, or it is deleted. */
  get(lane: LaneName): Effect.Effect<WebhookDrain, NotFound>
}>()("turma/webhooks/recovery/Drains") {
  static readonly layer = Layer.effect(
    Drains,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const cutoffs = yield* makeRetentionCutoffs

      const get = Effect.fn("Drains.get")(function*(lane: LaneName) {
        const { queue } = yield* cutoffs
        const { waiting, ...drain } = yield* sql`
          select l.drain_rate as rate, l.drain_until as begun_at, (
              select count(*)::int from (
                select from webhook_deliveries d
                where ${inQueue(sql, lane)} and d.next_attempt_at <= l.drain_until
                  and d.id >= ${floorOf(earliestIdTime(queue))}::uuid and d.created_at > ${DateTime.toDateUtc(queue)}
                order by d.next_attempt_at, d.id limit ${mostRemaining + 1}
              ) counted
            ) as waiting
          from webhook_endpoints e join webhook_lanes l on l.club_id = e.club_id and l.endpoint_id = e.id
          where e.club_id = ${lane.club_id} and e.id = ${lane.endpoint_id} and e.deleted_at is null`.pipe(decodeCounted)
        return { ...drain, remaining: Math.min(waiting, mostRemaining), capped: waiting > mostRemaining }
      })

      return Drains.of({ get })
    })
  )
}
