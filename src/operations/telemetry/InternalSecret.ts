import { Effect, Option, Redacted } from "effect"
import { isSameSecret } from "../../platform/text/SameSecret.ts"
import { telemetrySettings } from "./TelemetrySettings.ts"

/** The service's own secret, `INTERNAL_SECRET`. */
export interface InternalSecret {
  readonly secret: Redacted.Redacted
  /** Takes as long whatever is presented. Doors ask `SecretGuesses`, which counts. */
  isIt(presented: string): boolean
}

/** Characters of a random secret that nobody finds by guessing. */
const longEnough = 24

/** The fault of a secret that may be guessed; `None` if it is long enough. */
export const shortSecret = Effect.map(
  telemetrySettings.INTERNAL_SECRET.read,
  Option.flatMap((secret) =>
    Redacted.value(secret).length < longEnough
      ? Option.some(`shorter than ${longEnough} characters: it may be guessed`)
      : Option.none()
  )
)

/** `None` if it is not set: then operators have no routes. */
export const internalSecret = Effect.map(
  telemetrySettings.INTERNAL_SECRET.read,
  Option.map((secret): InternalSecret => ({
    secret,
    isIt: (presented) => isSameSecret(presented, Redacted.value(secret))
  }))
)
