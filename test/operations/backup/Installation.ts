import { PgClient } from "@effect/sql-pg"
import { ConfigProvider, DateTime, Effect, FileSystem, Redacted, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { backup } from "../../../src/operations/backup/Backup.ts"
import { fileDestination, fileSource } from "../../../src/operations/backup/place/FolderPlace.ts"
import { restore } from "../../../src/operations/backup/Restore.ts"
import { Partitions } from "../../../src/platform/sql/Partitions.ts"
import { makeCatalogDelivery, makeClub, makeEnrollment, makeLiveLesson, makeStudent } from "../../harness/Makers.ts"
import { type emptyDatabaseUrl, freshDatabaseUrl } from "../../harness/Postgres.ts"

export const key = Buffer.alloc(32, 7).toString("base64")

/** An installation with this database and a folder of its own. */
export const installation = Effect.fnUntraced(function*(database: Effect.Success<typeof emptyDatabaseUrl>) {
  const fs = yield* FileSystem.FileSystem
  const folder = yield* fs.makeTempDirectoryScoped({ prefix: "turma-test-" })
  return {
    url: database,
    folder,
    env: { DATABASE_URL: Redacted.value(database), DATA_DIR: `${folder}/data`, APP_SECRET_KEY: key }
  }
})
export type Installation = Effect.Success<ReturnType<typeof installation>>

export const as = <A, E, R>(work: Effect.Effect<A, E, R>, env: Record<string, string>) =>
  Effect.provide(work, ConfigProvider.layer(ConfigProvider.fromUnknown(env)))

export const backupTo = (file: string) =>
  Effect.flatMap(fileDestination(file), (destination) => backup({ destination }))

export const restoreOf = (file: string) => restore({ source: fileSource(file) })

export const sqlOf = ({ url }: Installation) => PgClient.layer({ url, maxConnections: 2 })

const Lines = Schema.Array(Schema.Struct({ line: Schema.String }))

export const linesOf = Effect.fnUntraced(function*(text: string) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* Effect.flatMap(sql.unsafe(text), Schema.decodeUnknownEffect(Lines))
  return rows.map(({ line }) => line)
})

/** The parts of a schema, without the names that PostgreSQL gives to partitions and without the tests' own trigger. */
const schemaQueries = [
  "select t.conrelid::regclass || ' ' || pg_get_constraintdef(t.oid) as line from pg_constraint t where t.connamespace = 'public'::regnamespace and t.conrelid <> 0 order by 1",
  "select tgrelid::regclass || ' ' || tgname || ' ' || tgenabled::text as line from pg_trigger where not tgisinternal and tgname <> 'refuse_document' order by 1",
  "select tablename || regexp_replace(indexdef, ' INDEX \\S+', '') as line from pg_indexes where schemaname = 'public' order by 1",
  "select sequencename || ' ' || coalesce(last_value, 0) as line from pg_sequences order by 1"
]

/** The whole database as text, by the query for each part. */
export const contentOf = Effect.gen(function*() {
  const tables =
    yield* linesOf("select relname as line from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace order by 1")
  const queries = [...tables.map((table) => `select t::text as line from "${table}" t order by 1`), ...schemaQueries]
  return new Map(yield* Effect.forEach(queries, (text) => Effect.map(linesOf(text), (lines) => [text, lines] as const)))
})

/** Rows of every kind. Their tables have partitions, triggers, identities and computed columns. */
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

export const file = "files/kept/club/a"

/** A source with rows and a file, and a backup of it. */
export const source = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const own = yield* installation(yield* freshDatabaseUrl)
  yield* fs.makeDirectory(`${own.env.DATA_DIR}/files/kept/club`, { recursive: true })
  yield* fs.writeFileString(`${own.env.DATA_DIR}/${file}`, "bytes")
  yield* fs.makeDirectory(`${own.env.DATA_DIR}/files/uploads`)
  yield* fs.writeFileString(`${own.env.DATA_DIR}/files/uploads/club.b`, "coming")
  yield* fs.writeFileString(`${own.env.DATA_DIR}/files/uploads/club.c.x.part`, "half")
  yield* Effect.provide(fill, sqlOf(own))
  const archive = `${own.folder}/a.turma`
  return { ...own, archive, make: as(backupTo(archive), own.env) }
})
