// npm run bench:webhooks:feed [-- --events 50000000]: pages of the feed of events, with made-up events of 90 days.
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { ConfigProvider, Console, DateTime, Effect, Layer } from "effect"
import { Command, Flag } from "effect/cli"
import { SqlClient } from "effect/sql"
import { EventType } from "../../../src/events/EventType.ts"
import { ClubId } from "../../../src/identity/ids/ClubId.ts"
import { StudentId } from "../../../src/identity/ids/StudentId.ts"
import { Partitions } from "../../../src/platform/sql/Partitions.ts"
import { floorOf } from "../../../src/platform/sql/Uuid7.ts"
import { FeedRepo } from "../../../src/webhooks/events/feed/FeedRepo.ts"
import { type FeedRange, readStatement } from "../../../src/webhooks/events/feed/readStatement.ts"
import { beginning } from "../../../src/webhooks/model/FeedPosition.ts"
import { WebhookRules } from "../../../src/webhooks/model/WebhookSettings.ts"
import { webhookTables } from "../../../src/webhooks/model/WebhookTables.ts"
import { touchedBy } from "../../harness/PagesRead.ts"
import { PlatformLayer } from "../platformLayer.ts"
import { sized } from "../sized.ts"
import { driverLayer, makeStand } from "./Stand.ts"
import { median, met, spaced, table } from "./tables.ts"

/** Clubs that share the events. The first club has half of them. */
const clubs = 100

/** Only the newest events have messages and deliveries, since pages read those of their own events alone. */
const withBodies = sized(200_000, 500)
const endpoints = 3
const students = sized(5_000, 20)

/** The most milliseconds of a page of 100 events, by the median. */
const mostMillis = 10

const club = ClubId.make("00000000-0000-7000-8000-000000000000")
const student = StudentId.make("00000000-0000-7000-a000-000000000008")

/** Ids of clubs by number. Half of the events belong to the first club, the rest to the others in turn. */
const idOf = (sql: SqlClient.SqlClient, prefix: string, number: string) =>
  sql.literal(`('${prefix}' || lpad(to_hex((${number})::bigint), 12, '0'))::uuid`)

const seed = Effect.fn("seed")(function*(events: number) {
  const sql = yield* SqlClient.SqlClient
  const now = yield* DateTime.now
  const from = DateTime.subtract(now, { days: 89 })
  yield* Effect.flatMap(Partitions, ({ ensure }) => ensure(webhookTables, from))
  const at = sql`${DateTime.toDateUtc(now)}::timestamptz`
  yield* sql`
    insert into clubs (id, organization_id, name, slug, time_zone, locale, sign_up_open, created_at)
    select ${
    idOf(sql, "00000000-0000-7000-8000-", "n")
  }, gen_random_uuid(), 'Club', 'club-' || n, 'UTC', 'en', true, ${at}
    from generate_series(0, ${clubs}::int - 1) n`
  yield* sql`
    insert into webhook_endpoints (
      club_id, id, slot, url, description, event_types, status, secret, created_at, updated_at
    )
    select ${club}::uuid, ${idOf(sql, "00000000-0000-7000-9000-", "n")}, n + 1, 'https://receiver.example/' || n, '',
      array['student.created'], 'enabled', ''::bytea, ${at}, ${at}
    from generate_series(0, ${endpoints}::int - 1) n`
  const length = DateTime.toEpochMillis(now) - DateTime.toEpochMillis(from)
  const millis = sql`(${DateTime.toEpochMillis(from)}::bigint + n * ${length}::bigint / ${events}::bigint)`
  const eventId = sql`(lpad(to_hex(${millis}), 12, '0') || '70009' || lpad(to_hex(n), 15, '0'))::uuid`
  const made = sql`to_timestamp(${millis} / 1000.0)`
  yield* sql`
    insert into webhook_feed_events (club_id, position, event_id, type, student_id, occurred_at, created_at)
    select case when n % 2 = 0 then ${club}::uuid
        else ${idOf(sql, "00000000-0000-7000-8000-", `1 + n / 2 % ${clubs - 1}`)} end,
      (lpad(to_hex(${millis}), 12, '0') || '70008' || lpad(to_hex(case when n % 2 = 0 then n / 2 + 1 else n end), 15, '0'))::uuid,
      ${eventId}, case when n % 1000 = 0 then 'purchase.refunded' else 'lesson.completed' end,
      ${idOf(sql, "00000000-0000-7000-a000-", `n % ${students}`)}, ${made}, ${made}
    from generate_series(0, ${events}::bigint - 1) n`
  yield* sql`
    insert into webhook_feeds select club_id, max(position::text)::uuid from webhook_feed_events
    where position > ${floorOf(DateTime.subtract(now, { days: 1 }))} group by club_id`
  const newest = sql`generate_series(${events - withBodies}::bigint, ${events}::bigint - 1) n`
  yield* sql`
    insert into webhook_messages (club_id, id, type, occurred_at, created_at, body)
    select ${club}, ${eventId}, 'lesson.completed', ${made}, ${made}, convert_to('{"text":"' || repeat('x', 600) || '"}', 'UTF8')
    from ${newest} where n % 2 = 0`
  yield* sql`
    insert into webhook_deliveries (
      club_id, endpoint_id, id, event_id, event_type, status, trigger, created_at, finished_at, attempts_count
    )
    select ${club}, ${idOf(sql, "00000000-0000-7000-9000-", "e")},
      (lpad(to_hex(${millis}), 12, '0') || '7000' || to_hex(8 + e) || lpad(to_hex(n), 15, '0'))::uuid,
      ${eventId}, 'lesson.completed', 'succeeded', 'schedule', ${made}, ${made}, 1
    from ${newest} cross join generate_series(0, ${endpoints}::int - 1) e where n % 2 = 0`
  yield* Effect.forEach(
    ["webhook_feeds", "webhook_feed_events", "webhook_messages", "webhook_deliveries"],
    (name) => sql`vacuum (analyze) ${sql(name)}`
  )
  yield* sql`checkpoint`
  return { now, from }
}, Effect.orDie)

const measure = Effect.fn("measure")(function*(events: number, rounds: number) {
  const sql = yield* SqlClient.SqlClient
  const repo = yield* FeedRepo
  const { from, now } = yield* seed(events)
  const share = Math.max(0, 1 - withBodies / events * 0.9)
  const span = DateTime.toEpochMillis(now) - DateTime.toEpochMillis(from)
  const recent = floorOf(DateTime.add(from, { milliseconds: Math.floor(span * share) }))
  const middle = floorOf(DateTime.add(from, { milliseconds: Math.floor(span / 2) }))
  const cases: Record<string, FeedRange> = {
    "100 newer ones, bodies, 3 deliveries each": { position: recent, limit: 100 },
    "100 in the middle": { position: middle, limit: 100 },
    "100 oldest": { position: beginning, limit: 100 },
    "100 of a type, one of 500": { position: recent, limit: 100, type: "purchase.refunded" },
    "100 of a type that there is not": { position: middle, limit: 100, type: EventType.literals[0] },
    "100 of a student": { position: beginning, limit: 100, student_id: student }
  }
  const found = []
  let slowest = 0
  for (const [name, range] of Object.entries(cases)) {
    const times: Array<number> = []
    let before = process.cpuUsage()
    for (let round = -5; round < rounds; round++) {
      if (round === 0) before = process.cpuUsage()
      const started = performance.now()
      yield* repo.read(club, range)
      if (round >= 0) times.push(performance.now() - started)
    }
    const { system, user } = process.cpuUsage(before)
    const [page, touched] = yield* touchedBy(repo.read(club, range), /webhook_/)
    const worst = times.toSorted((one, other) => one - other).at(Math.floor(rounds * 0.95)) ?? 0
    slowest = Math.max(slowest, median(times))
    const read = [touched.tablePages, touched.indexPages, touched.rows].join(", ")
    found.push([
      name,
      `${page.events.length}`,
      median(times).toFixed(2),
      worst.toFixed(2),
      ((system + user) / 1000 / rounds).toFixed(2),
      read
    ])
  }
  const shown = table(
    ["page", "events", "median ms", "p95 ms", "own CPU ms", "pages of tables, of indexes, rows"],
    found
  )
  const bodies = DateTime.subtract(now, { days: 30 })
  const range: FeedRange = { position: recent, limit: 100 }
  const statement = readStatement(sql, club, range, { bodies, oldest: floorOf(from) })
  const plan = yield* sql`explain (analyze, costs off, timing off) ${statement}`
  yield* Console.log(`${spaced(events)} events of ${clubs} clubs, half of one.\n\n${shown}\n`)
  yield* Console
    .log(`The slowest page, by its median: ${slowest.toFixed(2)} ms, aim ≤ ${mostMillis}: ${
      met(slowest <= mostMillis)
    }\n`)
  yield* Console.log(plan.map((line) => String(line["QUERY PLAN"])).join("\n"))
})

Command.make("bench:webhooks:feed", {
  events: Flag.Int("events").pipe(
    Flag.withDefault(sized(5_000_000, 500)),
    Flag.withDescription(`Events of all clubs, ${spaced(withBodies)} at least`)
  ),
  rounds: Flag.Int("rounds").pipe(
    Flag.withDefault(sized(100, 1)),
    Flag.withDescription("Pages of each kind that are timed")
  )
}, ({ events, rounds }) =>
  Effect.scoped(Effect.gen(function*() {
    const stand = yield* makeStand({ fsync: "off", max_wal_size: "16GB", maintenance_work_mem: "1GB" })
    yield* measure(events, rounds).pipe(
      Effect.provide(FeedRepo.layer.pipe(Layer.provide(WebhookRules.layer), Layer.provideMerge(driverLayer(stand)))),
      Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromUnknown({}))
    )
  }))).pipe(Command.run({ version: "1" }), Effect.provide(PlatformLayer), NodeRuntime.runMain)
