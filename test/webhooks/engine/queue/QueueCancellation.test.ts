import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Partitions } from "../../../../src/platform/sql/Partitions.ts"
import { Endpoints } from "../../../../src/webhooks/endpoint/Endpoints.ts"
import { LaneChanges } from "../../../../src/webhooks/engine/lane/LaneChanges.ts"
import { batchSize } from "../../../../src/webhooks/engine/queue/DeliveryBatch.ts"
import { QueueCancellation } from "../../../../src/webhooks/engine/queue/QueueCancellation.ts"
import { Retention } from "../../../../src/webhooks/engine/retention/Retention.ts"
import { Deliveries } from "../../../../src/webhooks/history/delivery/Deliveries.ts"
import { webhookTables } from "../../../../src/webhooks/model/WebhookTables.ts"
import { AppLayer } from "../../../harness/App.ts"
import { makeClub } from "../../../harness/Makers.ts"
import { type MadeEndpoint, makeEndpoint } from "../../../harness/Webhooks.ts"

const TestLayer = Layer.mergeAll(QueueCancellation.layer, Retention.layer).pipe(
  Layer.provideMerge(Layer.mergeAll(Partitions.layer, LaneChanges.layer)),
  Layer.provideMerge(AppLayer)
)

const many = batchSize * 2 + 500

/** An endpoint with more pending deliveries than two batches. */
const longQueue = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const now = yield* DateTime.now
  yield* (yield* Partitions).ensure(webhookTables, now)
  const club = yield* makeClub()
  const endpoint = yield* makeEndpoint(club)
  const at = DateTime.toDateUtc(now)
  const id = (version: string) =>
    sql`(lpad(to_hex(${
      DateTime.toEpochMillis(now)
    }::bigint), 12, '0') || ${version}::text || lpad(to_hex(n), 15, '0'))::uuid`
  yield* sql`
    insert into webhook_deliveries (
      club_id, endpoint_id, id, event_id, event_type, status, trigger, next_attempt_at, created_at
    )
    select ${club.id}, ${endpoint.id}, ${id("70018")}, ${
    id("70028")
  }, 'student.created', 'pending', 'schedule', ${at}, ${at}
    from generate_series(1, ${many}) n`
  return { club, endpoint }
})

const countOf = Effect.fn("countOf")(function*(endpoint: MadeEndpoint, status: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql`
    select count(*)::int as n from webhook_deliveries where endpoint_id = ${endpoint.id} and status = ${status}`
  return row?.["n"]
})

/** The state after a process disabled the endpoint, canceled the first batch of its queue and died. */
const begun = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const { endpoint } = yield* longQueue
  const at = DateTime.toDateUtc(yield* DateTime.now)
  yield* sql.withTransaction(Effect.andThen(
    sql`
      update webhook_endpoints set status = 'disabled', disabled_reason = 'manual', disabled_at = ${at}
      where id = ${endpoint.id}`,
    (yield* QueueCancellation).begin(endpoint, "endpoint_disabled")
  ))
  assert.strictEqual(yield* countOf(endpoint, "pending"), many - batchSize)
  return endpoint
})

layer(TestLayer)("a long queue", (it) => {
  it.effect("is canceled to its end when its endpoint is disabled", () =>
    Effect.gen(function*() {
      const { club, endpoint } = yield* longQueue
      yield* (yield* Endpoints).patch(club.id, endpoint.id, { status: "disabled" })
      assert.strictEqual(yield* countOf(endpoint, "canceled"), many)
    }))

  it.effect("is canceled to its end when its endpoint is deleted", () =>
    Effect.gen(function*() {
      const { club, endpoint } = yield* longQueue
      yield* (yield* Endpoints).remove(club.id, endpoint.id)
      assert.strictEqual(yield* countOf(endpoint, "canceled"), many)
    }))

  it.effect("is canceled by the sweep if a process died in the middle", () =>
    Effect.gen(function*() {
      const endpoint = yield* begun
      yield* (yield* Retention).sweep
      assert.strictEqual(yield* countOf(endpoint, "pending"), 0)
    }))

  it.effect("keeps what is left of it when its endpoint is enabled in between", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const endpoint = yield* begun
      yield* sql`
        update webhook_endpoints set status = 'enabled', disabled_reason = null, disabled_at = null
        where id = ${endpoint.id}`
      yield* (yield* QueueCancellation).finish(endpoint)
      assert.strictEqual(yield* countOf(endpoint, "pending"), many - batchSize)
    }))

  it.effect("is recovered to its end, each delivery once", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { club, endpoint } = yield* longQueue
      const since = DateTime.subtract(yield* DateTime.now, { days: 1 })
      yield* sql`
        update webhook_deliveries set status = 'failed', next_attempt_at = null, finished_at = created_at
        where endpoint_id = ${endpoint.id}`
      const recover = (yield* Deliveries).recover({ id: club.id, time_zone: "UTC" }, endpoint.id, since)
      const counts = yield* Effect.all([recover, recover], { concurrency: 2 })
      assert.strictEqual(counts[0] + counts[1], many)
      assert.strictEqual(yield* countOf(endpoint, "pending"), many)
    }))

  it.effect("is recovered once, although what is recovered fails again at once", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { club, endpoint } = yield* longQueue
      const since = DateTime.subtract(yield* DateTime.now, { days: 1 })
      yield* sql`
        update webhook_deliveries set status = 'failed', next_attempt_at = null, finished_at = created_at
        where endpoint_id = ${endpoint.id}`
      yield* sql.unsafe(`
        create function fails() returns trigger language plpgsql as $$ begin
          new.status := 'failed'; new.next_attempt_at := null; new.finished_at := new.created_at; return new;
        end $$`)
      yield* sql
        .unsafe("create trigger fails before update on webhook_deliveries for each row when (new.trigger = 'recover') execute function fails()")
      assert.strictEqual(
        yield* (yield* Deliveries).recover({ id: club.id, time_zone: "UTC" }, endpoint.id, since),
        many
      )
      yield* sql.unsafe("drop trigger fails on webhook_deliveries")
    }))
})
