import { DateTime, Duration, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { backlogOf, countOf, decodeBacklog, mostCounted } from "../platform/jobs/BacklogRow.ts"
import type { OverviewPart } from "../platform/jobs/Overviews.ts"
import { one, rows } from "../platform/sql/Rows.ts"
import { timeOf } from "../platform/sql/Uuid7.ts"
import { pidOf } from "./dispatch/WorkerOfLease.ts"
import { WebhookRules } from "./model/WebhookSettings.ts"
import { oldestDue } from "./WebhookGauges.ts"

/** Held endpoints that are named, those that have failed longest. */
const mostNamed = 20

/** The clocks of workers may be ahead of ours. */
const ahead = Duration.seconds(5)

const Instant = Schema.DateTimeUtcFromDate

const decodeCounts = one(Schema.Struct({ held: Schema.Int, disabled: Schema.Int }))

const decodeHeld = rows(Schema.Struct({
  club_id: Schema.String,
  endpoint_id: Schema.String,
  holds: Schema.Int,
  failing_since: Instant,
  hold_until: Schema.NullOr(Instant)
}))

const decodeLeases = rows(Schema.Struct({
  worker: Schema.String,
  lanes: Schema.Int,
  first: Schema.String,
  until: Instant,
  scanned: Schema.Int
}))

const capped = (count: number) => ({ count: Math.min(count, mostCounted), capped: count > mostCounted })

/** How outgoing webhooks stand: ids of endpoints and public ids of clubs, and no address. */
export const webhookOverview: Effect.Effect<OverviewPart, never, SqlClient.SqlClient | WebhookRules> = Effect.gen(
  function*() {
    const sql = yield* SqlClient.SqlClient
    const rules = yield* WebhookRules

    const counts = sql`
      select ${countOf(sql, sql`from webhook_lanes where holds > 0`)} as held,
        ${countOf(sql, sql`from webhook_endpoints where status = 'disabled' and deleted_at is null`)} as disabled`.pipe(
      decodeCounts
    )

    const deliveries = (now: DateTime.Utc) =>
      sql`
        select ${countOf(sql, sql`from webhook_deliveries where next_attempt_at is not null`)} as depth,
          ${oldestDue(sql, rules, now)} as oldest`.pipe(decodeBacklog)

    const held = sql`
      select c.organization_id as club_id, l.endpoint_id, l.holds, l.failing_since, l.hold_until
      from webhook_lanes l join clubs c on c.id = l.club_id
      where l.failing_since is not null and not l.rests and l.holds > 0
      order by l.failing_since limit ${mostNamed}`.pipe(decodeHeld)

    // A lane that a worker has is due when its lease ends. That of a listener is due never.
    const leases = (now: DateTime.Utc) => {
      const [from, to] = [now, DateTime.addDuration(now, Duration.sum(rules.lease, ahead))].map(DateTime.toDateUtc)
      return sql`
        select right(lease_id::text, 12) as worker, count(*)::int as lanes, min(lease_id::text) as first,
          max(due_at) as until, max(scanned)::int as scanned
        from (
          select lease_id, due_at, count(*) over () as scanned from (
            select lease_id, due_at from webhook_lanes where due_at > ${from} and due_at <= ${to}
            order by due_at limit ${mostCounted + 1}
          ) l
        ) l
        where lease_id is not null group by 1 order by 1`.pipe(decodeLeases)
    }

    const read = Effect.gen(function*() {
      const now = yield* DateTime.now
      const [counted, waiting, longest, leased] = yield* Effect.all([counts, deliveries(now), held, leases(now)], {
        concurrency: "unbounded"
      })
      return {
        deliveries: backlogOf(waiting, now),
        held: {
          ...capped(counted.held),
          longest: longest.map(({ failing_since, hold_until, ...one }) => ({
            ...one,
            failing_since: DateTime.formatIso(failing_since),
            hold_until: hold_until === null ? null : DateTime.formatIso(hold_until)
          }))
        },
        disabled: capped(counted.disabled),
        leases: {
          capped: leased.some(({ scanned }) => scanned > mostCounted),
          workers: leased.map(({ first, lanes, until, worker }) => ({
            worker,
            pid: pidOf(worker),
            lanes,
            since: DateTime.formatIso(timeOf(first)),
            until: DateTime.formatIso(until)
          }))
        }
      }
    })

    return { name: "webhooks", read }
  }
)
