import { Effect, Option } from "effect"
import { constants } from "node:fs"
import { access, lstat, mkdtemp, rmdir, stat } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import { SettingError } from "../platform/config/Setting.ts"
import { mailSettings } from "../platform/mail/MailSettings.ts"
import { roleSettings } from "../platform/processes/RoleSettings.ts"
import { databaseSettings, usesEmbeddedPostgres } from "../platform/sql/DatabaseSettings.ts"
import { namedKeys } from "../platform/sql/Sealing.ts"
import { configuredBucket } from "../platform/storage/StorageSettings.ts"
import { codeOf } from "../platform/text/Unreadable.ts"
import { backupSettings } from "./backup/place/BackupSettings.ts"

/** The names in `DATA_DIR` that a process of this environment writes. */
const partsWritten = Effect.gen(function*() {
  const isEmbedded = yield* usesEmbeddedPostgres
  const works = (yield* roleSettings.ROLE.read) !== "api"
  const sendsMails = Option.isSome(yield* mailSettings.SMTP_URL.read)
  const hasBucket = Option.isSome(yield* configuredBucket)
  const backsUp = Option.isSome(yield* backupSettings.BACKUP_URL.read)
  return {
    // Once they are there, they are PostgreSQL's, which says of itself what it may not.
    made: [
      ...isEmbedded ? ["postgres"] : [],
      ...isEmbedded && Option.isNone(yield* namedKeys) ? ["app-secret-key"] : []
    ],
    written: [
      ...hasBucket ? [] : ["files"],
      ...works && !sendsMails ? ["mail"] : [],
      ...works && backsUp ? ["verifying"] : []
    ]
  }
})

const isThere = (place: string) => lstat(place).then(() => true, () => false)

/** The folder itself, or the nearest above it that is there. */
const nearest = async (place: string): Promise<string> => {
  if (await isThere(place)) return place
  const above = dirname(place)
  return above === place ? place : nearest(above)
}

const remedies: Readonly<Record<string, string>> = {
  EROFS:
    "the disk is read-only: mount it so that it can be written, or set DATABASE_URL, SMTP_URL and STORAGE_URL, with which nothing is written there",
  EACCES: "give it to the user that runs this, or name another folder",
  EPERM: "give it to the user that runs this and let it be changed, or name another folder"
}

/** Why a folder cannot be written to; undefined if it can. Other code waits for a full disk. */
const faultAt = async (place: string): Promise<string | undefined> => {
  try {
    const found = await stat(place).catch(() => undefined)
    if (found === undefined) return `${place} leads to nothing that is there: name a folder`
    if (!found.isDirectory()) return `${place} is no folder: name another one`
    await access(place, constants.W_OK | constants.X_OK)
    await rmdir(await mkdtemp(join(place, ".turma-probe-")))
    return undefined
  } catch (error) {
    const code = codeOf(error) ?? "it cannot be used"
    if (code === "ENOSPC" || code === "EDQUOT") return undefined
    return `${place} cannot be written to (${code}): ${remedies[code] ?? "name another folder"}`
  }
}

const firstFault = async (places: ReadonlyArray<string>): Promise<string | undefined> => {
  const faults = await Promise.all([...new Set(places)].map(faultAt))
  return faults.find((fault) => fault !== undefined)
}

/**
 * Why this environment cannot use its `DATA_DIR`, in a line that names it and the remedy. `None` if it will do, or if
 * nothing is written there. It leaves nothing behind: a missing folder needs a writable one above it.
 */
export const dataFolderFault = Effect.gen(function*() {
  const folder = resolve(yield* databaseSettings.DATA_DIR.read)
  const { made, written } = yield* partsWritten
  const fault = yield* Effect.promise(async () => {
    const places = written.map((part) => join(folder, part))
    for (const part of made) if (!(await isThere(join(folder, part)))) places.unshift(folder)
    return firstFault(await Promise.all(places.map(nearest)))
  })
  return Option.map(Option.fromUndefinedOr(fault), (why) => `DATA_DIR: ${why}`)
})

/** Fails before anything is written if the service could not write its files in `DATA_DIR`. */
export const checkDataFolder = Effect.flatMap(
  dataFolderFault,
  Option.match({
    onNone: () => Effect.void,
    onSome: (fault) =>
      Effect.fail(new SettingError({ variable: "DATA_DIR", expected: "a folder", example: "/var/lib/turma", fault }))
  })
)
