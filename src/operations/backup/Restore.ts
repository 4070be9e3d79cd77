import { PgClient } from "@effect/sql-pg"
import { Effect, FileSystem, Option, Path, type Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { databaseSettings } from "../../platform/sql/DatabaseSettings.ts"
import { embeddedPostgres } from "../../platform/sql/EmbeddedPostgres.ts"
import { firstLine } from "../../platform/sql/Migrations.ts"
import { keyIdOf, keyIdsOf, keysOfText, namedKeys, previousKeys } from "../../platform/sql/Sealing.ts"
import { configuredBucket } from "../../platform/storage/StorageSettings.ts"
import { type ArchiveReader, type Entry, openArchive } from "./ArchiveReader.ts"
import { failed, refuse } from "./BackupError.ts"
import { patient } from "./DatabaseDump.ts"
import { openLoad } from "./DatabaseLoad.ts"
import { openFiles } from "./FileParts.ts"
import { databasePrefix, filesPrefix, format, Header, headerName, keyName, Manifest, manifestName } from "./Manifest.ts"
import { makeProgress } from "./Progress.ts"
import { openTarget, type Target } from "./Target.ts"

const decode = <A>(schema: Schema.Codec<A, string>, { bytes, name }: Entry) =>
  Effect.flatMap(bytes, (text) =>
    Effect.mapError(
      Schema.decodeEffect(schema)(text.toString("utf8")),
      () => refuse(`the backup's ${name} is not what this version of Turma writes`)
    ))

const Format = Schema.fromJsonString(Schema.Struct({ format: Schema.Int }))

const readHeader = Effect.fnUntraced(function*(archive: ArchiveReader) {
  const first = yield* archive.next
  if (first?.name !== headerName) return yield* refuse("this is no backup of Turma")
  const bytes = yield* first.bytes
  const again = { ...first, bytes: Effect.succeed(bytes) }
  const { format: own } = yield* decode(Format, again)
  if (own !== format) return yield* refuse(`the backup has format ${own}, this version of Turma reads ${format}`)
  return yield* decode(Schema.fromJsonString(Header), again)
})

/** The ids of the keys that are in the archive. */
const broughtBy = ({ generated_keys, has_key, keys }: Header) => has_key ? generated_keys ?? keys.slice(0, 1) : []

/** Refuses what would leave sealed rows that nobody can open, or files that nobody can find. */
const check = Effect.fnUntraced(function*(header: Header) {
  const named = yield* namedKeys
  const own = [...Option.getOrElse(named, () => []), ...yield* previousKeys].map(keyIdOf)
  const brought = Option.isNone(named) ? broughtBy(header) : []
  if (Option.isNone(named) && !header.has_key) {
    return yield* refuse("the backup has no key: set APP_SECRET_KEY to the one that its installation has")
  }
  if (header.keys.some((id) => ![...own, ...brought].includes(id))) {
    return yield* refuse(
      "the backup's secrets are sealed with another key: set APP_SECRET_KEY, and APP_SECRET_KEY_PREVIOUS if it had one"
    )
  }
  const bucket = yield* configuredBucket
  if (header.has_files && Option.isSome(bucket)) {
    return yield* refuse(
      "the backup has files, and STORAGE_URL names a bucket: restore without it, then move the files"
    )
  }
  if (!header.has_files && Option.isNone(bucket)) {
    return yield* refuse("the backup's files are in a bucket: set STORAGE_URL to it")
  }
  return { takesKey: Option.isNone(named) }
})

const clientFor = (url: Redacted.Redacted) => PgClient.layer({ url, maxConnections: 1, ...patient })

/** Where the rows go: the database that is named, or a new one in the folder that is being prepared. */
const databaseOf = Effect.fnUntraced(function*({ staging }: Target) {
  const path = yield* Path.Path
  const given = yield* databaseSettings.DATABASE_URL.read
  return Option.isSome(given) ? given.value : yield* embeddedPostgres({ directory: path.join(staging, "postgres") })
})

const writeKey = Effect.fnUntraced(function*(file: string, bytes: Buffer, header: Header) {
  const fs = yield* FileSystem.FileSystem
  const ids: ReadonlyArray<string> = Option.match(keysOfText(bytes.toString("utf8")), {
    onNone: () => [],
    onSome: keyIdsOf
  })
  if (ids[0] !== header.keys[0] || broughtBy(header).some((id) => !ids.includes(id))) {
    return yield* refuse("the backup's key is not the one that its secrets are sealed with")
  }
  yield* Effect.mapError(fs.writeFile(file, bytes, { mode: 0o600, flag: "wx" }), failed(file))
})

interface Plan {
  readonly archive: ArchiveReader
  readonly header: Header
  /** Whether the archive's key becomes the installation's. */
  readonly takesKey: boolean
  readonly target: Target
}

/** Takes everything that is in the archive, in one transaction, and compares it with the manifest. */
const take = Effect.fnUntraced(function*({ archive, header, takesKey, target }: Plan) {
  const path = yield* Path.Path
  const progress = yield* makeProgress
  const load = yield* openLoad(header)
  const files = openFiles(path.join(target.staging, "files"), progress)
  let manifest: Manifest | undefined
  let hasKey = false
  for (let entry = yield* archive.next; entry !== undefined; entry = yield* archive.next) {
    const { name } = entry
    const table = name.startsWith(databasePrefix) ? name.slice(databasePrefix.length).split("/", 1)[0] : undefined
    if (table !== undefined) {
      const rows = yield* load.load(table, yield* entry.bytes)
      yield* progress(`${table}: ${rows} rows`, false)
    } else if (name.startsWith(filesPrefix)) yield* files.take(entry)
    else if (name === keyName && takesKey) {
      yield* writeKey(path.join(target.staging, keyName), yield* entry.bytes, header)
      hasKey = true
    } else if (name === manifestName) manifest = yield* decode(Schema.fromJsonString(Manifest), entry)
  }
  yield* archive.end
  if (manifest === undefined || hasKey !== takesKey) return yield* refuse("the backup is not whole")
  yield* load.finish(manifest)
  yield* files.finish(manifest.files)
  yield* progress("everything is there: keys and counts agree", true)
  return manifest
})

const intoDatabase = Effect.fnUntraced(function*(plan: Plan) {
  const sql = yield* SqlClient.SqlClient
  const { isEmbedded, publish, retract } = plan.target
  // With a database of others, files come to their place before it is kept: it is never there without them.
  const work = isEmbedded ? take(plan) : Effect.tap(take(plan), () => publish)
  return yield* sql.withTransaction(work).pipe(
    Effect.onError(() => retract),
    Effect.catchTag("SqlError", ({ reason }) => Effect.fail(failed("The database was not restored")(firstLine(reason))))
  )
})

/**
 * Makes an installation of a backup: all of it, or nothing. Refuses a database or folder with anything in it, another
 * key, other migrations than this version has, and an archive that is not whole.
 */
export const restore = Effect.fn("Restore.restore")(function*(file: string) {
  const archive = yield* openArchive(file)
  const header = yield* readHeader(archive)
  const { takesKey } = yield* check(header)
  const target = yield* openTarget
  const manifest = yield* Effect.scoped(Effect.gen(function*() {
    const url = yield* databaseOf(target)
    return yield* Effect.provide(intoDatabase({ archive, header, takesKey, target }), clientFor(url))
  }))
  // The server that filled it has ended.
  if (target.isEmbedded) yield* target.publish
  return { header, manifest }
}, Effect.scoped)
