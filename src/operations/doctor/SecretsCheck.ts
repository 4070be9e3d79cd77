import { Effect, Option } from "effect"
import { usesEmbeddedPostgres } from "../../platform/sql/DatabaseSettings.ts"
import { sealingSettings } from "../../platform/sql/Sealing.ts"
import { telemetrySettings } from "../telemetry/TelemetrySettings.ts"
import { check, ok } from "./Finding.ts"

const sealing = Effect.gen(function*() {
  if (Option.isSome(yield* sealingSettings.APP_SECRET_KEY.read)) return [ok("APP_SECRET_KEY", "set")]
  // Elsewhere it must be set: that it is not is a fault of the settings, and told of with theirs.
  return (yield* usesEmbeddedPostgres)
    ? [ok("APP_SECRET_KEY", "unset: one is made in DATA_DIR, beside the embedded database")]
    : []
})

const metrics = Effect.map(telemetrySettings.INTERNAL_SECRET.read, (secret) =>
  Option.isSome(secret)
    ? [ok("INTERNAL_SECRET", "set: /internal/metrics asks for it")]
    : [ok("INTERNAL_SECRET", "unset: there is no /internal/metrics")])

/** Which secrets are set. None is shown. */
export const secretsCheck = check("Secrets", Effect.map(Effect.all([sealing, metrics]), (found) => found.flat()))
