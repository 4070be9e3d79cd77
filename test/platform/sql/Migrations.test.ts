import { NodeServices } from "@effect/platform-node"
import { PgClient } from "@effect/sql-pg"
import { assert, it as test, layer } from "@effect/vitest"
import { Effect, FileSystem, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { migrate } from "../../../src/platform/sql/Migrations.ts"
import { emptyDatabaseUrl, EmptyPostgresLayer, PostgresLayer } from "../../harness/Postgres.ts"

const folderOf = Effect.fnUntraced(function*(files: Readonly<Record<string, string>>) {
  const fs = yield* FileSystem.FileSystem
  const folder = yield* fs.makeTempDirectoryScoped({ prefix: "turma-migrations-" })
  yield* Effect.forEach(Object.entries(files), ([file, script]) => fs.writeFileString(`${folder}/${file}`, script))
  return folder
})

/** Runs on a database without any table. */
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

test.effect("waits for another process however long its migration takes", () =>
  onEmptyDatabase(Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    assert.deepStrictEqual(yield* sql`show lock_timeout`, [{ lock_timeout: "10s" }])
    yield* migrateWith({ "0001_wait.sql": "create table waits as select current_setting('lock_timeout') as longest" })
    assert.deepStrictEqual(yield* sql`select longest from waits`, [{ longest: "0" }])
    assert.deepStrictEqual(yield* sql`show lock_timeout`, [{ lock_timeout: "10s" }])
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
