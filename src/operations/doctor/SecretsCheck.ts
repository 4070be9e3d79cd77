import { Effect, Option } from "effect"
import { usesEmbeddedPostgres } from "../../platform/sql/DatabaseSettings.ts"
import { sealingSettings } from "../../platform/sql/Sealing.ts"
import { shortSecret } from "../telemetry/InternalSecret.ts"
import { telemetrySettings } from "../telemetry/TelemetrySettings.ts"
import { check, ok, warning } from "./Finding.ts"

const sealing = Effect.gen(function*() {
  if (Option.isSome(yield* sealingSettings.APP_SECRET_KEY.read)) return [ok("APP_SECRET_KEY", "set")]
  // Elsewhere it must be set; if it is not, the check of the settings reports it.
  return (yield* usesEmbeddedPostgres)
    ? [ok("APP_SECRET_KEY", "unset: one is made in DATA_DIR, beside the embedded database")]
    : []
})

const metrics = Effect.gen(function*() {
  const secret = yield* telemetrySettings.INTERNAL_SECRET.read
  if (Option.isNone(secret)) return [ok("INTERNAL_SECRET", "unset: there is no /internal/metrics")]
  return Option.match(yield* shortSecret, {
    onNone: () => [ok("INTERNAL_SECRET", "set: /internal/metrics asks for it")],
    onSome: (fault) => [
      warning("INTERNAL_SECRET", `set, and ${fault}`, "Set the output of: openssl rand -base64 32")
    ]
  })
})

/** The secrets that are set. Their values are not shown. */
export const secretsCheck = check("Secrets", Effect.map(Effect.all([sealing, metrics]), (found) => found.flat()))
