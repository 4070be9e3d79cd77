import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { Partitions } from "../../src/platform/sql/Partitions.ts"
import { messagesTable } from "../../src/webhooks/model/WebhookTables.ts"
import { makeClub } from "../harness/Makers.ts"
import { PostgresLayer } from "../harness/Postgres.ts"

layer(PostgresLayer)("The databases of tests", (it) => {
  it.effect("take no body in which a document is named, so that no test can assemble one", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const partitions = yield* Partitions
      const club = yield* makeClub()
      const now = yield* DateTime.now
      yield* partitions.ensure([messagesTable], now)
      const insert = (body: string) =>
        sql`
          insert into webhook_messages (club_id, id, type, occurred_at, created_at, body)
          values (${club.id}, ${"00000000-0001-7000-8000-000000000000"}, 'student.created', ${DateTime.toDateUtc(now)},
            ${DateTime.toDateUtc(now)}, ${new TextEncoder().encode(body)})`
      const error = yield* Effect.flip(insert("{\"data\":{\"student\":{\"document\":null}}}"))
      assert.isTrue(SqlError.isSqlError(error))
      assert.include(String(error.reason.cause), "names the tax document")
      yield* insert("{\"data\":{\"student\":{}}}")
    }).pipe(Effect.provide(Partitions.layer)))
})
