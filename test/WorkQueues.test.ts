import { assert, layer } from "@effect/vitest"
import { Duration, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { ServicesLayer, WorkersLayer } from "../src/App.ts"
import { waitingAnswers } from "../src/assistant/ask/answers/AnswerSignal.ts"
import { changedLessons } from "../src/assistant/material/changes/ChangedLessons.ts"
import { waitingEvents } from "../src/commerce/sales/inbound/InboundSignal.ts"
import { waitingFacts } from "../src/events/Outbox.ts"
import { waitingLosses } from "../src/learning/content/CourseLosses.ts"
import { waitingAnnouncements } from "../src/learning/lives/LiveAnnouncements.ts"
import { waitingRequests } from "../src/membership/accounts/WaitingRequests.ts"
import { ungivenDeliveries } from "../src/membership/catalog/UngivenDeliveries.ts"
import { waitingDigests } from "../src/membership/notifications/Digests.ts"
import { waitingImports } from "../src/membership/students/import/WaitingImports.ts"
import { nextDue, WorkWatch } from "../src/platform/jobs/WorkWatch.ts"
import { waitingMails } from "../src/platform/mail/MailSignal.ts"
import { waitingLanes } from "../src/webhooks/engine/dispatch/LanesRepo.ts"
import { waitingRecoveries } from "../src/webhooks/history/recovery/RecoveryWork.ts"
import { waitingGradings } from "../src/webhooks/workbench/grader/GradingWorker.ts"
import { PostgresLayer } from "./harness/Postgres.ts"
import { serviceSettingsLayer } from "./harness/ServiceSettings.ts"
import { localFolder } from "./platform/storage/local/LocalFolder.ts"

/** Every queue that a process watches. */
const queues = [
  changedLessons,
  ungivenDeliveries,
  waitingAnnouncements,
  waitingAnswers,
  waitingDigests,
  waitingEvents,
  waitingFacts(Duration.seconds(2)),
  waitingGradings,
  waitingImports,
  waitingLanes,
  waitingLosses,
  waitingMails,
  waitingRecoveries,
  waitingRequests
]

const rows = 20_000

/** Fills each table with work of three clubs, due in a minute. If it keeps finished work, it gets as many done rows. */
const fill = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  // Without the rows that these refer to.
  yield* sql`set local session_replication_role = replica`
  const [at, later] = [new Date(0), new Date(60_000)]
  const ids = sql`
    select md5('club' || n % 3)::uuid as club_id, gen_random_uuid() as id, n, n % 2 = 0 as waits
    from generate_series(1, ${2 * rows}) n`
  const due = sql`case when waits then ${later}::timestamptz end`
  yield* sql`
    insert into material_queue (club_id, lesson_id, due_at) select club_id, id, ${later} from (${ids})`
  yield* sql`
    insert into deliveries (club_id, id, name, free, free_from, created_at)
    select club_id, id, 'Many', true, case when n = 1 then id end, ${at} from (${ids})`
  yield* sql`
    insert into messages (
      club_id, id, conversation_id, student_id, role, content, status, reply_to, leased_until, created_at, completed_at
    )
    select club_id, id, id, id, 'assistant', '', case when waits then 'generating' else 'completed' end, id, ${due},
      ${at}, case when not waits then ${at}::timestamptz end
    from (${ids})`
  yield* sql`
    insert into inbound_events (
      club_id, id, inbound_webhook_id, platform, event_name, body_hash, order_key, product_ids, offer_ids, received_at,
      due_at, outcome, finished_at
    )
    select club_id, id, id, 'hotmart', 'Many', sha256(uuid_send(id)), id::text, '{}', '{}', ${at}, ${due},
      case when not waits then 'ignored' end, case when not waits then ${at}::timestamptz end
    from (${ids})`
  yield* sql`
    insert into event_outbox (club_id, id, type, student_id, subject, occurred_at, due_at)
    select club_id, id, 'student.created', id, '{}', ${at}, ${later} from (${ids})`
  yield* sql`
    insert into student_imports (
      club_id, id, actor_user_id, dry_run, total, created, created_at, due_at, finished_at
    )
    select club_id, id, id, false, 1, 1, ${at}, ${due}, case when not waits then ${at}::timestamptz end from (${ids})`
  yield* sql`
    insert into webhook_lanes (club_id, endpoint_id, due_at) select club_id, id, ${due} from (${ids})`
  yield* sql`
    insert into webhook_recoveries (
      club_id, endpoint_id, id, status, starts, since, newest_first, time_zone, preview, room, tokens_at, due_at,
      created_by, created_at, finished_at
    )
    select club_id, id, id, case when waits then 'running' else 'completed' end, false, ${at}, false, 'UTC', '{}', 1,
      ${at}, ${due}, id, ${at}, case when not waits then ${at}::timestamptz end
    from (${ids})`
  yield* sql`
    insert into webhook_gradings (
      club_id, endpoint_id, id, organization_id, status, grade, report, due_at, created_at, finished_at
    )
    select club_id, id, id, id, case when waits then 'running' else 'done' end, case when not waits then 'A' end,
      case when not waits then '\\x00'::bytea end, ${due}, ${at}, case when not waits then ${at}::timestamptz end
    from (${ids})`
  yield* sql`
    insert into course_losses (club_id, course_id, at, due_at) select club_id, id, ${at}, ${later} from (${ids})`
  yield* sql`
    insert into live_announcements (club_id, live_id, due_at) select club_id, id, ${later} from (${ids})`
  yield* sql`
    insert into notification_settings (club_id, student_id, due_at) select club_id, id, ${due} from (${ids})`
  yield* sql`
    insert into mails (id, content, attempts, next_attempt_at, created_at) select id, '\\x00', 0, ${later}, ${at} from (${ids})`
  yield* sql`
    insert into credential_requests (id, kind, email, locale, due_at, created_at)
    select id, 'forgot', n || '@many.example', 'en', ${later}, ${at} from (${ids})`
  yield* sql`analyze`
})

const decodeReads = Schema
  .decodeUnknownEffect(Schema.Array(Schema.Struct({ table: Schema.String, read: Schema.NumberFromString })))

/** The number of rows of each table that this transaction has read, with or without an index. */
const reads = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const counts = yield* sql`
    select relname as "table", (seq_tup_read + coalesce(idx_tup_fetch, 0))::text as read from pg_stat_xact_user_tables
  `.pipe(Effect.flatMap(decodeReads))
  return new Map(counts.map(({ read, table }) => [table, read]))
})

layer(PostgresLayer)("On large tables", (it) => {
  it.effect("what is due next in every queue is found by a few rows of an index", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* sql.withTransaction(Effect.gen(function*() {
        yield* fill
        const before = yield* reads
        const found = yield* nextDue(sql, queues)
        const many = [...yield* reads].filter(([table, read]) => read - (before.get(table) ?? 0) > 20)
        assert.deepStrictEqual(many, [])
        const expected = queues.map(({ name }) => [name, name === ungivenDeliveries.name ? 0 : 60_000])
        assert.deepStrictEqual(found.map(({ due_at, name }) => [name, due_at.epochMilliseconds]), expected)
      }))
    }))
})

const { folder } = localFolder()

/** The names of the queues that workers watch. */
const watched = new Set<string>()

const NotingLayer = Layer.succeed(WorkWatch, {
  watch: ({ name }) => Effect.sync(() => void watched.add(name)),
  announce: () => Effect.void
})

const WorkingLayer = WorkersLayer.pipe(
  Layer.provide(NotingLayer),
  Layer.provide(ServicesLayer),
  Layer.provideMerge(PostgresLayer),
  Layer.provide(serviceSettingsLayer(folder))
)

layer(WorkingLayer)("The workers of a process", (it) => {
  it.effect("watch these queues and no other", () =>
    Effect.sync(() => assert.sameMembers([...watched], queues.map(({ name }) => name))))
})
