import { DateTime, Duration, Effect, FileSystem, Option, Path, type Redacted, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { hostname } from "node:os"
import { texts } from "../../platform/sql/Arrays.ts"
import { databaseSettings } from "../../platform/sql/DatabaseSettings.ts"
import { embeddedPostgres } from "../../platform/sql/EmbeddedPostgres.ts"
import { firstLine } from "../../platform/sql/Migrations.ts"
import { one, rows } from "../../platform/sql/Rows.ts"
import {
  keyFile,
  keysOfSetting,
  keysOfText,
  previousKeys,
  Sealing,
  sealingSettings
} from "../../platform/sql/Sealing.ts"
import { startLock } from "../../platform/sql/StartLock.ts"
import { textFile } from "../../platform/text/TextFile.ts"
import { decodeUtf8, utf8Option } from "../../platform/text/Utf8.ts"
import { bindingOfSecret, EndpointId } from "../../webhooks/model/EndpointId.ts"
import { type ArchiveReader, openArchive } from "./archive/ArchiveReader.ts"
import { failed, refuse } from "./archive/BackupError.ts"
import type { Source } from "./archive/Ends.ts"
import { cleanUpIfWeDie } from "./CleanUp.ts"
import { quoted } from "./DatabaseCatalog.ts"
import { openLoad } from "./DatabaseLoad.ts"
import { readFiles } from "./FileParts.ts"
import { databasePrefix, filesPrefix, Header, keyName, Manifest, manifestName } from "./Manifest.ts"
import { clientFor, decode, readHeader } from "./Restore.ts"
import { removeStaging } from "./Target.ts"

/** In `DATA_DIR`: a folder for each verification that is under way. */
const verifyingFolder = "verifying"

const Rows = Schema.fromJsonString(Schema.Array(Schema.String))
const decodeSum = one(Schema.Struct({ sum: Schema.String }))
const decodeTable = one(Schema.Struct({ rows: Schema.Int, sum: Schema.String }))
const decodeSecrets = rows(Schema.Struct({ id: EndpointId, secret: Schema.Uint8Array }))

/** The age from which a folder of another machine counts as a dead run's. */
const leftFor = Duration.days(1)

/** Names of folders begin with the machine's, and end with an id of this length. */
const ownHost = `${hostname()}-`
const idLength = 36

/**
 * True if a verification goes on in a folder. On Linux, those of this machine hold a lock that ends with their process; of
 * others only the age tells.
 */
const isLeft = Effect.fnUntraced(function*(folder: string, name: string) {
  const fs = yield* FileSystem.FileSystem
  if (process.platform === "linux" && name.slice(0, -idLength) === ownHost) {
    return yield* Effect.scoped(Effect.match(startLock(folder), { onSuccess: () => true, onFailure: () => false }))
  }
  const oldest = DateTime.subtractDuration(yield* DateTime.now, leftFor)
  const mtime = Option.flatMap(yield* Effect.option(fs.stat(folder)), (info) => info.mtime)
  return Option.exists(mtime, (at) => at.getTime() <= DateTime.toEpochMillis(oldest))
})

/** A folder that is deleted afterwards, also if this process is killed. Old folders of other runs are deleted, too. */
const openFolder = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const random = yield* SecureRandom.SecureRandom
  const parent = path.resolve(yield* databaseSettings.DATA_DIR.read, verifyingFolder)
  const preparing = failed(`${parent} cannot be verified in`)
  yield* Effect.mapError(fs.makeDirectory(parent, { recursive: true, mode: 0o700 }), preparing)
  for (const name of yield* Effect.mapError(fs.readDirectory(parent), preparing)) {
    const folder = path.join(parent, name)
    // A server that still runs there ends by itself once its folder is deleted.
    if (yield* isLeft(folder, name)) yield* removeStaging(folder)
  }
  const folder = path.join(parent, `${ownHost}${yield* Effect.orDie(random.uuidV4())}`)
  yield* Effect.mapError(startLock(folder), ({ why }) => preparing(why))
  // The watcher starts before there is anything to clean up: this process may die at any time.
  yield* cleanUpIfWeDie(folder)
  yield* Effect.acquireRelease(
    Effect.mapError(fs.makeDirectory(folder, { mode: 0o700 }), preparing),
    () => removeStaging(folder)
  )
  return folder
})

/** Sums of hashes of rows as text: the same for the same rows in any order. */
const makeSums = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const archived = new Map<string, { rows: number; sum: bigint }>()
  const add = Effect.fnUntraced(function*(table: string, bytes: Uint8Array) {
    const lines = yield* Effect.mapError(
      Effect.flatMap(decodeUtf8(bytes), Schema.decodeUnknownEffect(Rows)),
      () => refuse(`the rows of ${table} are damaged`)
    )
    const { sum } = yield* sql`
      select coalesce(sum(hashtextextended(line, 0)), 0)::text as sum from unnest(${texts(lines)}) as line`
      .pipe(decodeSum)
    const before = archived.get(table) ?? { rows: 0, sum: 0n }
    archived.set(table, { rows: before.rows + lines.length, sum: before.sum + BigInt(sum) })
  })
  /** Reads the table and compares it with what the archive has of it. */
  const compare = Effect.fnUntraced(function*(table: string) {
    const is = yield* sql
      .unsafe(`select count(*)::int as rows, coalesce(sum(hashtextextended(t::text, 0)), 0)::text as sum from ${
        quoted(table)
      } t`).pipe(decodeTable)
    const was = archived.get(table) ?? { rows: 0, sum: 0n }
    if (is.rows !== was.rows || BigInt(is.sum) !== was.sum) {
      return yield* refuse(`the rows of ${table} are others once they are restored`)
    }
  })
  return { add, compare }
})

/** The keys that we have: the archive's own, those of the settings, and the generated ones that are here. */
const knownKeys = Effect.fnUntraced(function*(archived: string | undefined) {
  const fs = yield* FileSystem.FileSystem
  const generated = yield* Effect.option(textFile(fs, yield* keyFile))
  const kept = [...archived === undefined ? [] : [archived], ...Option.toArray(generated)].map(keysOfText)
  const named = yield* keysOfSetting(sealingSettings.APP_SECRET_KEY)
  return [...[...kept, named].flatMap(Option.getOrElse(() => [])), ...yield* previousKeys]
})

/** Opens secrets of endpoints. One secret that opens shows that the key is right. Answers how many there were. */
const openSecrets = Effect.fnUntraced(function*(archived: string | undefined) {
  const sql = yield* SqlClient.SqlClient
  const [first, ...others] = yield* knownKeys(archived)
  if (first === undefined) {
    return yield* refuse("there is no key that opens what is sealed in it: set APP_SECRET_KEY to the one that its installation has")
  }
  const secrets = yield* sql`
    select id, secret from webhook_endpoints where deleted_at is null order by club_id, id limit 3`.pipe(decodeSecrets)
  const open = Effect.gen(function*() {
    const sealing = yield* Sealing
    yield* Effect.forEach(secrets, ({ id, secret }) => sealing.open(secret, bindingOfSecret(id)), { discard: true })
  })
  yield* open.pipe(
    Effect.provide(Sealing.layerKeys(first, ...others)),
    Effect.catchTag("SealBroken", () => Effect.fail(refuse("the key does not open what is sealed in it")))
  )
  return secrets.length
})

const take = Effect.fnUntraced(function*(archive: ArchiveReader, header: Header) {
  const load = yield* openLoad(header)
  const sums = yield* makeSums
  const files = readFiles()
  let manifest: Manifest | undefined
  let key: string | undefined
  for (let entry = yield* archive.next; entry !== undefined; entry = yield* archive.next) {
    const { name } = entry
    const table = name.startsWith(databasePrefix) ? name.slice(databasePrefix.length).split("/", 1)[0] : undefined
    if (table !== undefined) {
      const bytes = yield* entry.bytes
      yield* load.load(table, bytes)
      yield* sums.add(table, bytes)
    } else if (name.startsWith(filesPrefix)) yield* files.take(entry)
    else if (name === keyName) key = Option.getOrUndefined(utf8Option(yield* entry.bytes))
    else if (name === manifestName) manifest = yield* decode(Schema.fromJsonString(Manifest), entry)
  }
  yield* archive.end
  if (manifest === undefined || (header.has_key && key === undefined)) return yield* refuse("the backup is not whole")
  yield* load.finish(manifest)
  yield* files.finish(manifest.files)
  yield* Effect.forEach(header.tables, ({ name }) => sums.compare(name), { discard: true })
  return { manifest, secrets: yield* openSecrets(key) }
})

/** A database that may be lost, beside others that may not: it asks little of the machine. */
const settings = {
  fsync: "off",
  full_page_writes: "off",
  synchronous_commit: "off",
  autovacuum: "off",
  shared_buffers: "32MB"
}

/** The source of a verification, and its keys. */
export interface VerifyOptions {
  readonly source: Source
  readonly passphrase?: Redacted.Redacted | undefined
  /** Takes an archive that is not sealed though there is a passphrase. */
  readonly takesUnsealed?: boolean
  /**
   * The header and manifest of a new backup, which the archive must match: another archive may have come in its place.
   */
  readonly made?: { readonly header: Header; readonly manifest: Manifest }
}

const isSameHeader = Schema.toEquivalence(Header)
const isSameManifest = Schema.toEquivalence(Manifest)

/**
 * Restores a backup into a database of its own, which is deleted afterwards, and compares the results. It compares rows
 * and their checksums table by table, references, and files and their checksums. It also checks whether the key opens
 * the sealed values.
 */
export const verify = Effect.fn("Verification.verify")(function*({ made, source, ...opening }: VerifyOptions) {
  const path = yield* Path.Path
  const began = yield* DateTime.now
  const archive = yield* openArchive(source, opening)
  const header = yield* readHeader(archive)
  const isOther = refuse("it is another one than the one that was made")
  if (made !== undefined && !isSameHeader(made.header, header)) return yield* isOther
  const folder = yield* openFolder
  const url = yield* Effect.mapError(
    embeddedPostgres({ directory: path.join(folder, "postgres"), settings }),
    ({ message }) => refuse(message)
  )
  const restored = Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    return yield* sql.withTransaction(take(archive, header))
  })
  const found = yield* restored.pipe(
    Effect.provide(clientFor(url)),
    Effect.catchTag("SqlError", ({ reason }) => Effect.fail(failed("It could not be restored")(firstLine(reason))))
  )
  if (made !== undefined && !isSameManifest(made.manifest, found.manifest)) return yield* isOther
  return { header, ...found, took: DateTime.distance(began, yield* DateTime.now) }
}, Effect.scoped)
