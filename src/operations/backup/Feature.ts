import { DateTime, Effect, Layer, Option } from "effect"
import type { SqlClient } from "effect/sql"
import type { OverviewPart } from "../../platform/jobs/Overviews.ts"
import { BackupRuns } from "./BackupRuns.ts"
import { BackupWorkerLayer } from "./BackupWorker.ts"
import { ErasureWorkerLayer } from "./ErasureWorker.ts"

const formatted = Option.match({ onNone: () => null, onSome: DateTime.formatIso })

/** The state of the backups that workers make. Without `BACKUP_URL` they make no backup. */
const overview: Effect.Effect<OverviewPart, never, SqlClient.SqlClient> = Effect.map(
  Effect.provide(BackupRuns, BackupRuns.layer),
  (runs) => ({
    name: "backups",
    read: Effect.map(runs.state, ({ began_at, bytes, failures, running, seconds, verified_at }) => ({
      running,
      last: Option.isNone(verified_at)
        ? null
        : { began_at: formatted(began_at), verified_at: formatted(verified_at), bytes, seconds },
      failures
    }))
  })
)

/** Backups that workers make on a schedule. */
export const backups = {
  services: BackupRuns.layer,
  routes: Layer.empty,
  workers: Layer.merge(BackupWorkerLayer, ErasureWorkerLayer),
  overview
}
