import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { countedDeliveries, DeliveryQueueRepo } from "../../../../src/webhooks/engine/queue/DeliveryQueueRepo.ts"
import { makeClub } from "../../../harness/Makers.ts"
import { touchedBy } from "../../../harness/PagesRead.ts"
import { makeDelivery, makeEndpoint } from "../../../harness/Webhooks.ts"
import { GroundLayer } from "../dispatch/Engine.ts"

const waiting = 50_000

layer(DeliveryQueueRepo.layer.pipe(Layer.provideMerge(GroundLayer())))(
  "A queue of 50 000",
  (it) => {
    it.effect("is counted up to 10 000, and no more of it is read than that", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const queue = yield* DeliveryQueueRepo
        const club = yield* makeClub()
        const [endpoint, busy] = [yield* makeEndpoint(club), yield* makeEndpoint(club)]
        yield* makeDelivery(endpoint)
        const at = sql`${DateTime.toDateUtc(yield* DateTime.now)}::timestamptz + n * interval '1 millisecond'`
        yield* sql`
          insert into webhook_deliveries (
            club_id, endpoint_id, id, event_id, event_type, status, trigger, next_attempt_at, created_at
          )
          select ${endpoint.club_id}, ${endpoint.id}, ('00000000-0000-7' || substr(gen_random_uuid()::text, 16))::uuid,
            gen_random_uuid(), 'student.created', 'pending', 'schedule', ${at}, ${at}
          from generate_series(1, ${waiting}::int) n`
        // PostgreSQL assumes that endpoint and status are independent, and so expects a sixth of the rows.
        yield* sql`
          insert into webhook_deliveries (
            club_id, endpoint_id, id, event_id, event_type, status, trigger, created_at, finished_at
          )
          select ${busy.club_id}, ${busy.id}, ('00000000-0000-7' || substr(gen_random_uuid()::text, 16))::uuid,
            gen_random_uuid(), 'student.created', 'succeeded', 'schedule', ${at}, ${at}
          from generate_series(1, ${2 * waiting}::int) n`
        yield* sql`analyze webhook_deliveries`
        const read = queue.read({ club_id: endpoint.club_id, endpoint_id: endpoint.id })
        const [state, { rows }] = yield* touchedBy(read, /webhook_deliveries/)
        assert.strictEqual(state.depth, countedDeliveries + 1)
        assert.isBelow(rows, countedDeliveries + 100)
      }))
  }
)
