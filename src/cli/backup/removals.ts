import { DateTime, Effect, Option } from "effect"
import { refuse } from "../../operations/backup/archive/BackupError.ts"
import { seriesOf } from "../../operations/backup/Backup.ts"
import { readErasures } from "../../operations/backup/erasures/ErasureFiles.ts"
import { saveErasures } from "../../operations/backup/erasures/ErasureKeeper.ts"
import { storeErasures } from "../../operations/backup/erasures/RestoredErasures.ts"
import { configuredPassphrase } from "../../operations/backup/place/BackupSettings.ts"
import { check, EnvironmentLayer, placeOf, QuietDatabaseLayer, removedAgain, sayAll } from "./commands.ts"

/** Where removals are kept. */
interface Where {
  readonly where: string | undefined
  /** Takes lists that are not sealed though there is a passphrase. */
  readonly takesUnsealed: boolean
}

/** The folder that is named, or the place of the settings. */
const folderOf = Effect.fnUntraced(function*(where: string | undefined) {
  const place = yield* placeOf(where, "folder")
  return Option.isSome(place) ? place.value : yield* refuse(`${where} is no folder`)
})

/** Writes beside the backups which people were removed since. */
export const keepRemovals = (where: string | undefined) =>
  Effect.gen(function*() {
    yield* check
    const place = yield* folderOf(where)
    const series = yield* seriesOf
    const count = yield* Effect.provide(
      saveErasures({ place, passphrase: yield* configuredPassphrase }, series),
      QuietDatabaseLayer
    )
    yield* sayAll([
      count === 0
        ? `Nobody was removed since the backups in ${place.name}`
        : `${place.name} says of ${count} people that they were removed, by ids alone`
    ])
  }).pipe(Effect.scoped, Effect.provide(EnvironmentLayer))

/** Has the next start remove the same people again, as after a database was reset to an earlier moment. */
export const removeAgain = ({ takesUnsealed, where }: Where) =>
  Effect.gen(function*() {
    yield* check
    const place = yield* folderOf(where)
    const people = yield* readErasures(place, yield* seriesOf, DateTime.toUtc(DateTime.makeUnsafe(0)), {
      passphrase: yield* configuredPassphrase,
      takesUnsealed
    })
    const count = yield* Effect.provide(storeErasures(people), QuietDatabaseLayer)
    yield* sayAll(count === 0 ? ["Nobody has come back"] : removedAgain(count))
  }).pipe(Effect.scoped, Effect.provide(EnvironmentLayer))
