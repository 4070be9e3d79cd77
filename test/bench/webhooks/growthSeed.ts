import { DateTime, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { floorOf } from "../../../src/platform/sql/Uuid7.ts"
import { ensurePartitions } from "./Clubs.ts"

const endpointsOfClub = 20
const deliveriesOfMessage = 20

const decodePart = Schema
  .decodeUnknownEffect(Schema.Tuple([Schema.Struct({ name: Schema.String, bounds: Schema.String })]))

/** This week's partition of the deliveries. */
const currentPart = Effect.fnUntraced(function*(now: DateTime.Utc) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`
    select name, bounds
    from (
      select c.relname::text as name, pg_get_expr(c.relpartbound, c.oid) as bounds
      from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'webhook_deliveries'::regclass
    ) as part
    where ${floorOf(now)}::uuid >= substring(bounds from 'FROM \\(''([^'']+)')::uuid
      and ${floorOf(now)}::uuid < substring(bounds from 'TO \\(''([^'']+)')::uuid`
  const [part] = yield* decodePart(rows)
  return part
})

/** The `uuid` of a number in this millisecond: a UUIDv7 whose last 12 digits are the number. */
const idOf = (now: DateTime.Utc) => `${floorOf(now).slice(0, 13)}-7000-8000-`

/**
 * Replaces all webhook rows by this many pending deliveries, all due. They spread evenly over this many endpoints, in
 * clubs of 20 endpoints. The partition gets its rows before its indexes, which is several times faster.
 */
export const seedPending = Effect.fn("seedPending")(function*(pending: number, endpoints: number) {
  const sql = yield* SqlClient.SqlClient
  const now = yield* DateTime.now
  const at = sql`${DateTime.toDateUtc(now)}::timestamptz`
  const prefix = idOf(now)
  // With `(n)` as the number: ids of clubs, endpoints, messages and deliveries differ only in their prefix.
  const id = (own: string, number: string) => sql.literal(`('${own}' || lpad(to_hex(${number}), 12, '0'))::uuid`)
  const club = (endpoint: string) => id("00000000-0000-7000-8000-", `${endpoint} / ${endpointsOfClub}`)
  const endpoint = (number: string) => id("00000000-0000-7000-9000-", number)
  yield* ensurePartitions
  yield* sql`
    truncate webhook_counts, webhook_attempts, webhook_deliveries, webhook_messages, webhook_lanes, webhook_endpoints,
      event_outbox, clubs cascade`
  yield* sql`
    insert into clubs (id, organization_id, name, slug, time_zone, locale, sign_up_open, created_at)
    select ${club("n")}, gen_random_uuid(), 'Club', 'club-' || n, 'UTC', 'en', true, ${at}
    from generate_series(0, ${endpoints}::int - 1, ${endpointsOfClub}::int) n`
  yield* sql`
    insert into webhook_endpoints (
      club_id, id, slot, url, description, event_types, status, secret, created_at, updated_at
    )
    select ${club("n")}, ${endpoint("n")}, 1 + n % ${endpointsOfClub}::int, 'https://receiver.example/' || n, '',
      array['student.created'], 'enabled', ''::bytea, ${at}, ${at}
    from generate_series(0, ${endpoints}::int - 1) n`
  yield* sql`
    insert into webhook_lanes (club_id, endpoint_id, due_at)
    select ${club("n")}, ${endpoint("n")}, ${at}
    from generate_series(0, least(${endpoints}::int, ${pending}::int) - 1) n`
  // A busy endpoint already has counts for this quarter of an hour and for earlier ones.
  yield* sql`
    insert into webhook_counts (club_id, endpoint_id, at, accepted, failed, given_up)
    select ${club("n")}, ${endpoint("n")}, quarter, 1, 0, 0
    from generate_series(${at} - interval '1 hour', ${at}, interval '15 minutes') quarter
      cross join generate_series(0, ${endpoints}::int - 1) n
    order by quarter, n`
  yield* sql`analyze webhook_counts`
  // Twenty deliveries in a row belong to one club, so they may share a message.
  yield* sql`
    insert into webhook_messages (club_id, id, type, occurred_at, created_at, body)
    select ${club(`(n % ${endpoints})`)}, ${id(prefix, `n / ${deliveriesOfMessage}`)}, 'student.created', ${at}, ${at},
      convert_to(repeat('x', 600), 'utf8')
    from generate_series(0, ${pending}::int - 1, ${deliveriesOfMessage}::int) n`
  const part = yield* currentPart(now)
  yield* sql`drop table ${sql(part.name)}`
  yield* sql`create table ${sql(part.name)} (like webhook_deliveries including defaults including constraints)`
  yield* sql`
    insert into ${sql(part.name)} (
      club_id, endpoint_id, id, event_id, event_type, status, trigger, next_attempt_at, created_at
    )
    select ${club(`(n % ${endpoints})`)}, ${endpoint(`n % ${endpoints}`)}, ${id(prefix, "n")},
      ${id(prefix, `n / ${deliveriesOfMessage}`)}, 'student.created', 'pending', 'schedule', ${at}, ${at}
    from generate_series(0, ${pending}::int - 1) n`
  yield* sql`
    alter table webhook_deliveries attach partition ${sql(part.name)} ${sql.literal(part.bounds)}`
  yield* Effect.forEach(
    ["webhook_endpoints", "webhook_lanes", "webhook_messages", "webhook_deliveries", "webhook_attempts"],
    (table) => sql`vacuum (analyze) ${sql(table)}`
  )
  yield* sql`checkpoint`
}, Effect.orDie)
