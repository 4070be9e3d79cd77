import { assert, layer } from "@effect/vitest"
import { Context, DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { DeliveryQuery } from "../../../../src/webhooks/history/delivery/Delivery.ts"
import { DeliveryHistory } from "../../../../src/webhooks/history/delivery/DeliveryHistory.ts"
import { at, send } from "../../../harness/App.ts"
import { ago, ended, makeDelivery, saturday } from "../../engine/retention/Rows.ts"
import { foundOnSaturday, idsIn, list, register, type Registered, WebhooksLayer } from "../../Registering.ts"

/** This many `lesson.completed` with this status, a millisecond apart. The last one is at the given time. */
const fill = Effect.fnUntraced(function*(
  { club_id, endpoint_id }: Registered,
  count: number,
  status: "succeeded" | "failed"
) {
  const sql = yield* SqlClient.SqlClient
  const made = sql`${DateTime.toEpochMillis(ago("10 hours"))}::bigint - n`
  const at = sql`to_timestamp((${made}) / 1000.0)`
  yield* sql`
    insert into webhook_deliveries (
      club_id, endpoint_id, id, event_id, event_type, status, trigger, created_at, finished_at, last_duration_ms
    )
    select ${club_id}::uuid, ${endpoint_id}::uuid,
      (lpad(to_hex(${made}), 12, '0') || '70008' || substr(md5(n::text), 1, 15))::uuid,
      gen_random_uuid(), 'lesson.completed', ${status}, 'schedule', ${at}, ${at}, 1
    from generate_series(1, ${count}::int) n`
})

/** How many deliveries the work reads, by any plan. */
const readBy = Effect.fnUntraced(function*<A, E, R>(work: Effect.Effect<A, E, R>) {
  const sql = yield* SqlClient.SqlClient
  const read = Effect.map(
    sql<{ read: string }>`
      select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::text as read from pg_stat_xact_user_tables
      where relname like 'webhook_deliveries%'`,
    (rows) => Number(rows[0]?.read)
  )
  return yield* sql.withTransaction(Effect.gen(function*() {
    const before = yield* read
    yield* work
    return (yield* read) - before
  }))
})

/** The ids of all pages. */
const pages = Effect.fnUntraced(function*(endpoint: Registered, filter: string) {
  const seen: Array<ReadonlyArray<unknown>> = []
  let cursor = ""
  while (cursor !== "null" && seen.length < 9) {
    const answer = yield* list(endpoint, `?limit=2&${filter}${cursor === "" ? "" : `&cursor=${cursor}`}`)
    seen.push(idsIn(answer))
    cursor = String(at(answer.json, "next_cursor"))
  }
  return seen
})

const refunded = { event_type: "purchase.refunded", ...ended("failed"), last_duration_ms: 9000 }

const makeLarge = Effect.gen(function*() {
  const endpoint = yield* register(yield* foundOnSaturday)
  const oldest = yield* makeDelivery(endpoint, ago("20 hours"), refunded)
  yield* fill(endpoint, 100_010, "succeeded")
  const newest = yield* makeDelivery(endpoint, ago("1 hours"), refunded)
  return { endpoint, oldest, newest }
})

/** An endpoint with 100 010 deliveries of one type, and one of another type before and after them. */
class Large extends Context.Service<Large, Effect.Success<typeof makeLarge>>()("test/Large") {
  static readonly layer = Layer.effect(Large, makeLarge).pipe(Layer.provideMerge(WebhooksLayer))
}

layer(Large.layer)("Of an endpoint with more than 100 000 deliveries", (it) => {
  it.effect("a page of one type ends after 25 000 of others, and says where to go on", () =>
    Effect.gen(function*() {
      const { endpoint, newest, oldest } = yield* Large
      assert.deepStrictEqual(yield* pages(endpoint, "event_type=purchase.refunded"), [[newest.id], [], [], [], [
        oldest.id
      ]])
    }))

  it.effect("what failed is found among what was accepted, without reading that", () =>
    Effect.gen(function*() {
      const { endpoint, newest, oldest } = yield* Large
      assert.deepStrictEqual(yield* pages(endpoint, "status=failed"), [[newest.id, oldest.id]])
      assert.deepStrictEqual(yield* pages(endpoint, "status=failed&event_type=purchase.paid"), [[]])
    }))

  it.effect("a page reads no more than it needs, and 25 000 at most", () =>
    Effect.gen(function*() {
      const history = yield* DeliveryHistory
      const { endpoint: { club_id, endpoint_id } } = yield* Large
      const listed = (query: Partial<DeliveryQuery>) =>
        readBy(history.list(club_id, endpoint_id, { limit: 25, ...query }))
      assert.isBelow(yield* listed({}), 100)
      assert.isBelow(yield* listed({ event_type: "lesson.completed" }), 100)
      assert.isBelow(yield* listed({ status: "succeeded" }), 100)
      assert.isBelow(yield* listed({ status: "failed" }), 100)
      assert.isBelow(yield* listed({ event_type: "purchase.refunded" }), 25_100)
    }))

  it.effect("a page that is full goes on after its last", () =>
    Effect.gen(function*() {
      const { endpoint } = yield* Large
      const all = idsIn(yield* list(endpoint, "?limit=5")).slice(1)
      for (const filter of ["event_type=lesson.completed", "status=succeeded"]) {
        const first = yield* list(endpoint, `?limit=2&${filter}`)
        const second = yield* list(endpoint, `?limit=2&${filter}&cursor=${String(at(first.json, "next_cursor"))}`)
        assert.deepStrictEqual([...idsIn(first), ...idsIn(second)], all)
      }
    }))

  it.effect("the latest 100 000 are counted, and it is said that there are more", () =>
    Effect.gen(function*() {
      const { endpoint } = yield* Large
      assert.deepStrictEqual<unknown>((yield* send("GET", `${endpoint.path}/stats`, endpoint)).json, {
        data: {
          window: "24h",
          capped: true,
          succeeded: 99_999,
          failed: 1,
          canceled: 0,
          pending: 0,
          p50_ms: 1,
          p95_ms: 1
        }
      })
    }))
})

layer(WebhooksLayer)("Of an endpoint with exactly 25 000 deliveries", (it) => {
  it.effect("none is shown twice and none is left out", () =>
    Effect.gen(function*() {
      const endpoint = yield* register(yield* foundOnSaturday)
      const oldest = yield* makeDelivery(endpoint, ago("20 hours"), refunded)
      yield* fill(endpoint, 24_999, "succeeded")
      assert.deepStrictEqual(yield* pages(endpoint, "event_type=purchase.refunded"), [[oldest.id], []])
    }))
})

layer(WebhooksLayer)("Of an endpoint with more than 25 000 failed deliveries", (it) => {
  it.effect("a page of canceled ones ends after those, and says where to go on", () =>
    Effect.gen(function*() {
      const endpoint = yield* register(yield* foundOnSaturday)
      const canceled = { status: "canceled", cancel_reason: "expired", finished_at: DateTime.toDateUtc(saturday) }
      const oldest = yield* makeDelivery(endpoint, ago("20 hours"), canceled)
      yield* fill(endpoint, 25_001, "failed")
      assert.deepStrictEqual(yield* pages(endpoint, "status=canceled"), [[], [oldest.id]])
    }))
})
