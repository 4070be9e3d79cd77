import { DateTime, Duration } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { mostCounted } from "../../../platform/jobs/BacklogRow.ts"
import type { WebhookRules } from "../../model/WebhookSettings.ts"

/** The clocks of workers may be ahead of ours. */
const ahead = Duration.seconds(5)

/**
 * The lanes that come due within the time of a lease. Leased lanes are among them, since such a lane is due when its
 * lease ends. A listener's lane is never due. Answers `mostCounted` and one more at most.
 */
export const dueWithinLease = (
  sql: SqlClient.SqlClient,
  rules: WebhookRules["Service"],
  now: DateTime.Utc
): Statement.Fragment => {
  const until = DateTime.addDuration(now, Duration.sum(rules.lease, ahead))
  return sql`
    select club_id, endpoint_id, lease_id, due_at from webhook_lanes
    where due_at > ${DateTime.toDateUtc(now)} and due_at <= ${DateTime.toDateUtc(until)}
    order by due_at limit ${mostCounted + 1}`
}
