import * as NodeServices from "@effect/platform-node/NodeServices"
import { Duration, Effect, Layer, Option } from "effect"
import { repeatedly } from "../../platform/jobs/Repeatedly.ts"
import { PooledRandomLayer } from "../../platform/sql/PooledRandom.ts"
import { seriesOf } from "./Backup.ts"
import { keepErasures } from "./erasures/ErasureKeeper.ts"
import { configuredPassphrase, configuredPlace } from "./place/BackupSettings.ts"

/** How often a worker looks for removals that are not kept yet. */
const pollEvery = Duration.minutes(1)

const onFailure = "Removals were not kept beside the backups: a restore would bring people back"

/** Keeps removals beside the backups that workers make, where `BACKUP_URL` names a place. Any number of processes may run it. */
export const ErasureWorkerLayer = Layer.effectDiscard(Effect.gen(function*() {
  const place = yield* configuredPlace
  if (Option.isNone(place)) return
  const keeping = { place: place.value, passphrase: yield* configuredPassphrase }
  const round = Effect.catch(keepErasures(keeping, seriesOf), (error) => Effect.logError(onFailure, error))
  yield* repeatedly(round, { every: pollEvery, startAfter: pollEvery, onFailure })
})).pipe(Layer.provide([NodeServices.layer, PooledRandomLayer]))
