import * as NodeServices from "@effect/platform-node/NodeServices"
import { Console, type DateTime, Effect, FileSystem, Layer, Logger, Option, Path } from "effect"
import { SecureRandom } from "effect/crypto"
import { refuse } from "../../operations/backup/archive/BackupError.ts"
import { backup } from "../../operations/backup/Backup.ts"
import { readErasures } from "../../operations/backup/erasures/ErasureFiles.ts"
import { saveErasures } from "../../operations/backup/erasures/ErasureKeeper.ts"
import { deleteOlder, makeKept, secondsOf, verifyKept } from "../../operations/backup/KeptBackup.ts"
import type { Header, Manifest } from "../../operations/backup/Manifest.ts"
import { isBackupName } from "../../operations/backup/place/BackupName.ts"
import {
  backupSettings,
  configuredPassphrase,
  configuredPlace,
  isAddress
} from "../../operations/backup/place/BackupSettings.ts"
import { fileDestination, fileSource, folderPlace } from "../../operations/backup/place/FolderPlace.ts"
import type { Place } from "../../operations/backup/place/Place.ts"
import { restore } from "../../operations/backup/Restore.ts"
import { verify } from "../../operations/backup/Verification.ts"
import { telemetryLayer } from "../../operations/telemetry/Telemetry.ts"
import { telemetrySettings } from "../../operations/telemetry/TelemetrySettings.ts"
import { DatabaseLayer } from "../../platform/sql/Database.ts"
import { databaseSettings, usesEmbeddedPostgres } from "../../platform/sql/DatabaseSettings.ts"
import { sealingSettings } from "../../platform/sql/Sealing.ts"
import { storageSettings } from "../../platform/storage/StorageSettings.ts"
import { version } from "../../platform/version.ts"
import { checkAll } from "../settings/Settings.ts"

/** Fails with every variable that these commands read and cannot. */
export const check = checkAll({
  ...databaseSettings,
  ...sealingSettings,
  ...storageSettings,
  ...backupSettings,
  ...telemetrySettings
})

/** What they stand on. */
export const EnvironmentLayer = Layer.mergeAll(NodeServices.layer, SecureRandom.layerWebCrypto, telemetryLayer(version))

const contentOf = ({ files, tables }: Manifest) => {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  return `${rows} rows of ${tables.length} tables, ${files.count} files of ${files.bytes} bytes`
}

const whereFiles = ({ has_files }: Header) =>
  has_files ? [] : ["The files are in a bucket and not in it: keep that, too"]

/**
 * The people who can open the backup, and the keys that they need. The line is printed for every backup, since nobody
 * looks it up on a good day.
 */
const whoOpens = ({ has_key }: Header, isSealed: boolean, keyTo: string | undefined) => {
  const key = has_key
    ? isSealed ? [] : ["It holds the key that opens what is sealed: who has the file has everything"]
    : keyTo === undefined
    ? ["It does not hold APP_SECRET_KEY, without which what is sealed does not open: keep that elsewhere"]
    : [`It does not hold the key, which is in ${keyTo}: keep that elsewhere, since nothing sealed opens without it`]
  return isSealed ? [...key, "It is sealed: without BACKUP_PASSPHRASE nobody can read it, you neither"] : key
}

/** To the embedded database, an old backup looks like a clock that has jumped. */
const afterJump =
  "If that is more than a day ago, start it and say `npx turma clock confirm`: until then nothing expires"

/** The database of the service, whose log is not what a command says. */
export const QuietDatabaseLayer = DatabaseLayer.pipe(Layer.provide(Logger.layer([])))

/** Says a line after the other. */
export const sayAll = (lines: ReadonlyArray<string>) =>
  Effect.forEach(lines, (line) => Console.log(line), { discard: true })

const refuseBucket = (text: string) =>
  isAddress(text)
    ? Effect.fail(refuse("a bucket is named by BACKUP_URL: who else is on the machine sees what commands are given"))
    : Effect.void

/** The kind of a name that does not exist yet. */
type IfNew = "file" | "folder"

const isFolder = Effect.fnUntraced(function*(text: string, ifNew: IfNew) {
  const fs = yield* FileSystem.FileSystem
  return Option.match(yield* Effect.option(fs.stat(text)), {
    onNone: () => ifNew === "folder",
    onSome: ({ type }) => type === "Directory"
  })
})

/** The named folder, or the place of the settings; `None` if the name is a file's. */
export const placeOf = Effect.fnUntraced(function*(text: string | undefined, ifNew: IfNew = "file") {
  if (text !== undefined) {
    yield* refuseBucket(text)
    return (yield* isFolder(text, ifNew)) ? Option.some(yield* folderPlace(text)) : Option.none()
  }
  const place = yield* configuredPlace
  return Option.isSome(place)
    ? place
    : yield* refuse("name a file or a folder, or set BACKUP_URL to a folder or bucket")
})

/** The file that is named, or the one of this name in the place of the settings; and what remembers that it is good. */
const sourceOf = Effect.fnUntraced(function*(from: string) {
  yield* refuseBucket(from)
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const name = path.basename(from)
  const isHere = yield* Effect.orElseSucceed(fs.exists(from), () => false)
  const place = isHere && isBackupName(name)
    ? Option.some(yield* folderPlace(path.dirname(from)))
    : isBackupName(from) && !isHere
    ? yield* configuredPlace
    : Option.none()
  return Option.match(place, {
    onNone: () => ({ source: fileSource(from), confirm: Effect.void }),
    onSome: (place) => ({
      source: isHere ? fileSource(from) : place.source(name),
      confirm: place.confirm(name)
    })
  })
})

const sayVerified = ({ secrets, took }: Effect.Success<ReturnType<typeof verify>>) =>
  sayAll([
    `It is good: restored within ${secondsOf(took)} seconds, and everything is the same` +
    (secrets > 0 ? "; the key opens what is sealed" : "; nothing is sealed that a key could be tried on")
  ])

/** The options of `turma backup`. */
interface Wanted {
  readonly to: string | undefined
  readonly keyTo: string | undefined
  readonly keep: number | undefined
  readonly verify: boolean
}

const makeFile = Effect.fnUntraced(function*(file: string, { keep, keyTo, verify: isVerified }: Wanted) {
  if (keep !== undefined) return yield* refuse(`--keep is for a folder or bucket, and ${file} is a file`)
  const passphrase = yield* configuredPassphrase
  const made = yield* backup({ destination: yield* fileDestination(file), passphrase, keyTo })
  const check = isVerified
    ? Effect.asSome(verify({ source: fileSource(file), passphrase, made }))
    : Effect.succeedNone
  return { ...made, name: file, check, older: Effect.succeed([]) }
})

const makeAmong = Effect.fnUntraced(function*(
  place: Effect.Success<ReturnType<typeof folderPlace>>,
  { keep, keyTo, verify }: Wanted
) {
  const options = { place, passphrase: yield* configuredPassphrase, keyTo }
  const made = yield* makeKept(options)
  const check = verify || keep !== undefined
    ? Effect.asSome(verifyKept(options, made))
    : Effect.succeedNone
  // Older backups in the same place still hold people who were removed since.
  yield* Effect.provide(saveErasures(options, made.series), QuietDatabaseLayer)
  const older = keep === undefined ? Effect.succeed([]) : deleteOlder(place, made, keep)
  return { ...made, name: `${place.name}/${made.name}`, check, older }
})

/** A single file cannot be among others, and a name that ends with a slash is a folder's. */
const ifNewOf = ({ keep, to }: Wanted): IfNew => keep !== undefined || to?.endsWith("/") ? "folder" : "file"

/** Makes a backup and says what is in it, and what is not; then verifies it and deletes older ones, as is wanted. */
export const makeBackup = (wanted: Wanted) =>
  Effect.gen(function*() {
    yield* check
    const place = yield* placeOf(wanted.to, ifNewOf(wanted))
    const { check: verified, header, manifest, name, older } = Option.isSome(place)
      ? yield* makeAmong(place.value, wanted)
      : yield* makeFile(wanted.to ?? "", wanted)
    const isSealed = (yield* configuredPassphrase) !== undefined
    yield* sayAll([
      `${name} holds the installation as of ${header.taken_at}: ${contentOf(manifest)}`,
      ...whoOpens(header, isSealed, wanted.keyTo),
      ...whereFiles(header)
    ])
    const outcome = yield* Effect.mapError(
      verified,
      ({ message }) => refuse(`${name} is not good: ${message}. It stays, and so do older ones`)
    )
    if (Option.isSome(outcome)) yield* sayVerified(outcome.value)
    yield* sayAll((yield* older).map((old) => `Deleted: ${old}`))
  }).pipe(Effect.scoped, Effect.provide(EnvironmentLayer))

/** Which backup is read. */
interface Read {
  readonly from: string
  /** Takes one that is not sealed though there is a passphrase. */
  readonly takesUnsealed: boolean
}

/** Where it is known who was removed after a backup: beside its file, and where the service keeps backups. */
const placesOfErasures = Effect.fnUntraced(function*(from: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const isHere = yield* Effect.orElseSucceed(fs.exists(from), () => false)
  const beside = isHere ? [yield* folderPlace(path.dirname(from))] : []
  const places: ReadonlyArray<Place> = [...beside, ...Option.toArray(yield* configuredPlace)]
  return places.filter(({ name }, index) => places.findIndex((place) => place.name === name) === index)
})

const wayOut = "--without-erasures restores without it, and brings back who was removed since"

/** The removals that the lists of all these places have. A list that cannot be read ends a restore. */
const removedSince = (places: ReadonlyArray<Place>, opening: Parameters<typeof readErasures>[3]) =>
  Effect.fnUntraced(function*(series: string, since: DateTime.Utc) {
    const found = yield* Effect.forEach(places, (place) => readErasures(place, series, since, opening))
    return found.flat()
  }, Effect.mapError(({ message }) => refuse(`who was removed after the backup is not known: ${message}. ${wayOut}`)))

/** The line about people that the next start removes again; empty without such people. */
export const removedAgain = (count: number) =>
  count === 0
    ? []
    : [`People who were removed since: ${count}. The next start removes them again, before it serves`]

/** Which backup is restored, and how. */
interface Restored extends Read {
  readonly keyFrom: string | undefined
  /** Leaves out the lists of removals: people who were removed since come back. */
  readonly withoutErasures: boolean
}

/** Restores a backup and says what was in it. */
export const restoreFrom = ({ from, keyFrom, takesUnsealed, withoutErasures }: Restored) =>
  Effect.gen(function*() {
    yield* check
    const { source } = yield* sourceOf(from)
    const passphrase = yield* configuredPassphrase
    const erasures = withoutErasures
      ? {}
      : { removedSince: removedSince(yield* placesOfErasures(from), { passphrase, takesUnsealed }) }
    const { header, manifest, removed } = yield* restore({ source, passphrase, takesUnsealed, keyFrom, ...erasures })
    const isEmbedded = yield* usesEmbeddedPostgres
    yield* sayAll([
      `The installation is as of ${header.taken_at}: ${contentOf(manifest)}`,
      ...removedAgain(removed),
      ...whereFiles(header),
      ...isEmbedded ? [afterJump] : []
    ])
  }).pipe(Effect.scoped, Effect.provide(EnvironmentLayer))

/** Lists the backups of a folder, or of the place of the settings. */
export const listBackups = (where: string | undefined) =>
  Effect.gen(function*() {
    yield* check
    const place = yield* placeOf(where)
    if (Option.isNone(place)) return yield* refuse(`${where} is no folder`)
    const found = yield* place.value.list
    yield* sayAll(found.map(({ bytes, isVerified, name }) => `${name}  ${bytes}${isVerified ? "" : "  not verified"}`))
  }).pipe(Effect.scoped, Effect.provide(EnvironmentLayer))

/** Restores a backup into a database of its own, compares, and says what came of it. */
export const verifyBackup = ({ from, takesUnsealed }: Read) =>
  Effect.gen(function*() {
    yield* check
    const { confirm, source } = yield* sourceOf(from)
    const found = yield* Effect.mapError(
      verify({ source, passphrase: yield* configuredPassphrase, takesUnsealed }),
      ({ message }) => refuse(`${source.name} is not good: ${message}`)
    )
    yield* sayAll([`${source.name} is the installation as of ${found.header.taken_at}: ${contentOf(found.manifest)}`])
    yield* sayVerified(found)
    yield* confirm
  }).pipe(Effect.scoped, Effect.provide(EnvironmentLayer))
