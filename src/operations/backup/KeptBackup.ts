import { DateTime, Duration, Effect, type Redacted } from "effect"
import { alone, backup, seriesOf } from "./Backup.ts"
import { deleteOldErasures } from "./erasures/ErasureFiles.ts"
import { backupName, surplus } from "./place/BackupName.ts"
import type { Place } from "./place/Place.ts"
import { verify } from "./Verification.ts"

/** The settings of a backup among others. */
export interface KeptBackupOptions {
  readonly place: Place
  readonly passphrase?: Redacted.Redacted | undefined
  /** The file that gets the generated key, which then is not in the archive. */
  readonly keyTo?: string | undefined
}

/** Makes a backup under a name of its own. */
export const makeKept = Effect.fn("KeptBackup.make")(function*({ keyTo, passphrase, place }: KeptBackupOptions) {
  const began_at = yield* DateTime.now
  const series = yield* seriesOf
  yield* place.sweep(series)
  const name = backupName(series, began_at)
  const made = yield* backup({ destination: place.destination(name), passphrase, keyTo })
  const bytes = (yield* place.list).find((stored) => stored.name === name)?.bytes ?? 0
  return { ...made, name, series, began_at, bytes, took: DateTime.distance(began_at, yield* DateTime.now) }
})
export type KeptBackup = Effect.Success<ReturnType<typeof makeKept>>
type Made = Pick<KeptBackup, "header" | "manifest" | "name">

/** Restores the new backup into a database of its own, compares, and records that it is good. */
export const verifyKept = ({ passphrase, place }: KeptBackupOptions, { header, manifest, name }: Made) =>
  Effect.tap(
    verify({ source: place.source(name), passphrase, made: { header, manifest } }),
    () => place.confirm(name)
  )

/**
 * Deletes older backups of this installation, so that the last `keep` that are good stay; answers their names. One run
 * after another: two that end at once would each take the other's for one too many.
 */
export const deleteOlder = Effect.fn("KeptBackup.deleteOlder")(
  function*(place: Place, { name, series }: Pick<KeptBackup, "name" | "series">, keep: number) {
    const stored = yield* place.list
    // It is not there under its name: then nothing older goes, either.
    const old = stored.some((each) => each.name === name) ? surplus(stored, { keep, made: name, series }) : []
    yield* Effect.forEach(old, place.remove, { discard: true })
    yield* deleteOldErasures(place, series)
    return old
  },
  alone
)

/** How long something took, for the log. */
export const secondsOf = (took: Duration.Duration) => Math.round(Duration.toMillis(took) / 100) / 10
