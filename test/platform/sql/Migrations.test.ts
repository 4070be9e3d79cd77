import { NodeServices } from "@effect/platform-node"
import { PgClient } from "@effect/sql-pg"
import { assert, it as test, layer } from "@effect/vitest"
import { Effect, Fiber, FileSystem, Layer, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { connectionsLayer } from "../../../src/platform/sql/Connections.ts"
import { DatabaseServer, migrateHere } from "../../../src/platform/sql/Database.ts"
import { directly } from "../../../src/platform/sql/DatabaseAddresses.ts"
import { fewestConnections } from "../../../src/platform/sql/DatabaseSettings.ts"
import { migrate } from "../../../src/platform/sql/Migrations.ts"
import { emptyDatabaseUrl, EmptyPostgresLayer, PostgresLayer } from "../../harness/Postgres.ts"
import { untilBlocked, whileHeld } from "../../harness/Waiting.ts"

const folderOf = Effect.fnUntraced(function*(files: Readonly<Record<string, string>>) {
  const fs = yield* FileSystem.FileSystem
  const folder = yield* fs.makeTempDirectoryScoped({ prefix: "turma-migrations-" })
  yield* Effect.forEach(Object.entries(files), ([file, script]) => fs.writeFileString(`${folder}/${file}`, script))
  return folder
})

/** Runs on a database without tables. */
const onEmptyDatabase = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.provide(effect, [EmptyPostgresLayer, NodeServices.layer])

const migrateWith = (files: Readonly<Record<string, string>>) => Effect.flatMap(folderOf(files), migrate)

const refusal = (files: Readonly<Record<string, string>>) =>
  Effect.map(Effect.flip(migrateWith(files)), (error) => error.message)

const books = { "0001_books.sql": "create table books (id int primary key);" }
const authors = { "0002_authors.sql": "create table authors (id int);\ninsert into books values (2);" }

const bookIds = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly id: number }>`select id from books order by id`
  return rows.map(({ id }) => id)
})

test.effect("applies what is new, in order, and nothing twice", () =>
  onEmptyDatabase(Effect.gen(function*() {
    assert.deepStrictEqual(yield* migrateWith(books), ["0001_books.sql"])
    assert.deepStrictEqual(yield* migrateWith({ ...authors, ...books }), ["0002_authors.sql"])
    assert.deepStrictEqual(yield* migrateWith({ ...books, ...authors }), [])
    assert.deepStrictEqual(yield* bookIds, [2])
  })))

test.effect("records id, name, checksum and the clock's time", () =>
  onEmptyDatabase(Effect.gen(function*() {
    yield* migrateWith({ "0007_seven.sql": "" })
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql`select * from schema_migrations`
    const checksum = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert.deepStrictEqual(rows, [{ id: 7, name: "seven", checksum, applied_at: new Date(0) }])
  })))

test.effect("runs functions, quotes and dollars as they are written", () =>
  onEmptyDatabase(Effect.gen(function*() {
    yield* migrateWith({
      ...books,
      "0002_function.sql": `
        create function answer() returns text language plpgsql as $$ begin return 'it''s $script$'; end $$;
        do $do$ begin insert into books values (42); end $do$;`
    })
    const sql = yield* SqlClient.SqlClient
    assert.deepStrictEqual(yield* sql`select answer()`, [{ answer: "it's $script$" }])
    assert.deepStrictEqual(yield* bookIds, [42])
  })))

test.effect("keeps the files before a failing one and nothing of it", () =>
  onEmptyDatabase(Effect.gen(function*() {
    const broken = { "0002_broken.sql": "insert into books values (2); insert into nowhere values (1);" }
    const message = yield* refusal({ ...books, ...broken })
    assert.strictEqual(message, `Migrations: 0002_broken.sql failed: relation "nowhere" does not exist`)
    assert.deepStrictEqual(yield* bookIds, [])
    assert.deepStrictEqual(yield* migrateWith({ ...books, ...authors }), ["0002_authors.sql"])
  })))

test.effect("refuses a file that has changed since it was applied", () =>
  onEmptyDatabase(Effect.gen(function*() {
    yield* migrateWith(books)
    const message = yield* refusal({ "0001_books.sql": "create table books (id bigint);" })
    assert.strictEqual(message, "Migrations: 0001_books.sql has changed since it was applied")
  })))

test.effect("refuses a file with a number below the latest applied", () =>
  onEmptyDatabase(Effect.gen(function*() {
    const later = { "0003_later.sql": "select 1" }
    yield* migrateWith({ ...books, ...later })
    const message = yield* refusal({ ...books, ...authors, ...later })
    assert.strictEqual(
      message,
      "Migrations: 0002_authors.sql was not applied before 3: give it a number after the last one"
    )
  })))

test.effect("refuses a database from a newer version", () =>
  onEmptyDatabase(Effect.gen(function*() {
    yield* migrateWith({ ...books, ...authors })
    const message = yield* refusal(books)
    assert.strictEqual(
      message,
      "Migrations: the database is from a newer version of Turma (it is at 2, this version ends at 1)"
    )
  })))

test.effect("refuses when the file of an applied migration is gone", () =>
  onEmptyDatabase(Effect.gen(function*() {
    yield* migrateWith({ ...books, ...authors })
    assert.strictEqual(yield* refusal(authors), "Migrations: 1 (books) has been applied, but its file is gone")
  })))

test.effect("refuses two files with one number, and names it cannot read", () =>
  onEmptyDatabase(Effect.gen(function*() {
    const twins = yield* refusal({ ...books, "0001_twin.sql": "select 1" })
    assert.strictEqual(twins, "Migrations: two files have the number of 0001_twin.sql")
    const unnamed = yield* refusal({ ...books, "2_authors.sql": "select 1" })
    assert.strictEqual(unnamed, "Migrations: 2_authors.sql is not named like 0001_what.sql")
  })))

test.effect("lets a file wait for a table for a second, and no longer than others may in its transaction", () =>
  onEmptyDatabase(Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    assert.deepStrictEqual(yield* sql`show lock_timeout`, [{ lock_timeout: "10s" }])
    yield* migrateWith({ "0001_wait.sql": "create table waits as select current_setting('lock_timeout') as longest" })
    assert.deepStrictEqual(yield* sql`select longest from waits`, [{ longest: "1s" }])
    assert.deepStrictEqual(yield* sql`show lock_timeout`, [{ lock_timeout: "10s" }])
  })))

test.live("waits for another process's migration however long that takes", () =>
  Effect.gen(function*() {
    const url = yield* emptyDatabaseUrl
    const slow = { "0001_slow.sql": "create table slow (id int); select pg_sleep(1.5)" }
    const folder = yield* folderOf(slow)
    const startupParameters = { lock_timeout: "200ms" }
    const start = Effect.provide(migrate(folder), PgClient.layer({ url, maxConnections: 2, startupParameters }), {
      local: true
    })
    const applied = yield* Effect.all([start, start], { concurrency: "unbounded" })
    assert.deepStrictEqual(applied.flat(), ["0001_slow.sql"])
  }).pipe(Effect.provide(NodeServices.layer)))

test.live("gives way where a table is in use: who comes later is served meanwhile, and it is tried again", () =>
  onEmptyDatabase(Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    yield* migrateWith(books)
    const add = { "0002_add.sql": "alter table books add column title text" }
    const migrating = yield* whileHeld(
      sql`select id from books`,
      Effect.gen(function*() {
        const fiber = yield* Effect.forkChild(migrateWith({ ...books, ...add }))
        yield* untilBlocked()
        // The insert waits behind the migration, and gets through once the migration gives way.
        yield* sql`insert into books ${sql.insert({ id: 7 })}`
        assert.isUndefined(fiber.pollUnsafe())
        return fiber
      })
    )
    assert.deepStrictEqual(yield* Fiber.join(migrating), ["0002_add.sql"])
    assert.deepStrictEqual(yield* sql`select id, title from books`, [{ id: 7, title: null }])
  })))

const tables = (name: "schema_additions" | "schema_migrations") =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql<{ readonly id: number }>`select id from ${sql(name)} order by id`
    return rows.map(({ id }) => id)
  })

const beside = {
  "0002_beside.sql": "-- beside: 0001\nalter table books add column title text;",
  "0003_also.sql": "-- beside: 0001\nalter table books add column pages int;"
}

test.effect("lets a version run on what a newer one has added beside it, and that one go on", () =>
  onEmptyDatabase(Effect.gen(function*() {
    assert.deepStrictEqual(yield* migrateWith({ ...books, ...beside }), ["0001_books.sql", ...Object.keys(beside)])
    assert.deepStrictEqual([yield* tables("schema_migrations"), yield* tables("schema_additions")], [[1], [2, 3]])
    assert.deepStrictEqual(yield* migrateWith(books), [])
    assert.deepStrictEqual(yield* migrateWith({ ...books, ...beside }), [])
  })))

test.effect("refuses exactly the versions that do not know what a file needs", () =>
  onEmptyDatabase(Effect.gen(function*() {
    const third = { "0004_third.sql": "-- beside: 0003\nalter table books drop column title;" }
    yield* migrateWith({ ...books, ...beside, ...third })
    assert.deepStrictEqual([yield* tables("schema_migrations"), yield* tables("schema_additions")], [[1, 2, 3], [4]])
    assert.deepStrictEqual(yield* migrateWith({ ...books, ...beside }), [])
    assert.include(yield* refusal(books), "the database is from a newer version of Turma (it is at 3")
    const fifth = { "0005_fifth.sql": "create table last (id int)" }
    yield* migrateWith({ ...books, ...beside, ...third, ...fifth })
    assert.deepStrictEqual([yield* tables("schema_migrations"), yield* tables("schema_additions")], [
      [1, 2, 3, 4, 5],
      []
    ])
    assert.include(yield* refusal({ ...books, ...beside }), "it is at 5, this version ends at 3")
  })))

test.effect("refuses an addition that has changed, and a file that is put before it", () =>
  onEmptyDatabase(Effect.gen(function*() {
    yield* migrateWith({ ...books, "0003_beside.sql": "-- beside: 0001\nselect 1" })
    const changed = yield* refusal({ ...books, "0003_beside.sql": "-- beside: 0001\nselect 2" })
    assert.strictEqual(changed, "Migrations: 0003_beside.sql has changed since it was applied")
    const before = yield* refusal({ ...books, ...authors })
    assert.include(before, "0002_authors.sql was not applied before 3")
  })))

const index = "-- beside: 0001\n-- run: alone\ncreate index concurrently if not exists books_id_idx on books (id);"

const indexes = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  return yield* sql`
    select c.relname as name, i.indisvalid as valid from pg_index i join pg_class c on c.oid = i.indexrelid
    where c.relname like '%idx%' order by 1`
})

test.live("makes an index while its table is written to, and anew what a crash has left of one", () =>
  onEmptyDatabase(Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    yield* migrateWith(books)
    yield* sql`insert into books values (1)`
    yield* sql.unsafe("create index books_id_idx on books (id)")
    yield* sql`update pg_index set indisvalid = false where indexrelid = 'books_id_idx'::regclass`
    const migrating = yield* whileHeld(
      sql`insert into books values (2)`,
      Effect.gen(function*() {
        const fiber = yield* Effect.forkChild(migrateWith({ ...books, "0002_index.sql": index }))
        yield* untilBlocked()
        yield* sql`insert into books values (3)`
        return fiber
      })
    )
    assert.deepStrictEqual(yield* Fiber.join(migrating), ["0002_index.sql"])
    assert.deepStrictEqual(yield* indexes, [{ name: "books_id_idx", valid: true }])
    assert.deepStrictEqual(yield* tables("schema_additions"), [2])
  })))

test.live("makes an index on each partition of a table, and goes on after a crash between two", () =>
  onEmptyDatabase(Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const parted = {
      "0001_books.sql": `create table books (id int) partition by range (id);
        create table books_a partition of books for values from (0) to (10);
        create table books_b partition of books for values from (10) to (20);`
    }
    yield* migrateWith(parted)
    yield* sql.unsafe("create index books_id_idx on only books (id)")
    yield* sql.unsafe("create index books_id_idx_books_a on books_a (id)")
    yield* sql.unsafe("alter index books_id_idx attach partition books_id_idx_books_a")
    assert.deepStrictEqual(yield* migrateWith({ ...parted, "0002_index.sql": index }), ["0002_index.sql"])
    assert.deepStrictEqual(yield* indexes, [
      { name: "books_id_idx", valid: true },
      { name: "books_id_idx_books_a", valid: true },
      { name: "books_id_idx_books_b", valid: true }
    ])
  })))

test.live("fills a column batch by batch, each for itself", () =>
  onEmptyDatabase(Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const fill = {
      "0002_title.sql": "alter table books add column title text",
      "0003_fill.sql": `-- run: batches
        update books set title = 'none'
        where id in (select id from books where title is null order by id limit 100) returning 1;`
    }
    yield* migrateWith(books)
    yield* sql`insert into books select generate_series(1, 250)`
    yield* migrateWith({ ...books, ...fill })
    const counted = yield* sql`
      select count(*)::int as rows, count(distinct xmin::text)::int as batches from books where title = 'none'`
    assert.deepStrictEqual(counted, [{ rows: 250, batches: 3 }])
  })))

test.live("runs a long file once when five processes start at once", () =>
  Effect.gen(function*() {
    const url = yield* emptyDatabaseUrl
    const folder = yield* folderOf({ ...books, "0002_index.sql": index })
    const start = Effect.provide(migrate(folder), PgClient.layer({ url, maxConnections: 3 }), { local: true })
    const applied = yield* Effect.all(Array.from({ length: 5 }, () => start), { concurrency: "unbounded" })
    assert.deepStrictEqual(applied.flat().toSorted(), ["0001_books.sql", "0002_index.sql"])
  }).pipe(Effect.provide(NodeServices.layer)))

test.live("makes an index with the fewest connections, and past a pooler, where it opens its own", () =>
  Effect.gen(function*() {
    const folder = yield* folderOf({ ...books, "0002_index.sql": index })
    for (const isApart of [false, true]) {
      const url = yield* emptyDatabaseUrl
      const sessionUrl = isApart ? Redacted.make(Redacted.value(url)) : url
      const server = {
        ...directly,
        url,
        sessionUrl,
        readUrl: Option.none(),
        lost: Effect.never,
        endWithoutAnswer: Effect.void
      }
      const applied = yield* Effect.provide(
        migrateHere(folder),
        [Layer.succeed(DatabaseServer, server), connectionsLayer({ url, connections: fewestConnections })],
        { local: true }
      )
      assert.deepStrictEqual(applied, ["0001_books.sql", "0002_index.sql"])
    }
  }).pipe(Effect.provide(NodeServices.layer)))

test.effect("names what a head says wrong", () =>
  onEmptyDatabase(Effect.gen(function*() {
    const said = Effect.fnUntraced(function*(script: string) {
      return (yield* refusal({ "0002_a.sql": script })).replace("Migrations: 0002_a.sql ", "")
    })
    assert.strictEqual(yield* said("-- beside: 0003\nselect 1"), "has to name an earlier migration after \"beside:\"")
    assert.strictEqual(yield* said("-- beside: one\nselect 1"), "has to name an earlier migration after \"beside:\"")
    assert.strictEqual(
      yield* said("-- run: later\nselect 1"),
      "has to say transaction, alone or batches after \"run:\""
    )
    assert.strictEqual(yield* said("-- run: alone\n-- run: alone\nselect 1"), "says \"beside\" or \"run\" twice")
    assert.match(yield* said("-- run: alone\nvacuum books"), /^has to be one "create index concurrently if not exists"/)
    assert.match(
      yield* said("-- run: batches\nupdate books set id = 1"),
      /^has to return the rows that it changed/
    )
  })))

test.effect("applies each file once when five processes start at once", () =>
  Effect.gen(function*() {
    const url = yield* emptyDatabaseUrl
    const folder = yield* folderOf({ ...books, ...authors })
    const start = Effect.provide(migrate(folder), PgClient.layer({ url, maxConnections: 2 }), { local: true })
    const applied = yield* Effect.all(Array.from({ length: 5 }, () => start), { concurrency: "unbounded" })
    assert.deepStrictEqual(applied.flat().toSorted(), ["0001_books.sql", "0002_authors.sql"])
  }).pipe(Effect.provide(NodeServices.layer)))

layer(Layer.mergeAll(PostgresLayer, NodeServices.layer))("The database of a test", (it) => {
  it.effect("has all of Turma's migrations", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* migrate(), [])
      const sql = yield* SqlClient.SqlClient
      assert.isNotEmpty(yield* sql`select id from schema_migrations`)
    }))
})
