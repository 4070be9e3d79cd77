import { assert, it, layer } from "@effect/vitest"
import { ConfigProvider, DateTime, Deferred, Duration, Effect, Fiber, Layer, Logger } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Partitions } from "../../../../src/platform/sql/Partitions.ts"
import { floorOf } from "../../../../src/platform/sql/Uuid7.ts"
import { Retention, retentionLayer } from "../../../../src/webhooks/engine/retention/Retention.ts"
import { WebhookRules } from "../../../../src/webhooks/model/WebhookSettings.ts"
import { makeStudent } from "../../../harness/Makers.ts"
import { warmPool } from "../../../harness/Pool.ts"
import { PostgresLayer } from "../../../harness/Postgres.ts"
import { insertPreviousSecret } from "../../../harness/Webhooks.ts"
import { ago, begin, deliveryNow, ended, makeDelivery, makeEndpoint, saturday } from "./Rows.ts"

// Takes long: it makes and drops partitions for 90 days.

const rulesWith = (env: Record<string, string>) =>
  WebhookRules.layer.pipe(Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env }))))

const withRules = (env: Record<string, string>) =>
  Retention.layer.pipe(
    Layer.provideMerge(Layer.merge(Partitions.layer, rulesWith(env))),
    Layer.provideMerge(PostgresLayer)
  )

const TestLayer = withRules({})

const sweep = Effect.flatMap(Retention, (retention) => retention.sweep)

const partitions = Effect.fnUntraced(function*(table: string) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ name: string }>`
    select c.relname::text as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = ${table}::text::regclass order by c.relname`
  return rows.map(({ name }) => name.slice(table.length + 1))
})

const endpointNow = Effect.fnUntraced(function*(
  { club_id, endpoint_id }: Effect.Success<ReturnType<typeof makeEndpoint>>
) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ previous: number; lanes: number }>`
    select (
      select count(*)::int from webhook_previous_secrets p where p.club_id = e.club_id and p.endpoint_id = e.id
    ) as previous, (
      select count(*)::int from webhook_lanes l where l.club_id = e.club_id and l.endpoint_id = e.id
    ) as lanes
    from webhook_endpoints e where club_id = ${club_id} and id = ${endpoint_id}`
  return row
})

const tellAt = Effect.fnUntraced(function*(
  { club_id, endpoint_id }: Effect.Success<ReturnType<typeof makeEndpoint>>,
  moment: DateTime.Utc
) {
  const sql = yield* SqlClient.SqlClient
  const at = DateTime.toDateUtc(moment)
  yield* sql`
      insert into webhook_notices (club_id, endpoint_id, day, kind, at, is_open)
      values (${club_id}, ${endpoint_id}, ${DateTime.formatIsoDateUtc(moment)}, 'held', ${at}, true)`
})

layer(TestLayer)("A sweep of partitions", (it) => {
  it.effect("makes those to come, and drops messages and attempts after 30 days and deliveries after 90", () =>
    Effect.gen(function*() {
      yield* begin("119 days")
      yield* TestClock.adjust("1 day")
      yield* sweep
      const [messages, attempts] = [yield* partitions("webhook_messages"), yield* partitions("webhook_attempts")]
      const deliveries = yield* partitions("webhook_deliveries")
      // On Sunday, 22 November at 10:00 the day 30 days ago is not over, and a message may be a day late.
      assert.deepStrictEqual([messages[0], messages.at(-1)], ["20261022", "20261129"])
      assert.deepStrictEqual([attempts[0], attempts.at(-1)], ["20261023", "20261129"])
      // 24 August was a Monday.
      assert.deepStrictEqual([deliveries[0], deliveries.at(-1)], ["20260824", "20261130"])
    }))

  it.effect("keeps a message whose work had waited, and has an older id, for 30 days from when it was made", () =>
    Effect.gen(function*() {
      yield* begin("40 days")
      const sql = yield* SqlClient.SqlClient
      const { club, club_id } = yield* makeEndpoint()
      const student = yield* makeStudent(club)
      const made = yield* DateTime.now
      const id = floorOf(DateTime.subtract(made, { days: 3 }))
      yield* sql`
        insert into webhook_messages ${
        sql.insert({
          club_id,
          id,
          type: "student.created",
          student_id: student.id,
          occurred_at: DateTime.toDateUtc(made),
          created_at: DateTime.toDateUtc(made),
          body: new Uint8Array([1])
        })
      }`
      const isThere = Effect.map(sql`select 1 from webhook_messages where id = ${id}`, (found) => found.length === 1)
      yield* TestClock.adjust(Duration.subtract(Duration.days(30), Duration.minutes(1)))
      yield* sweep
      assert.isTrue(yield* isThere)
      yield* TestClock.adjust("2 minutes")
      yield* sweep
      assert.isFalse(yield* isThere)
    }))
})

layer(TestLayer)("A delivery that waits", (it) => {
  it.effect("expires at 30 days sharp", () =>
    Effect.gen(function*() {
      yield* begin("36 days")
      const delivery = yield* makeDelivery(yield* makeEndpoint(), ago("10 days"))
      yield* TestClock.setTime(DateTime.toEpochMillis(saturday) + 20 * 86_400_000 - 1)
      yield* sweep
      assert.strictEqual((yield* deliveryNow(delivery)).status, "pending")
      yield* TestClock.adjust(1)
      const now = yield* DateTime.now
      yield* sweep
      assert.deepStrictEqual(yield* deliveryNow(delivery), {
        status: "canceled",
        cancel_reason: "expired",
        body_erased: false,
        next_attempt_at: null,
        finished_at: now
      })
    }))
})

layer(TestLayer)("Expiry", (it) => {
  it.effect("ends what waits for a paused endpoint, too", () =>
    Effect.gen(function*() {
      yield* begin("36 days")
      const delivery = yield* makeDelivery(yield* makeEndpoint({ status: "paused" }), ago("30 days"))
      yield* sweep
      assert.strictEqual((yield* deliveryNow(delivery)).cancel_reason, "expired")
    }))

  it.effect("leaves what has ended alone", () =>
    Effect.gen(function*() {
      yield* begin("36 days")
      const endpoint = yield* makeEndpoint()
      const deliveries = [
        yield* makeDelivery(endpoint, ago("35 days"), ended("succeeded")),
        yield* makeDelivery(endpoint, ago("35 days"), ended("failed"))
      ]
      yield* sweep
      const statuses = (yield* Effect.forEach(deliveries, deliveryNow)).map(({ status }) => status)
      assert.deepStrictEqual(statuses, ["succeeded", "failed"])
    }))

  it.effect("ends a resend that was never made, and the delivery stays what it was", () =>
    Effect.gen(function*() {
      yield* begin("36 days")
      const endpoint = yield* makeEndpoint()
      const owed = { ...ended("failed"), once: true, trigger: "manual", next_attempt_at: DateTime.toDateUtc(saturday) }
      const [old, young] = [
        yield* makeDelivery(endpoint, ago("30 days"), owed),
        yield* makeDelivery(endpoint, ago("29 days"), owed)
      ]
      yield* sweep
      assert.deepInclude(yield* deliveryNow(old), { status: "failed", next_attempt_at: null })
      assert.deepInclude(yield* deliveryNow(young), { status: "failed", next_attempt_at: saturday })
    }))

  it.effect("passes over what somebody else is changing, and comes back to it", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* begin("36 days")
      const endpoint = yield* makeEndpoint()
      const [free, taken] = [
        yield* makeDelivery(endpoint, ago("31 days")),
        yield* makeDelivery(endpoint, ago("31 days"))
      ]
      const [held, done] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const other = yield* Effect.forkChild(sql.withTransaction(Effect.gen(function*() {
        yield* sql`select 1 from webhook_deliveries where club_id = ${taken.club_id} and id = ${taken.id} for update`
        yield* Deferred.succeed(held, undefined)
        yield* Deferred.await(done)
      })))
      yield* Deferred.await(held)
      yield* sweep
      assert.strictEqual((yield* deliveryNow(free)).status, "canceled")
      assert.strictEqual((yield* deliveryNow(taken)).status, "pending")
      yield* Deferred.succeed(done, undefined)
      yield* Fiber.join(other)
      yield* sweep
      assert.strictEqual((yield* deliveryNow(taken)).status, "canceled")
    }))

  it.effect("ends more deliveries than fit into one statement", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* begin("36 days")
      const { club, club_id, endpoint_id } = yield* makeEndpoint()
      const { id: student_id } = yield* makeStudent(club)
      const created = DateTime.toDateUtc(ago("35 days"))
      const prefix = floorOf(ago("35 days")).slice(0, 24)
      yield* sql`
        insert into webhook_deliveries (
          club_id, endpoint_id, id, event_id, event_type, student_id, status, trigger, next_attempt_at, created_at
        )
        select ${club_id}, ${endpoint_id}, (${prefix} || lpad(n::text, 12, '0'))::uuid, gen_random_uuid(),
          'student.created', ${student_id}, 'pending', 'schedule', ${created}, ${created}
        from generate_series(1, 10001) n`
      yield* sweep
      const left = yield* sql`
        select 1 from webhook_deliveries where club_id = ${club_id} and status = 'pending' limit 1`
      assert.deepStrictEqual(left, [])
    }))
})

layer(withRules({ WEBHOOK_BODY_RETENTION: "7 days" }))("Where bodies are kept for 7 days", (it) => {
  it.effect("a delivery waits no longer than its body is kept", () =>
    Effect.gen(function*() {
      yield* begin("36 days")
      const endpoint = yield* makeEndpoint()
      const [old, young] = [yield* makeDelivery(endpoint, ago("7 days")), yield* makeDelivery(endpoint, ago("6 days"))]
      yield* sweep
      assert.strictEqual((yield* deliveryNow(old)).cancel_reason, "expired")
      assert.strictEqual((yield* deliveryNow(young)).status, "pending")
    }))
})

layer(TestLayer)("A deleted endpoint", (it) => {
  const deleted = (days: number) => ({ deleted_at: DateTime.toDateUtc(ago(Duration.days(days))) })

  it.effect("goes with its lane, and what was told of it, after 90 days", () =>
    Effect.gen(function*() {
      yield* begin("36 days")
      const endpoint = yield* makeEndpoint(deleted(90))
      const sql = yield* SqlClient.SqlClient
      yield* tellAt(endpoint, saturday)
      yield* sweep
      assert.isUndefined(yield* endpointNow(endpoint))
      const lanes = yield* sql`select 1 from webhook_lanes where club_id = ${endpoint.club_id}`
      assert.deepStrictEqual(lanes, [])
    }))

  it.effect("stays for 90 days, as does one that is not deleted", () =>
    Effect.gen(function*() {
      yield* begin("36 days")
      const [young, living] = [yield* makeEndpoint(deleted(89)), yield* makeEndpoint()]
      yield* sweep
      assert.strictEqual((yield* endpointNow(young))?.lanes, 1)
      assert.strictEqual((yield* endpointNow(living))?.lanes, 1)
    }))

  it.effect("that never got a delivery goes after an hour, and one that did stays", () =>
    Effect.gen(function*() {
      yield* begin("36 days")
      const deletedAgo = (minutes: number) => ({ deleted_at: DateTime.toDateUtc(ago(Duration.minutes(minutes))) })
      const [unused, young, used] = [
        yield* makeEndpoint(deletedAgo(60)),
        yield* makeEndpoint(deletedAgo(59)),
        yield* makeEndpoint(deletedAgo(60))
      ]
      yield* makeDelivery(used, ago("2 hours"), ended("succeeded"))
      yield* sweep
      assert.isUndefined(yield* endpointNow(unused))
      assert.strictEqual((yield* endpointNow(young))?.lanes, 1)
      assert.strictEqual((yield* endpointNow(used))?.lanes, 1)
    }))

  it.effect("stays for as long as a delivery names it, and keeps no other", () =>
    Effect.gen(function*() {
      yield* begin("80 days")
      const [named, free] = [yield* makeEndpoint(deleted(95)), yield* makeEndpoint(deleted(95))]
      yield* makeDelivery(named, ago("80 days"), ended("failed"))
      yield* sweep
      assert.strictEqual((yield* endpointNow(named))?.lanes, 1)
      assert.isUndefined(yield* endpointNow(free))
    }))
})

layer(TestLayer)("What was told of an endpoint", (it) => {
  it.effect("is forgotten after 90 days", () =>
    Effect.gen(function*() {
      yield* begin("36 days")
      const endpoint = yield* makeEndpoint()
      yield* tellAt(endpoint, ago("90 days"))
      yield* tellAt(endpoint, ago("89 days"))
      yield* sweep
      const sql = yield* SqlClient.SqlClient
      const left = yield* sql`select at from webhook_notices where endpoint_id = ${endpoint.endpoint_id}`
      assert.deepStrictEqual(left.map(({ at }) => at), [DateTime.toDateUtc(ago("89 days"))])
    }))
})

layer(TestLayer)("A replaced secret", (it) => {
  it.effect("is removed when it signs no more, and not before", () =>
    Effect.gen(function*() {
      yield* begin("36 days")
      const endpoint = yield* makeEndpoint()
      yield* insertPreviousSecret(endpoint, 1, new Uint8Array([2]), ago("1 hour"))
      yield* insertPreviousSecret(endpoint, 2, new Uint8Array([3]), saturday)
      yield* insertPreviousSecret(endpoint, 3, new Uint8Array([4]), DateTime.add(saturday, { milliseconds: 1 }))
      yield* sweep
      assert.strictEqual((yield* endpointNow(endpoint))?.previous, 1)
      yield* TestClock.adjust(1)
      yield* sweep
      assert.strictEqual((yield* endpointNow(endpoint))?.previous, 0)
    }))
})

layer(TestLayer)("Several sweeps at once", (it) => {
  it.effect("come to what one would", () =>
    Effect.gen(function*() {
      const lines: Array<string> = []
      yield* begin("36 days")
      yield* warmPool
      const endpoint = yield* makeEndpoint()
      const deliveries = yield* Effect.forEach(Array.from({ length: 50 }), () => makeDelivery(endpoint, ago("30 days")))
      yield* Effect.all(Array.from({ length: 8 }, () => sweep), { concurrency: "unbounded" })
        .pipe(Effect.provide(Logger.layer([Logger.map(Logger.formatSimple, (line) => lines.push(line))])))
      const reasons = new Set((yield* Effect.forEach(deliveries, deliveryNow)).map(({ cancel_reason }) =>
        cancel_reason
      ))
      assert.deepStrictEqual([...reasons], ["expired"])
      assert.strictEqual((yield* partitions("webhook_attempts"))[0], "20261022")
      assert.deepStrictEqual(lines.filter((line) => line.includes("ERROR")), [])
    }))
})

layer(TestLayer)("A part of a sweep that fails", (it) => {
  it.effect("is logged and keeps no other from its work", () =>
    Effect.gen(function*() {
      const lines: Array<string> = []
      yield* begin("36 days")
      const delivery = yield* makeDelivery(yield* makeEndpoint(), ago("30 days"))
      const Broken = Retention.layer.pipe(Layer.provide(Layer.succeed(Partitions, {
        ensure: () => Effect.die(new Error("no disk")),
        drop: () => Effect.die(new Error("no disk"))
      })))
      const Log = Logger.layer([Logger.map(Logger.formatSimple, (line) => lines.push(line))])
      yield* Effect.provide(sweep, Layer.merge(Layer.fresh(Broken), Log))
      assert.strictEqual((yield* deliveryNow(delivery)).cancel_reason, "expired")
      assert.strictEqual(lines.filter((line) => line.includes("ERROR") && line.includes("no disk")).length, 5)
    }))
})

it.effect("The worker sweeps at its start and then every 10 minutes", () =>
  Effect.gen(function*() {
    let sweeps = 0
    const Counting = Layer.succeed(Retention, { sweep: Effect.sync(() => void sweeps++) })
    yield* Layer.build(retentionLayer({ every: "10 minutes" }).pipe(Layer.provide(Counting)))
    yield* TestClock.adjust(0)
    assert.strictEqual(sweeps, 1)
    yield* TestClock.adjust("9 minutes")
    assert.strictEqual(sweeps, 1)
    yield* TestClock.adjust("21 minutes")
    assert.strictEqual(sweeps, 4)
  }))
