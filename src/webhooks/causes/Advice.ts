import { DateTime, type Duration, Schema } from "effect"
import { field } from "../../platform/http/Field.ts"
import type { Failure } from "./Cause.ts"

export const WebhookAdvice = Schema.Struct({
  about: Schema.Literals(["gone", "secret_ends"]).pipe(
    field("`gone`: the receiver answers 410. `secret_ends`: a replaced secret still signs, and will not for long")
  ),
  sentence: Schema.String.pipe(
    field(
      "What there is to do, in English",
      "The receiver answers 410: it says that it is gone for good. Delete the endpoint, or set its new URL."
    )
  )
}).annotate({ identifier: "WebhookAdvice", description: "Something about an endpoint that somebody should look at" })
export type WebhookAdvice = typeof WebhookAdvice.Type

/** What is known of an endpoint, as far as there is something to advise. */
interface Known {
  /** The latest, where nothing was accepted since. */
  readonly failure: Failure | null
  /** When the last of the replaced secrets ends; null where there is none. */
  readonly secret_ends_at: DateTime.Utc | null
  readonly secret_overlap: Duration.Duration
  readonly last_success_at: DateTime.Utc | null
}

// A receiver that accepts says nothing of which signature it looked at.
const ofRotation = ({ last_success_at, secret_ends_at, secret_overlap }: Known): ReadonlyArray<WebhookAdvice> => {
  if (secret_ends_at === null) return []
  const rotated = DateTime.subtractDuration(secret_ends_at, secret_overlap)
  const accepted = last_success_at !== null && DateTime.isGreaterThanOrEqualTo(last_success_at, rotated)
  const since = accepted
    ? "What was accepted since then carried both signatures, so it does not show which secret the receiver has"
    : "Nothing was accepted since it was replaced"
  const sentence =
    `A secret that was replaced signs until ${DateTime.formatIso(secret_ends_at)}, and the newest alone ` +
    `from then on. ${since}: look whether the receiver has the newest.`
  return [{ about: "secret_ends", sentence }]
}

/** What somebody should look at, although nothing may have failed yet. */
export const adviceOf = (known: Known): ReadonlyArray<WebhookAdvice> => [
  ...(known.failure?.status_code === 410
    ? [{
      about: "gone" as const,
      sentence: "The receiver answers 410: it says that it is gone for good. Delete the endpoint, or set its new URL."
    }]
    : []),
  ...ofRotation(known)
]
