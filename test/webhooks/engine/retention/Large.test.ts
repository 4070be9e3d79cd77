import { assert, layer } from "@effect/vitest"
import { ConfigProvider, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { EventErasure } from "../../../../src/events/EventErasure.ts"
import { Partitions } from "../../../../src/platform/sql/Partitions.ts"
import { RetentionRepo } from "../../../../src/webhooks/engine/retention/RetentionRepo.ts"
import { WebhookErasureLayer } from "../../../../src/webhooks/engine/retention/WebhookErasure.ts"
import { WebhookRules } from "../../../../src/webhooks/model/WebhookSettings.ts"
import { PostgresLayer } from "../../../harness/Postgres.ts"
import { ago, begin, makeAttempt, makeDelivery, makeEndpoint } from "./Rows.ts"

const TestLayer = Layer.mergeAll(WebhookErasureLayer, RetentionRepo.layer, Partitions.layer, WebhookRules.layer).pipe(
  Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env: {} }))),
  Layer.provideMerge(PostgresLayer)
)

const rows = 100_000

// Two in three deliveries have ended. The others have waited for less than 30 days. Each has one attempt.
const fill = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* begin("31 days")
  const endpoints = yield* Effect.forEach(Array.from({ length: 10 }), () => makeEndpoint({ status: "paused" }))
  const at = DateTime.toDateUtc(ago("29 days"))
  const idOf = (n: string, time: string) =>
    sql
      .literal(`(lpad(to_hex((extract(epoch from ${time}) * 1000)::bigint), 12, '0') || '7000a' || lpad(to_hex(${n}), 15, '0'))::uuid`)
  yield* sql`
    create temporary table made as
    select e.club_id, e.id as endpoint_id, n, m.created_at, ${
    idOf("n", "m.created_at")
  } as id, gen_random_uuid() as student_id
    from generate_series(1, ${rows}) n
    cross join lateral (select ${at}::timestamptz + n * 25 * interval '1 second' as created_at) m
    join (
      select club_id, id, row_number() over () - 1 as number from webhook_endpoints
    ) e on e.number = n % ${endpoints.length}`
  yield* sql`
    insert into webhook_messages
    select club_id, id, 'student.created', student_id, created_at, created_at, '\\x00' from made`
  yield* sql`
    insert into webhook_deliveries (
      club_id, endpoint_id, id, event_id, event_type, student_id, status, trigger, next_attempt_at, created_at,
      finished_at
    )
    select club_id, endpoint_id, id, id, 'student.created', student_id,
      case when n % 3 = 0 then 'pending' else 'succeeded' end, 'schedule',
      case when n % 3 = 0 then created_at end, created_at, case when n % 3 <> 0 then created_at end
    from made`
  yield* sql`
    insert into webhook_attempts (club_id, delivery_id, id, number, trigger, started_at, duration_ms, response_body)
    select club_id, id, id, 1, 'schedule', created_at, 7, 'OK' from made`
  yield* sql`drop table made`
  yield* sql`analyze`
  return endpoints
})

const decodeRead = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ read: Schema.NumberFromString })]))

/** Rows of the partitioned tables that this work scans, in a transaction of its own. */
const scannedBy = Effect.fnUntraced(function*<A, E, R>(work: Effect.Effect<A, E, R>) {
  const sql = yield* SqlClient.SqlClient
  const reading = sql`
    select coalesce(sum(seq_tup_read), 0)::text as read from pg_stat_xact_user_tables
    where relname ~ '^webhook_(messages|deliveries|attempts)_'`.pipe(Effect.flatMap(decodeRead))
  return yield* sql.withTransaction(Effect.gen(function*() {
    const [before] = yield* reading
    const answer = yield* work
    const [after] = yield* reading
    return { answer, scanned: after.read - before.read }
  }))
})

layer(TestLayer)("Among 100 000 deliveries", (it) => {
  it.effect("sweeping and erasing find what they change by an index", () =>
    Effect.gen(function*() {
      const repo = yield* RetentionRepo
      const { eraseStudent } = yield* EventErasure
      const [endpoint] = yield* fill
      assert.isDefined(endpoint)
      if (endpoint === undefined) return
      yield* makeDelivery(endpoint, ago("30 days"))
      const about = yield* makeDelivery(endpoint, ago("3 days"))
      yield* Effect.forEach([1, 2, 3, 4], () =>
        Effect.flatMap(makeDelivery(endpoint, ago("2 days"), { student_id: about.student_id }), (delivery) =>
          makeAttempt(delivery, ago("1 day"))))
      const month = ago("30 days")

      const work = {
        "ending resends": repo.endResends(month),
        expiring: repo.expire(month),
        "removing endpoints": repo.removeEndpoints(ago("90 days")),
        "removing endpoints without deliveries": repo.removeEndpoints(ago("1 hours"), ago("25 hours")),
        "erasing a student": Effect.map(eraseStudent(about.club_id, about.student_id), ({ bodies, responses }) =>
          bodies + responses)
      }
      const found: Record<string, number> = {}
      for (const [name, effect] of Object.entries(work)) {
        const { answer, scanned } = yield* scannedBy(effect)
        found[name] = answer
        assert.isBelow(scanned, 1000, name)
      }
      assert.deepStrictEqual(found, {
        "ending resends": 0,
        expiring: 1,
        "removing endpoints": 0,
        "removing endpoints without deliveries": 0,
        "erasing a student": 5 + 4
      })
    }))
})
