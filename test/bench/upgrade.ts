// npm run bench:upgrade [-- --rows 1000000]: the longest wait while Turma upgrades a database of 0.2.0 with these rows.
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Console, Duration, Effect, FileSystem, Redacted } from "effect"
import { Command, Flag } from "effect/cli"
import postgres from "postgres"
import { connectionsLayer } from "../../src/platform/sql/Connections.ts"
import { migrate, migrationsFolder } from "../../src/platform/sql/Migrations.ts"
import { later } from "../upgrades/Later.ts"
import { keptDatabase } from "../upgrades/Restored.ts"
import { newDatabase } from "./newDatabase.ts"
import { PlatformLayer } from "./platformLayer.ts"
import { sized } from "./sized.ts"
import { table } from "./webhooks/tables.ts"

/** The tables that migrations since 0.2.0 change. `differs` has the columns in which copies of a row differ, in SQL. */
const tables: Readonly<Record<string, { readonly where: string; readonly differs: Readonly<Record<string, string>> }>> =
  {
    students: { where: "true", differs: { id: "gen_random_uuid()", email: "'full-' || n || '@example.com'" } },
    inbound_events: {
      where: "true",
      differs: {
        id: "gen_random_uuid()",
        external_event_id: "'full-' || n",
        body_hash: "sha256(n::text::bytea)",
        order_key: "'event:full-' || n",
        due_at: "null",
        outcome: "'processed'",
        finished_at: "received_at"
      }
    },
    event_outbox: { where: "true", differs: { id: "gen_random_uuid()" } },
    webhook_messages: {
      where: "true",
      differs: { id: "(left(id::text, 14) || substr(gen_random_uuid()::text, 15))::uuid" }
    },
    student_imports: {
      where: "true",
      differs: {
        id: "gen_random_uuid()",
        created: "total",
        existing: "0",
        failed: "0",
        due_at: "null",
        finished_at: "created_at"
      }
    },
    comments: { where: "author = 'student'", differs: { id: "gen_random_uuid()" } }
  }

/** Milliseconds that others may wait for a migration at most: as long as a migration waits for a table itself. */
const aim = 1_000

/** From the weakest mode to the one that blocks all reads. */
const modes = [
  "AccessShareLock",
  "RowShareLock",
  "RowExclusiveLock",
  "ShareUpdateExclusiveLock",
  "ShareLock",
  "ShareRowExclusiveLock",
  "ExclusiveLock",
  "AccessExclusiveLock"
]

const connected = (url: string) =>
  Effect.acquireRelease(
    Effect.sync(() => postgres(url, { max: 1, onnotice: () => {}, prepare: false })),
    (sql) => Effect.promise(() => sql.end())
  )

const fill = (sql: postgres.Sql, name: string, rows: number) =>
  Effect.promise(async () => {
    const { differs, where } = tables[name] ?? { differs: {}, where: "true" }
    const columns = await sql<Array<{ column_name: string }>>`
      select column_name from information_schema.columns
      where table_schema = 'public' and table_name = ${name} and is_generated = 'NEVER' order by ordinal_position`
    const names = columns.map(({ column_name }) => column_name)
    await sql.unsafe(`
      insert into ${name} (${names.join(", ")}) select ${names.map((column) => differs[column] ?? column).join(", ")}
      from (select * from ${name} where ${where} limit 1) one cross join generate_series(1, ${rows}) n`)
  })

/** Writes and reads a row again and again, each on its own connection, and keeps the longest wait of each. */
const watch = Effect.fnUntraced(function*(url: string, name: string) {
  const [writer, reader] = [yield* connected(url), yield* connected(url)]
  const [row] = yield* Effect.promise(() => reader.unsafe(`select club_id, id from ${name} limit 1`))
  const ours = `club_id = '${row?.["club_id"]}' and id = '${row?.["id"]}'`
  const longest = { write: 0, read: 0 }
  const again = (kind: keyof typeof longest, sql: postgres.Sql, text: string) =>
    Effect.timed(Effect.promise(() => sql.unsafe(text))).pipe(
      Effect.tap(([took]) =>
        Effect.sync(() => {
          longest[kind] = Math.max(longest[kind], Duration.toMillis(took))
        })
      ),
      Effect.delay("2 millis"),
      Effect.forever,
      Effect.forkScoped
    )
  yield* again("write", writer, `update ${name} set club_id = club_id where ${ours}`)
  yield* again("read", reader, `select 1 from ${name} where ${ours}`)
  const take = () => {
    const taken = { name, ...longest }
    Object.assign(longest, { write: 0, read: 0 })
    return taken
  }
  return take
})
type Taken = ReturnType<Effect.Success<ReturnType<typeof watch>>>

/** Looks every few milliseconds for the strongest lock that is stronger than the lock of a write, and its table. */
const watchLocks = Effect.fnUntraced(function*(url: string) {
  const sql = yield* connected(url)
  let found = { mode: modes.indexOf("RowExclusiveLock"), name: "" }
  const look = Effect.promise(() =>
    sql<Array<{ mode: string; name: string }>>`
      select l.mode, c.relname as name from pg_locks l join pg_class c on c.oid = l.relation
      where l.granted and c.relkind in ('r', 'p') and c.relname = any(${Object.keys(tables)})`
  )
  const note = (locks: Effect.Success<typeof look>) => {
    for (const { mode, name } of locks) {
      if (modes.indexOf(mode) > found.mode) found = { mode: modes.indexOf(mode), name }
    }
  }
  yield* Effect.forkScoped(Effect.forever(Effect.map(Effect.delay(look, "1 millis"), note)))
  const take = () => {
    const taken = found.name === "" ? "none seen" : `${modes[found.mode]} on ${found.name}`
    found = { mode: modes.indexOf("RowExclusiveLock"), name: "" }
    return taken
  }
  return take
})

const longestOf = (taken: ReadonlyArray<Taken>) => Math.max(...taken.flatMap(({ read, write }) => [read, write]))

const worst = (kind: "read" | "write", taken: ReadonlyArray<Taken>) => {
  const [first] = taken.toSorted((one, other) => other[kind] - one[kind])
  return first === undefined ? "" : `${first[kind].toFixed(0)} (${first.name})`
}

const introduction = (rows: number) =>
  `A database of 0.2.0 with ${rows} rows in each of ${Object.keys(tables).join(", ")}, upgraded one file after the other
while each table is written to and read without a pause. Files from 0991 on are the bench's own: what versions to come may
bring. Longest waits in ms; nothing: 5 seconds without a migration.
`

const measure = Effect.fn("measure")(function*(rows: number) {
  yield* Console.log(introduction(rows))
  const fs = yield* FileSystem.FileSystem
  const { database } = yield* newDatabase()
  const empty = new URL(Redacted.value(database))
  empty.pathname = "/upgraded"
  const url = empty.href
  yield* Effect.scoped(Effect.gen(function*() {
    const sql = yield* connected(Redacted.value(database))
    yield* Effect.promise(() => sql.unsafe("create database upgraded template template0"))
  }))
  yield* Effect.scoped(Effect.gen(function*() {
    const sql = yield* connected(url)
    yield* Effect.promise(() => sql.unsafe(keptDatabase("0.2.0", "https://localhost:1").sql).simple())
    yield* Effect.promise(() => sql.unsafe("set search_path = public"))
    yield* Effect.forEach(Object.keys(tables), (name) => fill(sql, name, rows), { discard: true })
    yield* Effect.promise(() => sql.unsafe("vacuum analyze"))
  }))
  const folder = yield* fs.makeTempDirectoryScoped({ prefix: "turma-upgrade-" })
  const known = (yield* fs.readDirectory(migrationsFolder)).filter((file) => file.endsWith(".sql")).toSorted()
  const before = known.filter((file) => file < "0075")
  yield* Effect.forEach(before, (file) => fs.copyFile(`${migrationsFolder}/${file}`, `${folder}/${file}`))
  const ours = yield* Effect.forEach(
    known.filter((file) => file > "0075"),
    (file) => Effect.map(fs.readFileString(`${migrationsFolder}/${file}`), (script) => [file, script] as const)
  )
  const watchers = yield* Effect.forEach(Object.keys(tables), (name) => watch(url, name))
  const takeLocks = yield* watchLocks(url)
  const waits: Array<number> = []
  const observe = Effect.fnUntraced(function*<E, R>(file: string, work: Effect.Effect<unknown, E, R>) {
    for (const take of watchers) take()
    takeLocks()
    const [took] = yield* Effect.timed(work)
    const taken = watchers.map((take) => take())
    waits.push(longestOf(taken))
    return [file, Duration.toSeconds(took).toFixed(2), takeLocks(), worst("write", taken), worst("read", taken)]
  })
  const lines = [yield* observe("nothing", Effect.sleep(Duration.seconds(sized(5, 0.2))))]
  const apply = Effect.forEach(
    [...ours, ...Object.entries(later)],
    ([file, script]) => Effect.andThen(fs.writeFileString(`${folder}/${file}`, script), observe(file, migrate(folder)))
  )
  lines.push(...yield* Effect.provide(apply, connectionsLayer({ url: Redacted.make(url), connections: 4 })))
  yield* Console.log(table(["Migration", "seconds", "strongest lock", "write waited", "read waited"], lines))
  const waited = Math.max(...waits)
  const verdict = `The longest wait was ${waited.toFixed(0)} ms, at most ${aim} ms is the aim`
  if (waited > aim) return yield* Effect.die(new Error(`${verdict}: missed`))
  yield* Console.log(`${verdict}: met`)
}, Effect.scoped)

Command.make("bench:upgrade", {
  rows: Flag.Int("rows").pipe(Flag.withDefault(sized(1_000_000, 100)), Flag.withDescription("Rows in each table"))
}, ({ rows }) => measure(rows)).pipe(
  Command.run({ version: "1" }),
  Effect.provide(PlatformLayer),
  NodeRuntime.runMain
)
