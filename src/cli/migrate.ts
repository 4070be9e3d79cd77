import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect } from "effect"
import { checkAll } from "../Settings.ts"
import { PgLayer } from "../sql/Database.ts"
import { databaseSettings } from "../sql/DatabaseSettings.ts"
import { migrate } from "../sql/Migrations.ts"
import { telemetryLayer } from "../telemetry/Telemetry.ts"
import { telemetrySettings } from "../telemetry/TelemetrySettings.ts"
import { version } from "../version.ts"

const apply = Effect.gen(function*() {
  const applied = yield* migrate()
  const count = applied.length === 1 ? "1 migration" : `${applied.length} migrations`
  yield* Effect.logInfo(
    applied.length === 0 ? "The schema is up to date" : `The schema is up to date: ${count} applied`
  )
}).pipe(Effect.provide([PgLayer, NodeServices.layer]))

/** Applies the migrations that are pending, each named in the log, and nothing else: it needs no other setting. */
export const migrateDatabase = checkAll({ ...databaseSettings, ...telemetrySettings }).pipe(
  Effect.andThen(Effect.provide(apply, telemetryLayer(version)))
)
