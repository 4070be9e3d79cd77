import { DateTime, Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { mostCounted } from "../../../platform/jobs/BacklogRow.ts"
import { Instant } from "../../../platform/schema/Instant.ts"
import { rows } from "../../../platform/sql/Rows.ts"
import { timeOf } from "../../../platform/sql/Uuid7.ts"
import type { WebhookRules } from "../../model/WebhookSettings.ts"
import { pidOf } from "../dispatch/WorkerOfLease.ts"
import { dueWithinLease } from "./dueWithinLease.ts"

const decodeLeases = rows(Schema.Struct({
  worker: Schema.String,
  lanes: Schema.Int,
  first: Schema.String,
  until: Instant,
  scanned: Schema.Int
}))

/** The workers that have lanes, and until when. */
export const laneLeases = (sql: SqlClient.SqlClient, rules: WebhookRules["Service"], now: DateTime.Utc) =>
  sql`
    select right(lease_id::text, 12) as worker, count(*)::int as lanes, min(lease_id::text) as first,
      max(due_at) as until, max(scanned)::int as scanned
    from (
      select lease_id, due_at, count(*) over () as scanned from (${dueWithinLease(sql, rules, now)}) l
    ) l
    where lease_id is not null group by 1 order by 1`.pipe(
    decodeLeases,
    Effect.map((leases) => ({
      capped: leases.some(({ scanned }) => scanned > mostCounted),
      workers: leases.map(({ first, lanes, until, worker }) => ({
        worker,
        pid: pidOf(worker),
        lanes,
        since: DateTime.formatIso(timeOf(first)),
        until: DateTime.formatIso(until)
      }))
    }))
  )
