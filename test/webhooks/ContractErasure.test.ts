import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { PostgresLayer } from "../harness/Postgres.ts"

// Contract, Delivery behavior 9: the removal of a student erases every column that can hold the student's words. Put a
// new text column into one of these lists. If it belongs in the first list, add it to the erasure too.

const erased = [
  "event_outbox.subject",
  "webhook_attempts.response_body",
  "webhook_attempts.signature",
  "webhook_inbox_requests.body",
  "webhook_inbox_requests.head",
  "webhook_messages.body"
]

/** Our own words, and the words of administrators about their own systems. */
const nobodys = [
  "event_outbox.trace",
  "event_outbox.type",
  "webhook_attempts.error",
  "webhook_attempts.peer_address",
  "webhook_attempts.tls_version",
  "webhook_attempts.trigger",
  "webhook_deliveries.cancel_reason",
  "webhook_deliveries.event_type",
  "webhook_deliveries.last_error",
  "webhook_deliveries.status",
  "webhook_deliveries.trigger",
  "webhook_endpoints.description",
  "webhook_endpoints.disabled_reason",
  "webhook_endpoints.event_types",
  "webhook_endpoints.filter",
  "webhook_endpoints.header_names",
  "webhook_endpoints.headers",
  "webhook_endpoints.kind",
  "webhook_endpoints.public_key",
  "webhook_endpoints.secret",
  "webhook_endpoints.signing",
  "webhook_endpoints.signing_key",
  "webhook_endpoints.status",
  "webhook_endpoints.url",
  "webhook_feed_events.type",
  "webhook_gradings.failure",
  "webhook_gradings.grade",
  "webhook_gradings.report",
  "webhook_gradings.status",
  "webhook_inbox_requests.message",
  "webhook_inbox_requests.method",
  "webhook_inboxes.token",
  "webhook_inboxes.token_hash",
  "webhook_lanes.last_failure_error",
  "webhook_messages.trace",
  "webhook_messages.type",
  "webhook_notices.kind",
  "webhook_previous_secrets.public_key",
  "webhook_previous_secrets.secret",
  "webhook_previous_secrets.signing_key",
  "webhook_recoveries.blocked_by",
  "webhook_recoveries.cancel_reason",
  "webhook_recoveries.event_types",
  "webhook_recoveries.preview",
  "webhook_recoveries.status",
  "webhook_recoveries.time_zone"
]

layer(PostgresLayer)("The tables of outgoing webhooks", (it) => {
  it.effect("have no column for text, JSON or bytes of which nobody has said whether a student's data may be in it", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql`
        select c.relname || '.' || a.attname as name
        from pg_attribute a join pg_class c on c.oid = a.attrelid
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
          and (c.relname like 'webhook%' or c.relname in ('event_outbox', 'erased_students'))
          and a.attnum > 0 and not a.attisdropped
          and a.atttypid::regtype::text in ('text', 'text[]', 'character varying', 'json', 'jsonb', 'bytea')`
      assert.deepStrictEqual(rows.map(({ name }) => String(name)).toSorted(), [...erased, ...nobodys].toSorted())
    }))
})
