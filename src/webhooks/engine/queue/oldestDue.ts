import { DateTime } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { floorOf } from "../../../platform/sql/Uuid7.ts"
import { longestWait, type WebhookRules } from "../../model/WebhookSettings.ts"
import { inQueue } from "./InQueue.ts"

/** Lanes that are searched at most, those due longest first: each is a search of its own. */
const mostLanesSearched = 200

/**
 * Since when the delivery that has waited longest for its attempt has been due: one `timestamptz` in parentheses. A lane that
 * a worker has is due when its lease ends, so its deliveries are found among the lanes due by then. Deliveries that a hold
 * or a limit of the endpoint may delay do not count.
 */
export const oldestDue = (
  sql: SqlClient.SqlClient,
  rules: WebhookRules["Service"],
  now: DateTime.Utc
): Statement.Fragment => {
  const at = DateTime.toDateUtc(now)
  const since = DateTime.subtractDuration(now, longestWait(rules))
  return sql`
    (
      select min(d.next_attempt_at)
      from (
        select club_id, endpoint_id from webhook_lanes
        where due_at <= ${DateTime.toDateUtc(DateTime.addDuration(now, rules.lease))} and holds = 0
          and max_per_second is null and max_in_flight is null and drain_rate is null
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
