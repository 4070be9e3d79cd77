import { DateTime } from "effect"
import type { SqlClient } from "effect/sql"

/** The columns of a `WebhookDelivery`, of the row `d`. `bodies` is the moment up to which bodies are past their age. */
export const deliveryColumns = (sql: SqlClient.SqlClient, bodies: DateTime.Utc) =>
  sql`
    d.id, d.endpoint_id, d.event_id, d.event_type, d.status, d.cancel_reason,
    (d.body_erased or d.created_at <= ${DateTime.toDateUtc(bodies)}) as payload_purged,
    d.attempts_count, d.next_attempt_at, d.last_attempt_at, d.last_status_code, d.last_error, d.student_id,
    d.created_at, d.finished_at`
