import { Effect, Option, Redacted } from "effect"
import { createHash, timingSafeEqual } from "node:crypto"
import { telemetrySettings } from "./TelemetrySettings.ts"

const sha256 = (text: string) => createHash("sha256").update(text).digest()

/** The service's own secret, `INTERNAL_SECRET`. */
export interface InternalSecret {
  readonly secret: Redacted.Redacted
  /** Takes as long whatever is presented. */
  isIt(presented: string): boolean
}

/** None where it is not set: then there is nothing for operators. */
export const internalSecret = Effect.map(
  telemetrySettings.INTERNAL_SECRET.read,
  Option.map((secret): InternalSecret => {
    const expected = sha256(Redacted.value(secret))
    return { secret, isIt: (presented) => timingSafeEqual(sha256(presented), expected) }
  })
)
