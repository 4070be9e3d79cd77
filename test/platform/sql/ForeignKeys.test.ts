import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { texts } from "../../../src/platform/sql/Arrays.ts"
import { PostgresLayer } from "../../harness/Postgres.ts"

/** The tables of the classroom whose rows clubs can delete. */
const deleted = ["conversations", "media", "media_folders", "messages"]

layer(PostgresLayer)("Whatever refers to rows that are deleted", (it) => {
  it.effect("is found by an index that begins with columns of its foreign key", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const keys = yield* sql`
        select k.conrelid::regclass::text as "table", k.confrelid::regclass::text as refers_to, exists (
          select from pg_index i where i.indrelid = k.conrelid and (i.indkey::int2[])[0:1] <@ k.conkey
        ) as indexed
        from pg_constraint k
        where k.contype = 'f' and k.confrelid::regclass::text = any(${texts(deleted)})
        order by 1, 2`
      assert.deepStrictEqual(keys.filter(({ indexed }) => indexed !== true), [])
      assert.isAbove(keys.length, deleted.length)
    }))
})
