import { Context, DateTime, Effect, Layer, Option } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import { uuids } from "../../../platform/sql/Arrays.ts"
import { scanning } from "../../../platform/sql/ReadLane.ts"
import { rows } from "../../../platform/sql/Rows.ts"
import { floorOf } from "../../../platform/sql/Uuid7.ts"
import { earliestIdTime } from "../../model/IdTimes.ts"
import { makeRetentionCutoffs } from "../../model/RetentionCutoffs.ts"
import type { WebhookDeliveryId } from "../../model/WebhookDeliveryId.ts"
import { type DeliveryQuery, WebhookDelivery } from "./Delivery.ts"
import { deliveryColumns } from "./DeliveryColumns.ts"
import {
  filtered,
  indexed,
  isFiltered,
  isNamed,
  named,
  optional,
  scanned,
  scannedForWaiting,
  whole
} from "./DeliveryConditions.ts"
import { decodePage, type ReadPage } from "./ReadPage.ts"

/** The most deliveries that one page looks at, if a filter has no index. Many endpoints take longer than one. */
const mostScannedOfAll = 15_000

/** However many endpoints a club has had, a page looks at so many deliveries of each that has them. */
const leastScanned = 100

const decodeByIds = rows(WebhookDelivery)

/** The deliveries of a club to all of its endpoints, deleted ones too. Rows past their age are never answered. */
export class ClubDeliveriesRepo extends Context.Service<ClubDeliveriesRepo, {
  /**
   * The newest first, from the one before `before` on; one more than the limit if there are more. Scans 15 000 at most,
   * and 3 000 of the queues for pending deliveries. Each endpoint gets a share of them. `read_to` is the place that the
   * scan reached in all of them.
   */
  list(club_id: ClubId, query: DeliveryQuery, before: Option.Option<string>): Effect.Effect<ReadPage>
  /** Those with these ids, in no order. */
  byIds(club_id: ClubId, ids: ReadonlyArray<WebhookDeliveryId>): Effect.Effect<ReadonlyArray<WebhookDelivery>>
}>()("turma/webhooks/history/delivery/ClubDeliveriesRepo") {
  static readonly layer = Layer.effect(
    ClubDeliveriesRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const cutoffs = yield* makeRetentionCutoffs

      // Each endpoint has its own order, and the newest of all are among the newest of each. An index of the club's
      // deliveries by time would cost every attempt one more write.
      const newestOfEach = (club_id: ClubId, wanted: Statement.Fragment, limit: number) =>
        sql`
          select d.*, true as passes, false as is_last
          from webhook_lanes l cross join lateral (
            select d.* from webhook_deliveries d
            where d.club_id = ${club_id} and d.endpoint_id = l.endpoint_id and ${wanted}
            order by d.id desc limit ${limit + 1}
          ) d
          where l.club_id = ${club_id}
          order by d.id desc limit ${limit + 1}`

      // No word of it may look like a lock: it is a read (`isSharedRead`).
      // Half of what is looked at is shared evenly, half by how quickly the next of each endpoint came one after the other. Of
      // an endpoint whose share ended, nothing is known below its last row: the page ends at the newest of those.
      const scannedOfEach = (club_id: ClubId, wanted: Statement.Fragment, query: DeliveryQuery) => {
        const passes = filtered(sql, query)
        const isLane = sql`d.club_id = ${club_id} and d.endpoint_id = lane.endpoint_id`
        const bounds = { limit: query.limit, most: sql`lane.quota` }
        const ofLane = query.status === "pending"
          ? scannedForWaiting(sql, { ofLane: isLane, rows: wanted, passes }, bounds)
          : scanned(sql, sql`${isLane} and ${wanted}`, passes, bounds)
        return sql`
          with lane as materialized (
            select endpoint_id, count(*) over () as lanes from webhook_lanes where club_id = ${club_id}
          ), pace as materialized (
            select l.endpoint_id, 1 / (d.span + 0.001) as pace from lane l cross join lateral (
              select extract(epoch from max(d.created_at) - min(d.created_at)) as span from (
                select d.created_at from webhook_deliveries d
                where d.club_id = ${club_id} and d.endpoint_id = l.endpoint_id and ${wanted}
                order by d.id desc limit ${leastScanned}
              ) d having count(*) = ${leastScanned}
            ) d
            where l.lanes < ${mostScannedOfAll / leastScanned}
          ), shared as materialized (
            select l.endpoint_id, greatest(${leastScanned}, ${mostScannedOfAll} / 2 * (
              1.0 / l.lanes + coalesce(p.pace / sum(p.pace) over (), 0)
            ))::int as quota
            from lane l left join pace p using (endpoint_id)
          ), found as materialized (
            select d.* from shared lane cross join lateral (${ofLane}) d
          ), read_to as materialized (
            select id from found where is_last order by id desc limit 1
          )
          select d.* from found d where d.id >= all (select id from read_to)
          order by d.id desc limit ${query.limit + 2}`
      }

      const list = Effect.fn("ClubDeliveriesRepo.list")(function*(
        club_id: ClubId,
        query: DeliveryQuery,
        before: Option.Option<string>
      ) {
        const { bodies, history } = yield* cutoffs
        const oldest = DateTime.max(history, query.since ?? history)
        const placed = sql`
            d.id >= ${floorOf(earliestIdTime(oldest))}::uuid and d.created_at > ${DateTime.toDateUtc(history)}
              and ${optional(sql, Option.getOrUndefined(before), (id) => sql`d.id < ${id}`)}`
        const wanted = sql`${placed} and ${indexed(sql, query)}`
        const isClub = sql`d.club_id = ${club_id}`
        const bounds = { limit: query.limit, most: sql`${mostScannedOfAll}` }
        const page = isNamed(query)
          ? whole(
            sql,
            club_id,
            scanned(sql, sql`${isClub} and ${placed} and ${named(sql, query)}`, filtered(sql, query), bounds)
          )
          : isFiltered(query)
          ? whole(sql, club_id, scannedOfEach(club_id, wanted, query))
          : newestOfEach(club_id, wanted, query.limit)
        const read = sql`
            select ${deliveryColumns(sql, bodies)}, d.passes, d.is_last from (${page}) d order by d.id desc
          `.pipe(decodePage)
        return yield* (isFiltered(query) ? scanning(read) : read)
      })

      // By the key of each endpoint: ids alone are in no index.
      const byIds = Effect.fn("ClubDeliveriesRepo.byIds")(function*(
        club_id: ClubId,
        ids: ReadonlyArray<WebhookDeliveryId>
      ) {
        const { bodies, history } = yield* cutoffs
        return yield* sql`
            select ${deliveryColumns(sql, bodies)} from webhook_deliveries d
            where d.club_id = ${club_id}
              and d.endpoint_id in (select endpoint_id from webhook_lanes where club_id = ${club_id})
              and d.id = any(${uuids(ids)}) and d.created_at > ${DateTime.toDateUtc(history)}`.pipe(decodeByIds)
      })

      return ClubDeliveriesRepo.of({ list, byIds })
    })
  )
}
