import { DateTime, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { backlogOf, cappedCount, countOf, decodeBacklog } from "../../../platform/jobs/BacklogRow.ts"
import type { OverviewPart } from "../../../platform/jobs/Overviews.ts"
import { Instant, InstantOrNull } from "../../../platform/schema/Instant.ts"
import { one, rows } from "../../../platform/sql/Rows.ts"
import { WebhookRules } from "../../model/WebhookSettings.ts"
import { oldestDue } from "../queue/oldestDue.ts"
import { attemptRates } from "./attemptRates.ts"
import { deepestLanes } from "./deepestLanes.ts"
import { laneLeases } from "./laneLeases.ts"

/** Held endpoints that are named, those that have failed longest. */
const mostNamed = 20

const decodeCounts = one(Schema.Struct({ held: Schema.Int, disabled: Schema.Int }))

const decodeHeld = rows(Schema.Struct({
  club_id: Schema.String,
  endpoint_id: Schema.String,
  holds: Schema.Int,
  failing_since: Instant,
  hold_until: InstantOrNull
}))

/** How outgoing webhooks stand: ids of endpoints and public ids of clubs, and no address. */
export const webhookOverview: Effect.Effect<OverviewPart, never, SqlClient.SqlClient | WebhookRules> = Effect
  .gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const rules = yield* WebhookRules

    const counts = sql`
      select ${countOf(sql, sql`from webhook_lanes where holds > 0 and not rests`)} as held,
        ${countOf(sql, sql`from webhook_endpoints where status = 'disabled' and deleted_at is null`)} as disabled`
      .pipe(decodeCounts)

    const deliveries = (now: DateTime.Utc) =>
      sql`
        select ${countOf(sql, sql`from webhook_deliveries where next_attempt_at is not null`)} as depth,
          ${oldestDue(sql, rules, now)} as oldest`.pipe(
        decodeBacklog,
        Effect.map((waiting) => backlogOf(waiting, now))
      )

    const held = sql`
      select c.organization_id as club_id, l.endpoint_id, l.holds, l.failing_since, l.hold_until
      from webhook_lanes l join clubs c on c.id = l.club_id
      where l.failing_since is not null and not l.rests and l.holds > 0
      order by l.failing_since limit ${mostNamed}`.pipe(
      decodeHeld,
      Effect.map((longest) =>
        longest.map(({ failing_since, hold_until, ...one }) => ({
          ...one,
          failing_since: DateTime.formatIso(failing_since),
          hold_until: hold_until === null ? null : DateTime.formatIso(hold_until)
        }))
      )
    )

    const read = Effect.gen(function*() {
      const now = yield* DateTime.now
      const { counted, longest, ...found } = yield* Effect.all({
        deliveries: deliveries(now),
        attempts: attemptRates(sql, now),
        counted: counts,
        longest: held,
        lanes: deepestLanes(sql, rules, now),
        leases: laneLeases(sql, rules, now)
      }, { concurrency: "unbounded" })
      const { deliveries: waiting, ...rest } = found
      return {
        deliveries: waiting,
        held: { ...cappedCount(counted.held), longest },
        disabled: cappedCount(counted.disabled),
        ...rest
      }
    })

    const waiting = Effect.map(
      Effect.flatMap(DateTime.now, deliveries),
      (backlog) => [{ name: "webhook_deliveries", ...backlog }]
    )

    return { name: "webhooks", read, waiting }
  })
