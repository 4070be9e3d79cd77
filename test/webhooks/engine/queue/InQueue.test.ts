import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { inQueue } from "../../../../src/webhooks/engine/queue/InQueue.ts"
import { makeClub } from "../../../harness/Makers.ts"
import { makeDelivery, makeEndpoint } from "../../../harness/Webhooks.ts"
import { GroundLayer } from "../dispatch/Engine.ts"

const clubs = 50
const each = 400

layer(GroundLayer())("What an endpoint owes", (it) => {
  it.effect("is found by the index of what is owed, in its order, and not in the endpoint's whole history", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const at = DateTime.toDateUtc(yield* DateTime.now)
      for (let n = 0; n < clubs; n++) yield* makeDelivery(yield* makeEndpoint(yield* makeClub()))
      yield* sql`
        insert into webhook_deliveries (
          club_id, endpoint_id, id, event_id, event_type, status, trigger, next_attempt_at, created_at
        )
        select club_id, id, ('00000000-0000-7' || substr(gen_random_uuid()::text, 16))::uuid, gen_random_uuid(), 'student.created',
          'pending', 'schedule', ${at}, ${at}
        from webhook_endpoints, generate_series(1, ${each}::int)`
      yield* sql`analyze webhook_deliveries`
      const plan = yield* sql`
        explain select d.id from webhook_endpoints e
        cross join lateral (
          select d.id from webhook_deliveries d
          where ${inQueue(sql, { club_id: sql`e.club_id`, endpoint_id: sql`e.id` })}
            and d.id >= '00000000-0000-0000-0000-000000000000' and d.created_at > '-infinity'
          order by d.next_attempt_at, d.id limit 16
        ) d`
      const text = plan.map((row) => row["QUERY PLAN"]).join("\n")
      assert.match(text, /Index (Only )?Scan using webhook_deliveries_\w+_endpoint_id_next_attempt_at_id_idx/)
      assert.notMatch(text, /webhook_deliveries_\w+_pkey/)
    }))
})
