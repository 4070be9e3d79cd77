import { DateTime, Duration, Schema } from "effect"
import { field } from "../../../platform/http/Field.ts"
import type { Failure } from "./FailureWords.ts"

export const WebhookAdvice = Schema.Struct({
  about: Schema.Literals(["secrets_unreadable", "gone", "certificate_ends", "secret_ends"]).pipe(
    field(
      "`secrets_unreadable`: its secrets do not open with the keys of the service, so nothing is sent. `gone`: the receiver answers 410. `certificate_ends`: its certificate ends within 14 days, or has. `secret_ends`: a replaced secret still signs, and will not for long"
    )
  ),
  sentence: Schema.String.pipe(
    field(
      "The next step, in English",
      "The receiver answers 410: it says that it is gone for good. Delete the endpoint, or set its new URL."
    )
  )
}).annotate({ identifier: "WebhookAdvice", description: "Something about an endpoint that somebody should look at" })
export type WebhookAdvice = typeof WebhookAdvice.Type

/** What is known of an endpoint, as far as there is something to advise. */
interface Known {
  readonly now: DateTime.Utc
  /** Whether all that a delivery opens of the endpoint does open. */
  readonly opens: boolean
  /** The latest, where nothing was accepted since. */
  readonly failure: Failure | null
  /** When the certificate ends that the receiver showed last; null where none is known. */
  readonly certificate_ends_at: DateTime.Utc | null
  /** When the last of the replaced secrets ends; null where there is none. */
  readonly secret_ends_at: DateTime.Utc | null
  /** Whether a grading has shown that the receiver has the newest secret; null where none has since it is the newest. */
  readonly newest_proved: boolean | null
  readonly secret_overlap: Duration.Duration
  readonly last_success_at: DateTime.Utc | null
}

/** How long before its end a certificate is spoken of. */
const certificateWarning = Duration.days(14)

const inDays = (left: Duration.Duration): string => {
  const days = Math.floor(Duration.toDays(left))
  return days < 1 ? "in less than a day" : days === 1 ? "in 1 day" : `in ${days} days`
}

// It is as old as the last full handshake, so one that has ended may have been renewed since.
const ofCertificate = ({ certificate_ends_at: ends, now }: Known): ReadonlyArray<WebhookAdvice> => {
  if (ends === null || DateTime.isGreaterThan(ends, DateTime.addDuration(now, certificateWarning))) return []
  const on = DateTime.formatIsoDateUtc(ends)
  const what = DateTime.isGreaterThan(ends, now)
    ? `The receiver's certificate ends on ${on}, ${inDays(DateTime.distance(now, ends))}`
    : `The certificate that the receiver showed last ended on ${on}`
  return [{
    about: "certificate_ends",
    sentence: `${what}: renew it, and look that the receiver loads the new one. Without it nothing is delivered.`
  }]
}

/** What a rotation has shown so far: by a grading, else by what was accepted. */
export type Proof = "proved" | "lacking" | "accepted" | "nothing"

/** What is known of a receiver since its secret was replaced. */
export const proofOf = (
  { last_success_at, newest_proved }: Pick<Known, "last_success_at" | "newest_proved">,
  rotated: DateTime.Utc
): Proof => {
  if (newest_proved !== null) return newest_proved ? "proved" : "lacking"
  return last_success_at !== null && DateTime.isGreaterThanOrEqualTo(last_success_at, rotated) ? "accepted" : "nothing"
}

// A receiver that accepts says nothing of which signature it looked at: a grading asks by the newest alone.
const proofs: Readonly<Record<Proof, string>> = {
  proved: "A grading has shown that the receiver has the newest",
  lacking: "A grading has shown that the receiver refuses the newest: give it the new secret",
  accepted:
    "What was accepted since then carried both signatures, so it does not show which secret the receiver has: " +
    "look whether it is the newest, or have the receiver graded",
  nothing: "Nothing was accepted since it was replaced: look whether the receiver has the newest, or have it graded"
}

const ofRotation = (known: Known): ReadonlyArray<WebhookAdvice> => {
  const { secret_ends_at, secret_overlap } = known
  if (secret_ends_at === null) return []
  const proof = proofOf(known, DateTime.subtractDuration(secret_ends_at, secret_overlap))
  const sentence =
    `A secret that was replaced signs until ${DateTime.formatIso(secret_ends_at)}, and the newest alone ` +
    `from then on. ${proofs[proof]}.`
  return [{ about: "secret_ends", sentence }]
}

/** What somebody should look at, although nothing may have failed yet. */
export const adviceOf = (known: Known): ReadonlyArray<WebhookAdvice> => [
  ...(known.opens ? [] : [{
    about: "secrets_unreadable" as const,
    sentence:
      "The endpoint's secrets do not open with the keys of the service: its operator has to set APP_SECRET_KEY right."
  }]),
  ...(known.failure?.status_code === 410
    ? [{
      about: "gone" as const,
      sentence: "The receiver answers 410: it says that it is gone for good. Delete the endpoint, or set its new URL."
    }]
    : []),
  ...ofCertificate(known),
  ...ofRotation(known)
]
