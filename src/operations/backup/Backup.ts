import { DateTime, Effect, FileSystem, Option, Path, type Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { createHash } from "node:crypto"
import { fingerprintsTable, KnownKey, missingOf, storedKeysText } from "../../platform/keys/KeyFingerprints.ts"
import { DatabaseServer } from "../../platform/sql/Database.ts"
import { databaseSettings } from "../../platform/sql/DatabaseSettings.ts"
import { missingDatabase } from "../../platform/sql/MissingDatabase.ts"
import { one } from "../../platform/sql/Rows.ts"
import {
  keyFile,
  keyIdOf,
  keyIdsOf,
  type Keys,
  keysOfText,
  namedKeys,
  previousKeys
} from "../../platform/sql/Sealing.ts"
import { configuredBucket } from "../../platform/storage/StorageSettings.ts"
import { textFile } from "../../platform/text/TextFile.ts"
import { whyUnreadable } from "../../platform/text/Unreadable.ts"
import { version } from "../../platform/version.ts"
import { type ArchiveWriter, writeArchive } from "./archive/ArchiveWriter.ts"
import { failed, refuse } from "./archive/BackupError.ts"
import type { Destination } from "./archive/Ends.ts"
import { dumpDatabase, openSession, openSnapshot, type Snapshot } from "./DatabaseDump.ts"
import { addFiles, noFiles } from "./FileParts.ts"
import { format, Header, headerName, keyName, Manifest, manifestName } from "./Manifest.ts"
import { makeProgress } from "./Progress.ts"

const encodeHeader = Schema.encodeEffect(Schema.fromJsonString(Header))
const encodeManifest = Schema.encodeEffect(Schema.fromJsonString(Manifest))

/** The destination of an archive, and of the generated key. */
export interface BackupOptions {
  readonly destination: Destination
  /** Seals all of it. */
  readonly passphrase?: Redacted.Redacted | undefined
  /** The file that gets the generated key, which then is not in the archive. */
  readonly keyTo?: string | undefined
}

/** The key as the archive knows it: by its id, and as a whole where it was generated here. */
const readKeys = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const named = yield* namedKeys
  const previous = (yield* previousKeys).map(keyIdOf)
  if (Option.isSome(named)) {
    return {
      text: Option.none<string>(),
      configured: named.value,
      ids: [...keyIdsOf(named.value), ...previous] as const,
      generated: []
    }
  }
  const file = yield* keyFile
  const text = yield* Effect.mapError(
    textFile(fs, file),
    (error) => refuse(`cannot read the key ${file}: ${whyUnreadable(error)}`)
  )
  const keys = keysOfText(text)
  if (Option.isNone(keys)) return yield* refuse(`${file} holds no key`)
  const generated = keyIdsOf(keys.value)
  return { text: Option.some(text), configured: keys.value, ids: [...generated, ...previous] as const, generated }
})

/** Refuses to make a backup that says it opens with these keys where the database knows that it does not. */
const requireKeys = Effect.fnUntraced(function*({ ask, tables }: Snapshot, configured: Keys) {
  if (!tables.some(({ name }) => name === fingerprintsTable)) return
  const known = yield* ask(Schema.Array(KnownKey), storedKeysText)
  const [missing] = missingOf(known, [...configured, ...yield* previousKeys])
  if (missing === undefined) return
  return yield* refuse(`the database needs key ${missing.key}, which is not among those of this environment: call this with the ` +
    "APP_SECRET_KEY and APP_SECRET_KEY_PREVIOUS of the service")
})

/** Refuses to make a new database: a backup needs an existing one. */
const requireDatabase = Effect.gen(function*() {
  const folder = yield* missingDatabase
  if (Option.isNone(folder)) return
  return yield* refuse(`there is no database under ${folder.value}: DATA_DIR names the folder`)
})

/** Writes the generated key into a file of its own, unless the file holds it already. */
const writeKeyTo = Effect.fnUntraced(function*(file: string, text: Option.Option<string>) {
  const fs = yield* FileSystem.FileSystem
  if (Option.isNone(text)) {
    return yield* refuse("the key is APP_SECRET_KEY, which is in no backup: keep that, and leave --key out")
  }
  const before = yield* Effect.option(textFile(fs, file))
  if (Option.isNone(before)) {
    return yield* Effect.mapError(fs.writeFileString(file, text.value, { flag: "wx", mode: 0o600 }), failed(file))
  }
  const idsOf = (keys: string) =>
    Option.match(keysOfText(keys), { onNone: () => "", onSome: (all) => keyIdsOf(all).join() })
  if (idsOf(before.value) !== idsOf(text.value)) {
    return yield* refuse(`${file} is there and holds another key`)
  }
})

const fill = Effect.fnUntraced(function*(archive: ArchiveWriter, keyTo: string | undefined) {
  const path = yield* Path.Path
  const { sessionUrl } = yield* DatabaseServer
  const progress = yield* makeProgress
  const keys = yield* readKeys
  const isKeyWithin = Option.isSome(keys.text) && keyTo === undefined
  if (keyTo !== undefined) yield* writeKeyTo(keyTo, keys.text)
  const bucket = yield* configuredBucket
  const snapshot = yield* openSnapshot(sessionUrl)
  yield* requireKeys(snapshot, keys.configured)
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
    has_key: isKeyWithin,
    has_files: Option.isNone(bucket)
  }
  yield* archive.add(headerName, Buffer.from(yield* Effect.orDie(encodeHeader(header))))
  const { sequences, tables } = yield* dumpDatabase(snapshot, archive, progress)
  if (isKeyWithin) yield* archive.add(keyName, Buffer.from(Option.getOrThrow(keys.text)))
  const folder = path.resolve(yield* databaseSettings.DATA_DIR.read, "files")
  const files = Option.isNone(bucket) ? yield* addFiles(folder, taken_at, archive, progress) : noFiles()
  const manifest = { tables, sequences, files }
  yield* archive.add(manifestName, Buffer.from(yield* Effect.orDie(encodeManifest(manifest))))
  return { header, manifest }
}, Effect.scoped)

/**
 * Writes the database as it is at one moment, its files and a generated key into one new archive, while others go on
 * serving. Answers a description of its content.
 */
export const backup = Effect.fn("Backup.backup")(function*({ destination, keyTo, passphrase }: BackupOptions) {
  yield* requireDatabase
  return yield* Effect.provide(
    writeArchive(destination, (archive) => fill(archive, keyTo), passphrase),
    DatabaseServer.layer
  )
})

const retentionLock = 7_482_130

/** Does it while no other process does so with this installation's database. */
export const alone = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const { sessionUrl } = yield* DatabaseServer
    const { query } = yield* openSession(sessionUrl)
    yield* query(`select pg_advisory_lock(${retentionLock})`)
    return yield* work
  }).pipe(Effect.scoped, Effect.provide(DatabaseServer.layer))

const Applied = Schema.Struct({ applied_at: Schema.String })
const First = Schema.Tuple([Applied])
const decodeFirst = one(Applied)

/** Made of the moment at which the first migration was applied. */
const seriesFrom = (applied_at: string) => createHash("sha256").update(applied_at).digest("hex").slice(0, 8)

const askSeries = "select extract(epoch from applied_at)::text as applied_at from schema_migrations order by id limit 1"

/** The same as `seriesOf`, of the database that is being restored. */
export const seriesHere = SqlClient.SqlClient.use((sql) =>
  Effect.map(sql.unsafe(askSeries).pipe(decodeFirst), ({ applied_at }) => seriesFrom(applied_at))
)

/**
 * Names this installation among others whose backups are in the same place. The name comes from the time of its first
 * migration, which a restored copy has, too.
 */
export const seriesOf = Effect.gen(function*() {
  yield* requireDatabase
  const { sessionUrl } = yield* DatabaseServer
  const { ask } = yield* openSession(sessionUrl)
  const [{ applied_at }] = yield* ask(First, askSeries)
  return seriesFrom(applied_at)
}).pipe(Effect.scoped, Effect.provide(DatabaseServer.layer))
