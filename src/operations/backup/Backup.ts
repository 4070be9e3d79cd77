import { DateTime, Effect, FileSystem, Option, Path, Schema } from "effect"
import { DatabaseServer } from "../../platform/sql/Database.ts"
import { databaseSettings, usesEmbeddedPostgres } from "../../platform/sql/DatabaseSettings.ts"
import { keyFile, keyIdOf, keyIdsOf, keysOfText, namedKeys, previousKeys } from "../../platform/sql/Sealing.ts"
import { configuredBucket } from "../../platform/storage/StorageSettings.ts"
import { version } from "../../platform/version.ts"
import { type ArchiveWriter, writeArchive } from "./ArchiveWriter.ts"
import { failed, refuse } from "./BackupError.ts"
import { dumpDatabase, openSnapshot } from "./DatabaseDump.ts"
import { addFiles, noFiles } from "./FileParts.ts"
import { format, Header, headerName, keyName, Manifest, manifestName } from "./Manifest.ts"
import { makeProgress } from "./Progress.ts"

const encodeHeader = Schema.encodeEffect(Schema.fromJsonString(Header))
const encodeManifest = Schema.encodeEffect(Schema.fromJsonString(Manifest))

/** The key as the archive knows it: by its id, and as a whole where it was generated here. */
const readKeys = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const named = yield* namedKeys
  const previous = (yield* previousKeys).map(keyIdOf)
  if (Option.isSome(named)) {
    return { text: Option.none<string>(), ids: [...keyIdsOf(named.value), ...previous] as const, generated: [] }
  }
  const file = yield* keyFile
  const text = yield* Effect.mapError(fs.readFileString(file), failed(`The key ${file}`))
  const keys = keysOfText(text)
  if (Option.isNone(keys)) return yield* refuse(`${file} holds no key`)
  const generated = keyIdsOf(keys.value)
  return { text: Option.some(text), ids: [...generated, ...previous] as const, generated }
})

/** Refuses to make a new database where one is to be kept. */
const requireDatabase = Effect.gen(function*() {
  if (!(yield* usesEmbeddedPostgres)) return
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const folder = path.resolve(yield* databaseSettings.DATA_DIR.read, "postgres")
  const isThere = yield* Effect.mapError(fs.exists(folder), failed(folder))
  if (!isThere) return yield* refuse(`there is no database under ${path.dirname(folder)}: DATA_DIR names the folder`)
})

const fill = Effect.fnUntraced(function*(archive: ArchiveWriter) {
  const path = yield* Path.Path
  const { url } = yield* DatabaseServer
  const progress = yield* makeProgress
  const keys = yield* readKeys
  const bucket = yield* configuredBucket
  const snapshot = yield* openSnapshot(url)
  const taken_at = yield* DateTime.now
  const header = {
    format,
    turma: version,
    postgresql: snapshot.postgresql,
    taken_at: DateTime.formatIso(taken_at),
    migrations: snapshot.migrations,
    tables: snapshot.tables,
    partitions: snapshot.partitions,
    keys: keys.ids,
    generated_keys: keys.generated,
    has_key: Option.isSome(keys.text),
    has_files: Option.isNone(bucket)
  }
  yield* archive.add(headerName, Buffer.from(yield* Effect.orDie(encodeHeader(header))))
  const { sequences, tables } = yield* dumpDatabase(snapshot, archive, progress)
  if (Option.isSome(keys.text)) yield* archive.add(keyName, Buffer.from(keys.text.value))
  const folder = path.resolve(yield* databaseSettings.DATA_DIR.read, "files")
  const files = Option.isNone(bucket) ? yield* addFiles(folder, taken_at, archive, progress) : noFiles()
  const manifest = { tables, sequences, files }
  yield* archive.add(manifestName, Buffer.from(yield* Effect.orDie(encodeManifest(manifest))))
  return { header, manifest }
}, Effect.scoped)

/**
 * Writes the database as it is at one moment, the files that belong to it and a generated key into one new file, while
 * others go on serving. Says what it holds.
 */
export const backup = Effect.fn("Backup.backup")(function*(file: string) {
  yield* requireDatabase
  return yield* Effect.provide(writeArchive(file, fill), DatabaseServer.layer)
})
