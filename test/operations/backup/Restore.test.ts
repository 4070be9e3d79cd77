import { NodeServices } from "@effect/platform-node"
import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { ConfigProvider, DateTime, Effect, FileSystem, Layer, Redacted, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { openArchive } from "../../../src/operations/backup/ArchiveReader.ts"
import { writeArchive } from "../../../src/operations/backup/ArchiveWriter.ts"
import { backup } from "../../../src/operations/backup/Backup.ts"
import { restore } from "../../../src/operations/backup/Restore.ts"
import { Partitions } from "../../../src/platform/sql/Partitions.ts"
import { makeCatalogDelivery, makeClub, makeEnrollment, makeLiveLesson, makeStudent } from "../../harness/Makers.ts"
import { emptyDatabaseUrl, freshDatabaseUrl } from "../../harness/Postgres.ts"

// Each restore makes a whole schema.
const timeout = 600_000

const key = Buffer.alloc(32, 7).toString("base64")

/** An installation with this database and a folder of its own. */
const installation = Effect.fnUntraced(function*(database: Effect.Success<typeof emptyDatabaseUrl>) {
  const fs = yield* FileSystem.FileSystem
  const folder = yield* fs.makeTempDirectoryScoped({ prefix: "turma-test-" })
  return {
    url: database,
    folder,
    env: { DATABASE_URL: Redacted.value(database), DATA_DIR: `${folder}/data`, APP_SECRET_KEY: key }
  }
})
type Installation = Effect.Success<ReturnType<typeof installation>>

const as = <A, E, R>(work: Effect.Effect<A, E, R>, env: Record<string, string>) =>
  Effect.provide(work, ConfigProvider.layer(ConfigProvider.fromUnknown(env)))

const sqlOf = ({ url }: Installation) => PgClient.layer({ url, maxConnections: 2 })

const Lines = Schema.Array(Schema.Struct({ line: Schema.String }))

const linesOf = Effect.fnUntraced(function*(text: string) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* Effect.flatMap(sql.unsafe(text), Schema.decodeUnknownEffect(Lines))
  return rows.map(({ line }) => line)
})

/** What a schema consists of, but for names that PostgreSQL makes up for partitions, and a trigger of the tests' own. */
const schemaQueries = [
  "select t.conrelid::regclass || ' ' || pg_get_constraintdef(t.oid) as line from pg_constraint t where t.connamespace = 'public'::regnamespace and t.conrelid <> 0 order by 1",
  "select tgrelid::regclass || ' ' || tgname || ' ' || tgenabled::text as line from pg_trigger where not tgisinternal and tgname <> 'refuse_document' order by 1",
  "select tablename || regexp_replace(indexdef, ' INDEX \\S+', '') as line from pg_indexes where schemaname = 'public' order by 1",
  "select sequencename || ' ' || coalesce(last_value, 0) as line from pg_sequences order by 1"
]

/** The whole database as text, by what it is of. */
const contentOf = Effect.gen(function*() {
  const tables = yield* linesOf(
    "select relname as line from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace order by 1"
  )
  const queries = [...tables.map((table) => `select t::text as line from "${table}" t order by 1`), ...schemaQueries]
  return new Map(yield* Effect.forEach(queries, (text) => Effect.map(linesOf(text), (lines) => [text, lines] as const)))
})

/** Rows of every kind, in tables with all that is special: partitions, triggers, identities, computed columns. */
const fill = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const club = yield* makeClub({ name: "Violão, \"quoted\", \\ back, {brace}, (paren)\nand a new line, 🎸" })
  const student = yield* makeStudent(club)
  yield* makeLiveLesson(club)
  yield* makeEnrollment(club, student, yield* makeCatalogDelivery(club))
  const now = yield* DateTime.now
  const at = DateTime.toDateUtc(now)
  const partitions = yield* Partitions
  yield* partitions.ensure([{ table: "webhook_messages", period: "day" }], now)
  const random = yield* SecureRandom.SecureRandom
  const id = yield* random.uuidV7()
  yield* sql`insert into webhook_messages (club_id, id, type, occurred_at, created_at, body)
    values (${club.id}, ${id}, 'student.created', ${at}, ${at}, ${new Uint8Array(Buffer.alloc(300_000, "\0\\\"x"))})`
  yield* sql`insert into point_entries (club_id, id, student_id, action, points, origin_id, created_at)
    values (${club.id}, ${id}, ${student.id}, 'lesson_completed', 5, ${id}, ${at})`
  return club
}).pipe(Effect.provide(Partitions.layer))

const file = "files/kept/club/a"

/** A source with rows and a file, and a backup of it. */
const source = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const own = yield* installation(yield* freshDatabaseUrl)
  yield* fs.makeDirectory(`${own.env.DATA_DIR}/files/kept/club`, { recursive: true })
  yield* fs.writeFileString(`${own.env.DATA_DIR}/${file}`, "bytes")
  yield* fs.makeDirectory(`${own.env.DATA_DIR}/files/uploads`)
  yield* fs.writeFileString(`${own.env.DATA_DIR}/files/uploads/club.b`, "coming")
  yield* fs.writeFileString(`${own.env.DATA_DIR}/files/uploads/club.c.x.part`, "half")
  yield* Effect.provide(fill, sqlOf(own))
  const archive = `${own.folder}/a.turma`
  return { ...own, archive, make: as(backup(archive), own.env) }
})

/** Changes what an archive holds, and leaves it well formed. */
const rewritten = Effect.fnUntraced(
  function*(archive: string, change: (name: string, text: string) => string | undefined) {
    const to = `${archive}.changed`
    yield* Effect.scoped(Effect.gen(function*() {
      const reader = yield* openArchive(archive)
      yield* writeArchive(to, ({ add }) =>
        Effect.gen(function*() {
          for (let entry = yield* reader.next; entry !== undefined; entry = yield* reader.next) {
            const text = change(entry.name, (yield* entry.bytes).toString("utf8"))
            if (text !== undefined) yield* add(entry.name, Buffer.from(text))
          }
        }))
    }))
    return to
  }
)

const without = (what: string) => (name: string, text: string) => name.startsWith(what) ? undefined : text

const replacing = (what: string, from: RegExp, to: string) => (name: string, text: string) =>
  name.startsWith(what) ? text.replace(from, to) : text

/** Nothing of a restore is left: neither rows nor files. */
const isUntouched = Effect.fnUntraced(function*(target: Installation) {
  const fs = yield* FileSystem.FileSystem
  assert.deepStrictEqual(yield* fs.readDirectory(target.env.DATA_DIR).pipe(Effect.orElseSucceed(() => [])), [])
  const tables = linesOf("select relname as line from pg_class where relnamespace = 'public'::regnamespace")
  assert.deepStrictEqual(yield* Effect.provide(tables, sqlOf(target)), [])
})

const TestLayer = Layer.mergeAll(NodeServices.layer, SecureRandom.layerWebCrypto)

layer(TestLayer, { excludeTestServices: true, timeout: "60 seconds" })("A backup", (it) => {
  it.effect("becomes the same database and the same files", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const from = yield* source
      const { header, manifest } = yield* from.make
      assert.strictEqual(header.tables.length, manifest.tables.length)
      assert.strictEqual(manifest.files.count, 2)
      const target = yield* installation(yield* emptyDatabaseUrl)
      yield* as(restore(from.archive), target.env)
      const [was, is] = yield* Effect.all([from, target].map((each) => Effect.provide(contentOf, sqlOf(each))))
      for (const [what, lines] of was ?? []) assert.deepStrictEqual(is?.get(what), lines, what)
      assert.deepStrictEqual((yield* fs.readDirectory(target.env.DATA_DIR, { recursive: true })).toSorted(), [
        "files",
        "files/kept",
        "files/kept/club",
        file,
        "files/uploads",
        "files/uploads/club.b"
      ])
      assert.strictEqual(yield* fs.readFileString(`${target.env.DATA_DIR}/${file}`), "bytes")
    }), timeout)

  it.effect("is refused where it does not fit, and changes nothing", () =>
    Effect.gen(function*() {
      const from = yield* source
      yield* from.make
      const target = yield* installation(yield* emptyDatabaseUrl)
      const refusal = Effect.fnUntraced(function*(archive: string, why: RegExp, more: Record<string, string> = {}) {
        const error = yield* Effect.flip(as(restore(archive), { ...target.env, ...more }))
        assert.match(error.message, why)
        yield* isUntouched(target)
      })
      const changed = Effect.fnUntraced(function*(change: Parameters<typeof rewritten>[1], why: RegExp) {
        const fs = yield* FileSystem.FileSystem
        const archive = yield* rewritten(from.archive, change)
        yield* refusal(archive, why)
        yield* fs.remove(archive)
      })
      yield* refusal(`${from.archive}.none`, /there is no such file/)
      yield* refusal(from.archive, /another key: set APP_SECRET_KEY/, {
        APP_SECRET_KEY: Buffer.alloc(32, 8).toString("base64")
      })
      yield* refusal(from.archive, /STORAGE_URL names a bucket/, { STORAGE_URL: "s3://id:secret@127.0.0.1:9000/turma" })
      yield* changed(
        replacing("turma.json", /"format":1/, "\"format\":2"),
        /has format 2, this version of Turma reads 1/
      )
      yield* changed(replacing("turma.json", /"has_files":true/, "\"has_files\":false"), /in a bucket: set STORAGE_URL/)
      yield* changed(replacing("turma.json", /("checksum":")\w/, "$1-"), /0001_\w+\.sql has changed since/)
      yield* changed(
        replacing("turma.json", /("migrations":\[)/, "$1{\"id\":9999,\"name\":\"later\",\"checksum\":\"x\"},"),
        /newer version|its file is gone/
      )
      yield* changed(without("turma.json"), /no backup of Turma/)
      yield* changed(without("manifest.json"), /is not whole/)
      yield* changed(without("database/point_entries"), /the rows of point_entries are not whole/)
      yield* changed(replacing("database/clubs", /Viol/, "Veol"), /the rows of clubs are not whole/)
      yield* changed(without("files/uploads"), /the files are not those/)
      yield* changed((name, text) => name === file ? "other" : text, /the files are not those/)
      yield* changed(
        (name, text) => name === "manifest.json" ? text.replaceAll(/"rows":\d+/g, "\"rows\":0") : text,
        /are not whole/
      )
    }), timeout)

  it.effect("is refused by a database or a folder with anything in it", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const from = yield* source
      yield* from.make
      const full = yield* installation(from.url)
      assert.match((yield* Effect.flip(as(restore(from.archive), full.env))).message, /has tables already/)
      assert.deepStrictEqual(yield* fs.readDirectory(full.env.DATA_DIR), [])
      const target = yield* installation(yield* emptyDatabaseUrl)
      yield* fs.makeDirectory(`${target.env.DATA_DIR}/files`, { recursive: true })
      assert.match((yield* Effect.flip(as(restore(from.archive), target.env))).message, /files is there already/)
      assert.deepStrictEqual(yield* fs.readDirectory(target.env.DATA_DIR), ["files"])
    }), timeout)

  it.effect("is not made of nothing", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const empty = yield* installation(yield* emptyDatabaseUrl)
      const none = yield* Effect.flip(as(backup(`${empty.folder}/a`), empty.env))
      assert.match(none.message, /no database of Turma to back up/)
      const { DATA_DIR } = empty.env
      assert.match((yield* Effect.flip(as(backup(`${empty.folder}/a`), { DATA_DIR }))).message, /no database under/)
      assert.deepStrictEqual(yield* fs.readDirectory(empty.folder), [])
    }), timeout)
})
