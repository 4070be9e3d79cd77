import { DateTime, Effect } from "effect"
import { floorOf } from "../../src/platform/sql/Uuid7.ts"
import { webhookTables } from "../../src/webhooks/model/WebhookTables.ts"
import type { Gate } from "./Gate.ts"

/** A change of a row, as it was committed. */
export interface Change {
  readonly what: string
  readonly was: Row | undefined
  readonly is: Row | undefined
}

/** A row as JSON, without bodies and secrets. */
export type Row = Readonly<Record<string, unknown>>

/** The rows of a table as these changes left them, in their order. */
export const rowsOf = (changes: ReadonlyArray<Change>, table: string): ReadonlyArray<Row> =>
  changes.flatMap(({ is, what }) => what === table && is !== undefined ? [is] : [])

const tables = [
  "webhook_endpoints",
  "webhook_previous_secrets",
  "webhook_lanes",
  "webhook_notices",
  "webhook_messages",
  "webhook_deliveries",
  "webhook_attempts",
  "webhook_recoveries",
  "webhook_recovery_moves",
  "webhook_feed_events",
  "webhook_inboxes",
  "webhook_inbox_requests",
  "webhook_gradings",
  "event_outbox",
  "erased_students",
  "mails"
]

// The journal has no secrets, answers or bodies, except the bodies of new messages. It notes if a body or a response
// exists. With a fact that leaves the outbox it keeps the endpoints that list its type at that moment.
const definitions = [
  `create unlogged table simulation_journal (
    seq bigint generated always as identity, what text not null, was jsonb, now jsonb
  )`,
  `create function simulation_bare(given jsonb) returns jsonb language sql immutable as $$
    select case when given is null then null else given
        - '{body,response_body,content,secret,signing_key,headers,token,token_hash,head,report}'::text[]
      || jsonb_build_object('has_body', given -> 'body' <> 'null', 'has_response', given -> 'response_body' <> 'null') end
  $$`,
  `create function simulation_note() returns trigger language plpgsql as $$
    begin
      insert into simulation_journal (what, was, now) values (
        tg_argv[0],
        simulation_bare(case when tg_op <> 'INSERT' then to_jsonb(old) end),
        simulation_bare(case when tg_op <> 'DELETE' then to_jsonb(new) end) || case
          when tg_argv[0] = 'webhook_messages' and tg_op = 'INSERT' then
            jsonb_build_object('told', convert_from(decode(substr(to_jsonb(new)->>'body', 3), 'hex'), 'UTF8')::jsonb)
          else '{}'
        end
      );
      return null;
    end
  $$`,
  `create function simulation_taken() returns trigger language plpgsql as $$
    begin
      insert into simulation_journal (what, was) values ('taken', to_jsonb(old) || jsonb_build_object(
        'is_erased', exists (
          select from erased_students e where e.club_id = old.club_id and e.student_id = old.student_id
        ),
        'listing', (
          select coalesce(jsonb_agg(jsonb_build_object('id', e.id, 'filter', e.filter, 'place', e.place)), '[]'::jsonb)
          from webhook_endpoints e
          where e.club_id = old.club_id and e.status in ('enabled', 'paused') and e.deleted_at is null
            and old.type = any (e.event_types)
        )
      ));
      return null;
    end
  $$`,
  ...tables.map((table) =>
    `create trigger simulation_journal after insert or update or delete on ${table}
      for each row execute function simulation_note('${table}')`
  ),
  `create trigger simulation_taken after delete on event_outbox for each row execute function simulation_taken()`
]

/** Makes the database of a simulation record every change. */
export const installJournal = (gate: Pick<Gate, "ask">): Effect.Effect<void> =>
  Effect.gen(function*() {
    for (const definition of definitions) yield* gate.ask(definition)
  })

const rowOf = (json: unknown): Row | undefined => json === null ? undefined : Object(json)

/** The changes committed since the last time, in the order in which each row changed. */
export const readJournal = (gate: Pick<Gate, "ask">): Effect.Effect<ReadonlyArray<Change>> =>
  Effect.gen(function*() {
    const rows = yield* gate.ask(`
    with gone as (delete from simulation_journal returning seq, what, was, now)
    select what, was, now from gone order by seq`)
    return rows.map(({ now, was, what }) => ({ what: `${what}`, was: rowOf(was), is: rowOf(now) }))
  })

const emptied = [
  "mails",
  "webhook_recovery_moves",
  "webhook_recoveries",
  "webhook_feed_events",
  "webhook_feeds",
  "webhook_inbox_requests",
  "webhook_inboxes",
  "webhook_gradings",
  "webhook_attempts",
  "webhook_deliveries",
  "webhook_messages",
  "webhook_lanes",
  "webhook_notices",
  "webhook_previous_secrets",
  "webhook_endpoints",
  "event_outbox",
  "erased_students",
  "students",
  "members",
  "users",
  "clubs"
]

const day = 86_400_000

/** A month of partitions. Every simulation begins with them, even if an earlier one left others behind. */
const partitionsFrom = (begin: number): ReadonlyMap<string, string> => {
  const months = webhookTables.flatMap(({ period, table }) => {
    const length = period === "day" ? day : 7 * day
    return Array.from({ length: Math.ceil((30 * day) / length) }, (_, index) => {
      const [from = "", to = ""] = [index, index + 1].map((at) => floorOf(DateTime.makeUnsafe(begin + at * length)))
      const name = `${table}_${new Date(begin + index * length).toISOString().slice(0, 10).replaceAll("-", "")}`
      return [name, `create table ${name} partition of ${table} for values from ('${from}') to ('${to}')`] as const
    })
  })
  return new Map(months)
}

const putPartitions = (gate: Pick<Gate, "ask">, begin: number): Effect.Effect<void> =>
  Effect.gen(function*() {
    const rows = yield* gate.ask(`
    select c.relname::text as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent::regclass::text = any (array['${webhookTables.map(({ table }) => table).join("','")}'])
      and c.relkind = 'r'`)
    const there = new Set(rows.map(({ name }) => `${name}`))
    const wanted = partitionsFrom(begin)
    for (const name of there) if (!wanted.has(name)) yield* gate.ask(`drop table ${name}`)
    for (const [name, make] of wanted) if (!there.has(name)) yield* gate.ask(make)
  })

/** Forgets a simulation. The next one begins on a Monday. */
export const forget = (gate: Pick<Gate, "ask">, begin: number): Effect.Effect<void> =>
  Effect.gen(function*() {
    yield* gate.ask("set session_replication_role = replica")
    for (const table of emptied) yield* gate.ask(`delete from ${table}`)
    yield* gate.ask("set session_replication_role = origin")
    // Every step reads the journal. Deleted rows would stay in its pages until a vacuum.
    yield* gate.ask("truncate simulation_journal")
    yield* putPartitions(gate, begin)
  })
