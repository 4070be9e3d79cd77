import { PgConnection } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Effect, Exit, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { cancelStatements, destroySocket, receivedBytes } from "../../../src/platform/patches/DriverConnection.ts"
import { eventually } from "../../harness/Eventually.ts"
import { removable } from "../../harness/Patches.ts"
import { adminDatabaseUrl, EmptyPostgresLayer } from "../../harness/Postgres.ts"

/**
 * All members of the driver's type. No member ends a silent connection or counts bytes. A new member breaks the
 * compilation here. If it does either, use it and remove that part of `src/platform/patches/DriverConnection.ts`.
 */
const members: Record<keyof PgConnection.PgConnection, true> = {
  [PgConnection.TypeId]: true,
  config: true,
  processId: true,
  query: true,
  queryValues: true,
  stream: true,
  listen: true,
  pin: true,
  interrupt: true
}

/** A connection with a long statement, and a check if the server still runs it. */
const sleeping = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const connection = yield* PgConnection.make({ url: adminDatabaseUrl(), multiplex: true })
  const fiber = yield* Effect.forkChild(Effect.exit(connection.query("select pg_sleep(60)")))
  const isRunning = Effect.map(
    sql
      .withTransaction(sql`select 1 from pg_stat_activity where pid = ${connection.processId} and state = 'active' and query like '%sleep%'`),
    (found) => found.length === 1
  )
  yield* eventually(isRunning, (is) => is)
  return { connection, fiber, isRunning }
})

layer(EmptyPostgresLayer, { excludeTestServices: true })("A connection of the driver", (it) => {
  it.effect("has no member that ends it while its server is silent, without the patch", () =>
    Effect.gen(function*() {
      const { connection } = yield* sleeping
      assert.containsAllKeys(connection, ["processId", "query"])
      for (const name of ["close", "destroy", "end", "bytesRead"]) {
        assert.notProperty({ ...members, ...connection }, name, removable("DriverConnection"))
      }
    }))

  it.effect("ends at once, with its statements", () =>
    Effect.gen(function*() {
      const { connection, fiber } = yield* sleeping
      destroySocket(connection)
      assert.isTrue(Exit.isFailure(yield* Fiber.join(fiber)))
    }))

  it.effect("tells how many bytes came from the server, pinned too", () =>
    Effect.gen(function*() {
      const connection = yield* PgConnection.make({ url: adminDatabaseUrl() })
      const before = receivedBytes(connection)
      yield* connection.query("select repeat('a', 1000)")
      assert.isAtLeast(receivedBytes(connection) - before, 1000)
      assert.strictEqual(receivedBytes(yield* connection.pin), receivedBytes(connection))
    }))

  it.effect("leaves a statement running that is interrupted among others, without the patch", () =>
    Effect.gen(function*() {
      const { connection, fiber, isRunning } = yield* sleeping
      yield* Fiber.interrupt(fiber)
      yield* connection.interrupt
      assert.isTrue(yield* isRunning, removable("DriverConnection"))
      destroySocket(connection)
    }))

  it.effect("has the server end its statements", () =>
    Effect.gen(function*() {
      const { connection, fiber, isRunning } = yield* sleeping
      yield* cancelStatements(connection)
      assert.isTrue(Exit.isFailure(yield* Fiber.join(fiber)))
      assert.isFalse(yield* isRunning)
    }))
})
