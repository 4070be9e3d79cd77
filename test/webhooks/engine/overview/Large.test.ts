import { assert, layer } from "@effect/vitest"
import { Context, DateTime, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { mostCounted } from "../../../../src/platform/jobs/BacklogRow.ts"
import { Partitions } from "../../../../src/platform/sql/Partitions.ts"
import { workerMark } from "../../../../src/webhooks/engine/dispatch/WorkerOfLease.ts"
import { attemptRates, mostAdded } from "../../../../src/webhooks/engine/overview/attemptRates.ts"
import {
  deepestLanes,
  mostCompared,
  mostCountedOfLane,
  mostLookedAt,
  mostShown
} from "../../../../src/webhooks/engine/overview/deepestLanes.ts"
import { laneLeases } from "../../../../src/webhooks/engine/overview/laneLeases.ts"
import { WebhookRules } from "../../../../src/webhooks/model/WebhookSettings.ts"
import { webhookTables } from "../../../../src/webhooks/model/WebhookTables.ts"
import { countLanes } from "../../../../src/webhooks/WebhookGauges.ts"
import { makeClub } from "../../../harness/Makers.ts"
import { touchedBy } from "../../../harness/PagesRead.ts"
import { GroundLayer } from "../dispatch/Engine.ts"

const lanes = 12_600
const deep = 150
const each = mostCountedOfLane + 100
const quarters = 8
const mark = workerMark(4321, "00000000beef")

/**
 * Of every twelve lanes one is due, one failing, and ten leased after a hold, at rest. The first 150 lanes have long
 * queues. Each lane is 4 milliseconds older than the next, and all have sent deliveries in the last two hours.
 */
const fill = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const now = yield* DateTime.now
  const at = DateTime.toDateUtc(now)
  const before = sql`${at}::timestamptz - interval '60 seconds' + n * interval '4 milliseconds'`
  const until = DateTime.toDateUtc(DateTime.addDuration(now, Duration.seconds(20)))
  yield* Effect.flatMap(Partitions, ({ ensure }) => ensure(webhookTables, now))
  const club = yield* makeClub()
  const id = sql`('00000000-0000-7' || substr(gen_random_uuid()::text, 16))::uuid`
  yield* sql`
    insert into webhook_endpoints (
      club_id, id, slot, url, description, event_types, status, secret, created_at, updated_at, deleted_at
    )
    select ${club.id}, (lpad(to_hex(n), 8, '0') || '-0000-7000-8000-000000000000')::uuid, 1, 'https://many.example/', '',
      '{student.created}', 'enabled', null, ${at}, ${at}, ${at}
    from generate_series(1, ${lanes}::int) n`
  yield* sql`
    insert into webhook_lanes (club_id, endpoint_id, due_at, lease_id, failing_since, holds, rests)
    select club_id, id,
      case when n % 12 = 0 then ${before} when n % 12 > 1 then ${until}::timestamptz end,
      case when n % 12 > 1 then (left(id::text, 24) || ${mark})::uuid end,
      case when n % 12 = 1 then ${before} end, (n % 12 > 1)::int, n % 12 > 1
    from (select club_id, id, row_number() over (order by id) as n from webhook_endpoints) e`
  yield* sql`
    insert into webhook_deliveries (
      club_id, endpoint_id, id, event_id, event_type, status, trigger, next_attempt_at, created_at
    )
    select club_id, endpoint_id, ${id}, gen_random_uuid(), 'student.created', 'pending', 'schedule', ${at}, ${before}
    from (
      select *, row_number() over (order by endpoint_id) as n from webhook_lanes order by endpoint_id limit ${deep}
    ) l, generate_series(1, ${each}::int)`
  yield* sql`
    insert into webhook_counts
    select club_id, endpoint_id, ${at}::timestamptz - n * interval '15 minutes', 1${sql.literal(", 1".repeat(27))}
    from webhook_lanes, generate_series(0, ${quarters - 1}::int) n`
  yield* sql`analyze`
  return { now, club }
})

/** The rows of a busy installation on a bad day. */
class Large extends Context.Service<Large, Effect.Success<typeof fill>>()("test/Large") {
  static readonly layer = Layer.effect(Large, fill).pipe(Layer.provideMerge(GroundLayer()))
}

layer(Large.layer)("However much there is, the overview of webhooks", (it) => {
  it.effect("shows so many lanes and no more, the deepest of those that have waited, worked or failed longest", () =>
    Effect.gen(function*() {
      const { club, now } = yield* Large
      const [found, { rows }] = yield* touchedBy(
        deepestLanes(yield* SqlClient.SqlClient, yield* WebhookRules, now),
        /webhook_lanes/
      )
      // Each lane is older than the next, so the first lanes come first.
      assert.deepStrictEqual(
        found.map(({ endpoint_id }) => Number.parseInt(endpoint_id.slice(0, 8), 16)),
        Array.from({ length: mostShown }, (_, place) => place + 1)
      )
      for (const { capped, club_id, depth } of found) {
        assert.deepStrictEqual([club_id, depth, capped], [club.organization_id, mostCountedOfLane, true])
      }
      const compared = 3 * mostLookedAt * (mostCompared + 10)
      assert.isBelow(rows, compared + mostShown * (mostCountedOfLane + 20) + mostCounted + 1000)
    }))

  it.effect("counts what is held without those that rest, however many were held before", () =>
    Effect.gen(function*() {
      const [{ held }, { rows }] = yield* touchedBy(countLanes(), /as held/)
      assert.strictEqual(held, 0)
      assert.isBelow(rows, lanes / 2)
    }))

  it.effect("adds up the attempts of so many endpoints and no more, the newest, and says so", () =>
    Effect.gen(function*() {
      const { now } = yield* Large
      const [found, { rows }] = yield* touchedBy(attemptRates(yield* SqlClient.SqlClient, now), /webhook_counts/)
      assert.deepStrictEqual(found.map(({ accepted, capped }) => [accepted, capped]), [
        [lanes, false],
        [mostAdded + 1 - lanes, true]
      ])
      assert.isBelow(rows, mostAdded + 1000)
    }))

  it.effect("counts the leases of so many lanes and no more, and says so", () =>
    Effect.gen(function*() {
      const { now } = yield* Large
      const [found, { rows }] = yield* touchedBy(
        laneLeases(yield* SqlClient.SqlClient, yield* WebhookRules, now),
        /webhook_lanes/
      )
      assert.isTrue(found.capped)
      assert.deepStrictEqual(found.workers.map(({ lanes, worker }) => [worker, lanes]), [[mark, mostCounted + 1]])
      assert.isBelow(rows, mostCounted + 1000)
    }))
})
