import { Effect, Option, Redacted } from "effect"
import { usesEmbeddedPostgres } from "../../platform/sql/DatabaseSettings.ts"
import { sealingSettings } from "../../platform/sql/Sealing.ts"
import { telemetrySettings } from "../telemetry/TelemetrySettings.ts"
import { check, ok, warning } from "./Finding.ts"

const sealing = Effect.gen(function*() {
  if (Option.isSome(yield* sealingSettings.APP_SECRET_KEY.read)) return [ok("APP_SECRET_KEY", "set")]
  // Elsewhere it must be set: that it is not is a fault of the settings, and told of with theirs.
  return (yield* usesEmbeddedPostgres)
    ? [ok("APP_SECRET_KEY", "unset: one is made in DATA_DIR, beside the embedded database")]
    : []
})

/** Characters from which on nobody finds a secret by guessing, if it is random. */
const longEnough = 16

const metrics = Effect.map(telemetrySettings.INTERNAL_SECRET.read, (secret) => {
  if (Option.isNone(secret)) return [ok("INTERNAL_SECRET", "unset: there is no /internal/metrics")]
  return Redacted.value(secret.value).length < longEnough
    ? [
      warning(
        "INTERNAL_SECRET",
        `set, and shorter than ${longEnough} characters: it may be guessed`,
        "Set the output of: openssl rand -base64 32"
      )
    ]
    : [ok("INTERNAL_SECRET", "set: /internal/metrics asks for it")]
})

/** Which secrets are set. None is shown. */
export const secretsCheck = check("Secrets", Effect.map(Effect.all([sealing, metrics]), (found) => found.flat()))
