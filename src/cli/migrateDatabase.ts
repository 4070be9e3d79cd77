import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect } from "effect"
import { telemetryLayer } from "../operations/telemetry/Telemetry.ts"
import { telemetrySettings } from "../operations/telemetry/TelemetrySettings.ts"
import { migrateHere, PgLayer } from "../platform/sql/Database.ts"
import { databaseSettings } from "../platform/sql/DatabaseSettings.ts"
import { version } from "../platform/version.ts"
import { checkAll } from "./settings/Settings.ts"

const apply = Effect.gen(function*() {
  const applied = yield* migrateHere()
  const count = applied.length === 1 ? "1 migration" : `${applied.length} migrations`
  yield* Effect
    .logInfo(applied.length === 0 ? "The schema is up to date" : `The schema is up to date: ${count} applied`)
}).pipe(Effect.provide([PgLayer, NodeServices.layer]))

/** Applies the migrations that are pending, each named in the log, and nothing else: it needs no other setting. */
export const migrateDatabase = checkAll({ ...databaseSettings, ...telemetrySettings })
  .pipe(Effect.andThen(Effect.provide(apply, telemetryLayer(version))))
