import { PgClient } from "@effect/sql-pg"
import { DateTime, Effect, FileSystem, Option, Path, type Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { databaseAddresses } from "../../platform/sql/DatabaseAddresses.ts"
import { embeddedPostgres } from "../../platform/sql/EmbeddedPostgres.ts"
import { firstLine } from "../../platform/sql/Migrations.ts"
import { keyIdOf, keyIdsOf, keysOfText, namedKeys, previousKeys } from "../../platform/sql/Sealing.ts"
import { configuredBucket } from "../../platform/storage/StorageSettings.ts"
import { textFile } from "../../platform/text/TextFile.ts"
import { whyUnreadable } from "../../platform/text/Unreadable.ts"
import { decodeUtf8, utf8Option } from "../../platform/text/Utf8.ts"
import { type ArchiveReader, type Entry, openArchive } from "./archive/ArchiveReader.ts"
import { type BackupError, failed, refuse } from "./archive/BackupError.ts"
import type { Source } from "./archive/Ends.ts"
import { seriesHere } from "./Backup.ts"
import { patient } from "./DatabaseDump.ts"
import { openLoad } from "./DatabaseLoad.ts"
import type { Erased } from "./erasures/ErasureFiles.ts"
import { storeErasures } from "./erasures/RestoredErasures.ts"
import { openFiles } from "./FileParts.ts"
import { databasePrefix, filesPrefix, format, Header, headerName, keyName, Manifest, manifestName } from "./Manifest.ts"
import { makeProgress } from "./Progress.ts"
import { openTarget, type Target } from "./Target.ts"

/** Reads one of the archive's own JSON files. */
export const decode = <A>(schema: Schema.Codec<A, string>, { bytes, name }: Entry) =>
  Effect.flatMap(bytes, (read) =>
    Effect.mapError(
      Effect.flatMap(decodeUtf8(read), Schema.decodeEffect(schema)),
      () => refuse(`the backup's ${name} is not what this version of Turma writes`)
    ))

const Format = Schema.fromJsonString(Schema.Struct({ format: Schema.Int }))

/** The header of the archive, read before anything else of it. */
export const readHeader = Effect.fnUntraced(function*(archive: ArchiveReader) {
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

/** Keys in a file of their own, as `turma backup --key` writes it. */
const readKeyFile = Effect.fnUntraced(function*(file: string) {
  const fs = yield* FileSystem.FileSystem
  const text = yield* Effect.mapError(
    textFile(fs, file),
    (error) => refuse(`cannot read the key ${file}: ${whyUnreadable(error)}`)
  )
  const keys = keysOfText(text)
  return Option.isSome(keys) ? { text, ids: keyIdsOf(keys.value) } : yield* refuse(`${file} holds no key`)
})

/** Where the installation's keys are to come from: they are in the settings, in a file, or in the archive. */
type KeySource = "archive" | "settings" | { readonly text: string }

/** Advice if no key that we have opens a backup. */
const wayOut = ({ has_key }: Header, keyFrom: string | undefined, isNamed: boolean) => {
  if (keyFrom !== undefined) return `${keyFrom} is not the file that npx turma backup --key wrote beside it`
  if (isNamed && has_key) return "its own is in it, so leave APP_SECRET_KEY out"
  return "set APP_SECRET_KEY, and APP_SECRET_KEY_PREVIOUS if it had one"
}

/** Refuses what would leave sealed rows that nobody can open, or files that nobody can find. */
const check = Effect.fnUntraced(function*(header: Header, keyFrom: string | undefined) {
  const named = yield* namedKeys
  const own = [...Option.getOrElse(named, () => []), ...yield* previousKeys].map(keyIdOf)
  if (Option.isSome(named) && keyFrom !== undefined) {
    return yield* refuse("APP_SECRET_KEY is set, and --key gives another: leave one of them out")
  }
  const file = keyFrom === undefined ? undefined : yield* readKeyFile(keyFrom)
  const withoutFile = Option.isNone(named) ? broughtBy(header) : []
  const brought: ReadonlyArray<string> = file === undefined ? withoutFile : file.ids
  if (Option.isNone(named) && !header.has_key && file === undefined) {
    return yield* refuse("the backup has no key: set APP_SECRET_KEY to the one that its installation has, or name its file by --key")
  }
  if (header.keys.some((id) => ![...own, ...brought].includes(id))) {
    return yield* refuse(`the backup's secrets are sealed with another key: ${
      wayOut(header, keyFrom, Option.isSome(named))
    }`)
  }
  const bucket = yield* configuredBucket
  if (header.has_files && Option.isSome(bucket)) {
    return yield* refuse("the backup has files, and STORAGE_URL names a bucket: restore without it, then move the files")
  }
  if (!header.has_files && Option.isNone(bucket)) {
    return yield* refuse("the backup's files are in a bucket: set STORAGE_URL to it")
  }
  const key: KeySource = Option.isSome(named) ? "settings" : file === undefined ? "archive" : { text: file.text }
  return key
})

/** One connection to a database that is being filled. */
export const clientFor = (url: Redacted.Redacted) => PgClient.layer({ url, maxConnections: 1, ...patient })

/** Where the rows go: the database that is named, or a new one in the folder that is being prepared. */
const databaseOf = Effect.fnUntraced(function*({ staging }: Target) {
  const path = yield* Path.Path
  const given = yield* databaseAddresses
  return Option.isSome(given)
    ? given.value.sessionUrl
    : yield* embeddedPostgres({ directory: path.join(staging, "postgres") })
})

const writeKey = Effect.fnUntraced(function*(file: string, bytes: Buffer, header: Header) {
  const fs = yield* FileSystem.FileSystem
  const ids: ReadonlyArray<string> = Option.match(Option.flatMap(utf8Option(bytes), keysOfText), {
    onNone: () => [],
    onSome: keyIdsOf
  })
  if (ids[0] !== header.keys[0] || (header.generated_keys ?? []).some((id) => !ids.includes(id))) {
    return yield* refuse("the backup's key is not the one that its secrets are sealed with")
  }
  yield* Effect.mapError(fs.writeFile(file, bytes, { mode: 0o600, flag: "wx" }), failed(file))
})

interface Plan {
  readonly archive: ArchiveReader
  readonly header: Header
  readonly key: KeySource
  readonly target: Target
  readonly removedSince: RestoreOptions["removedSince"]
}

/** Has the next start remove people again who were removed since the backup. */
const storeRemoved = Effect.fnUntraced(function*({ taken_at }: Header, removedSince: RestoreOptions["removedSince"]) {
  if (removedSince === undefined) return 0
  const since = Option.getOrThrow(DateTime.make(taken_at))
  return yield* storeErasures(yield* removedSince(yield* seriesHere, DateTime.toUtc(since)))
})

/** Takes everything that is in the archive, in one transaction, and compares it with the manifest. */
const take = Effect.fnUntraced(function*({ archive, header, key, removedSince, target }: Plan) {
  const path = yield* Path.Path
  const progress = yield* makeProgress
  const load = yield* openLoad(header)
  const files = openFiles(path.join(target.staging, "files"), progress)
  const ownKey = path.join(target.staging, keyName)
  let manifest: Manifest | undefined
  let hasKey = key !== "archive"
  if (typeof key === "object") yield* writeKey(ownKey, Buffer.from(key.text), header)
  for (let entry = yield* archive.next; entry !== undefined; entry = yield* archive.next) {
    const { name } = entry
    const table = name.startsWith(databasePrefix) ? name.slice(databasePrefix.length).split("/", 1)[0] : undefined
    if (table !== undefined) {
      const rows = yield* load.load(table, yield* entry.bytes)
      yield* progress(`${table}: ${rows} rows`, false)
    } else if (name.startsWith(filesPrefix)) yield* files.take(entry)
    else if (name === keyName && key === "archive") {
      yield* writeKey(ownKey, yield* entry.bytes, header)
      hasKey = true
    } else if (name === manifestName) manifest = yield* decode(Schema.fromJsonString(Manifest), entry)
  }
  yield* archive.end
  if (manifest === undefined || !hasKey) return yield* refuse("the backup is not whole")
  yield* load.finish(manifest)
  yield* files.finish(manifest.files)
  const removed = yield* storeRemoved(header, removedSince)
  yield* progress("everything is there: keys and counts agree", true)
  return { manifest, removed }
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

/** The source of a restore, and its keys. */
export interface RestoreOptions {
  readonly source: Source
  /** Opens what is sealed with it. */
  readonly passphrase?: Redacted.Redacted | undefined
  /** Takes an archive that is not sealed though there is a passphrase. */
  readonly takesUnsealed?: boolean
  /** The file of the generated key, where that is not in the archive. */
  readonly keyFrom?: string | undefined
  /** People that this installation has removed since a moment, from the lists beside its backups. */
  readonly removedSince?: (
    series: string,
    since: DateTime.Utc
  ) => Effect.Effect<ReadonlyArray<Erased>, BackupError>
}

/**
 * Makes an installation of a backup: all of it, or nothing. The next start removes again the people who were removed
 * since. It refuses:
 * - a database or folder with anything in it
 * - another key
 * - other migrations than this version has
 * - an incomplete archive
 * - an unsealed archive although there is a passphrase
 */
export const restore = Effect.fn("Restore.restore")(function*(
  { keyFrom, removedSince, source, ...opening }: RestoreOptions
) {
  const archive = yield* openArchive(source, opening)
  const header = yield* readHeader(archive)
  const key = yield* check(header, keyFrom)
  const target = yield* openTarget
  const { manifest, removed } = yield* Effect.scoped(Effect.gen(function*() {
    const url = yield* databaseOf(target)
    return yield* Effect.provide(intoDatabase({ archive, header, key, removedSince, target }), clientFor(url))
  }))
  // The server that filled it has ended.
  if (target.isEmbedded) yield* target.publish
  return { header, manifest, removed }
}, Effect.scoped)
