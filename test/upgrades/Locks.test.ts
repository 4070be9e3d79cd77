import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, FileSystem, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import postgres from "postgres"
import { migrate, migrationsFolder } from "../../src/platform/sql/Migrations.ts"
import { emptyDatabaseUrl, postgresLayerAt } from "../harness/Postgres.ts"
import { later } from "./Later.ts"
import { keptDatabase } from "./Restored.ts"

// Migrations of full tables lock others out only while they change the catalog.

const rows = 30_000

const Files = Schema.Array(Schema.Struct({ name: Schema.String, file: Schema.Int }))

/** The file of each table and index in PostgreSQL: a rewrite changes it. */
const readFiles = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const found = yield* sql`
    select relname::text as name, relfilenode::int as file from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'i')`
  return new Map((yield* Schema.decodeUnknownEffect(Files)(found)).map(({ file, name }) => [name, file]))
})

/**
 * The modes in which tables are locked at this moment. A new table with a reference shuts writers of the referenced one out
 * until its file is applied. So such a lock counts from a second on: no file may wait or work that long with it.
 */
const lockModes = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  // PostgreSQL notes the sessions once in a transaction. The locks of a session that began since would be missed.
  yield* sql`select pg_stat_clear_snapshot()`
  return yield* sql`
    select distinct l.mode from pg_locks l join pg_class c on c.oid = l.relation join pg_stat_activity a on a.pid = l.pid
    where (l.mode <> 'ShareRowExclusiveLock' or clock_timestamp() - a.xact_start > interval '1 second') and l.granted and l.locktype = 'relation' and c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace
      and l.database = (select oid from pg_database where datname = current_database())`
})

layer(NodeServices.layer, { excludeTestServices: true })("Migrations of full tables", (it) => {
  it.effect("rewrite no table, and hold nobody up who writes to it", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const url = yield* emptyDatabaseUrl
      yield* Effect.promise(async () => {
        const client = postgres(Redacted.value(url), { max: 1, onnotice: () => {} })
        await client.unsafe(keptDatabase("0.2.0", "https://localhost:1").sql).simple()
        await client.unsafe(`
          set search_path = public;
          insert into students (club_id, id, email, name, verified_at, created_at)
          select c.id, gen_random_uuid(), 'full-' || n || '@example.com', 'Full ' || n, c.created_at, c.created_at
          from clubs c cross join generate_series(1, ${rows}) n`).simple()
        await client.end()
      })
      const folder = yield* fs.makeTempDirectoryScoped({ prefix: "turma-migrations-" })
      yield* fs.copy(migrationsFolder, folder, { overwrite: true })
      yield* Effect.forEach(Object.entries(later), ([file, script]) => fs.writeFileString(`${folder}/${file}`, script))
      yield* Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const files = yield* readFiles
        // A writer that waits for locks at most two seconds, and counts its writes during the migration.
        const writes = { count: 0, isOver: false }
        const write = sql.withTransaction(Effect.gen(function*() {
          yield* sql`set local lock_timeout = '2s'`
          yield* sql`
            update students set name = 'Written' where email = ${`full-${1 + writes.count % rows}@example.com`}`
          yield* sql`update inbound_events set id = id`
          yield* sql`update event_outbox set id = id`
          yield* sql`update webhook_messages set type = type`
        }))
        const writing = yield* Effect.forkChild(Effect.andThen(
          write,
          Effect.sync(() => writes.count++)
        ).pipe(Effect.repeat({ until: () => writes.isOver })))
        const modes = new Set<unknown>()
        const lookUntil = (isOver: () => boolean) =>
          Effect.repeat(
            Effect.delay(lockModes, "20 millis")
              .pipe(Effect.map((found) => found.forEach(({ mode }) => modes.add(mode)))),
            { until: () => writes.isOver || isOver() }
          )
        // An index built concurrently waits for this snapshot, which leaves time to see its lock.
        const watching = yield* Effect.forkChild(sql.withTransaction(Effect.andThen(
          sql`set transaction isolation level repeatable read`,
          lookUntil(() => modes.has("ShareUpdateExclusiveLock"))
        )).pipe(Effect.andThen(lookUntil(() => false))))
        const applied = yield* migrate(folder)
        writes.isOver = true
        yield* Fiber.join(writing)
        yield* Fiber.join(watching)
        assert.include([...modes], "ShareUpdateExclusiveLock")
        for (const shutsOut of ["ShareLock", "ShareRowExclusiveLock", "ExclusiveLock"]) {
          assert.notInclude([...modes], shutsOut)
        }
        assert.includeMembers([...applied], Object.keys(later))
        assert.isAbove(writes.count, applied.length)
        const now = yield* readFiles
        for (const [name, file] of files) assert.deepStrictEqual([name, now.get(name)], [name, file])
        const [left] = yield* sql`select count(*)::int as count from students where later_note is null`
        assert.deepStrictEqual(left, { count: 0 })
      }).pipe(Effect.provide(postgresLayerAt(url, 4), { local: true }))
    }))
})
