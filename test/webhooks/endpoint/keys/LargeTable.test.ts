import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { keysOf } from "../../../../src/webhooks/endpoint/keys/PublicKeys.ts"
import { makeClub } from "../../../harness/Makers.ts"
import { makeEndpoint } from "../../../harness/Webhooks.ts"
import { GroundLayer } from "../../engine/dispatch/Engine.ts"

const clubs = 1000

layer(GroundLayer())("The public keys of an endpoint", (it) => {
  it.effect("are found by its id alone, in the index of those that have a key", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const at = DateTime.toDateUtc(yield* DateTime.now)
      const { id } = yield* makeEndpoint(yield* makeClub())
      yield* sql`
        insert into clubs
        select gen_random_uuid(), gen_random_uuid(), 'Many', 'many-' || n, 'UTC', 'en', true, ${at}
        from generate_series(1, ${clubs}::int) n`
      yield* sql`
        insert into webhook_endpoints (
          club_id, id, slot, url, description, event_types, status, secret, signing_key, public_key, created_at, updated_at
        )
        select c.id, gen_random_uuid(), slot, 'https://many.example/', '', array['student.created'], 'enabled', '\\x00',
          '\\x00', decode(repeat('00', 32), 'hex'), ${at}, ${at}
        from clubs c, generate_series(1, 20) slot where c.name = 'Many'`
      yield* sql`analyze webhook_endpoints`
      const plan = yield* sql`explain ${keysOf(sql, id, yield* DateTime.now)}`
      const text = plan.map((row) => row["QUERY PLAN"]).join("\n")
      assert.match(text, /Index Scan using webhook_endpoints_public_key_idx/)
      assert.notMatch(text, /Seq Scan/)
    }))
})
