import { DateTime, Duration, Schema } from "effect"
import { field } from "../../../platform/http/Field.ts"
import type { InEach, Locale, Sentence } from "../../../platform/http/Locale.ts"
import type { Failure } from "./FailureWords.ts"

export const WebhookAdvice = Schema.Struct({
  about: Schema.Literals(["secrets_unreadable", "gone", "certificate_ends", "secret_ends"])
    .pipe(field("`secrets_unreadable`: its secrets do not open with the keys of the service, so nothing is sent. `gone`: the receiver answers 410. `certificate_ends`: its certificate ends within 14 days, or has. `secret_ends`: a replaced secret still signs, and will not for long")),
  sentence: Schema.String.pipe(field(
    "How to mend it, in the language of the request",
    "The receiver answers 410: it is gone for good. Delete the endpoint, or set its new URL."
  ))
}).annotate({ identifier: "WebhookAdvice", description: "Something about an endpoint that somebody should look at" })
export type WebhookAdvice = typeof WebhookAdvice.Type

/** The facts about an endpoint that advice depends on. */
interface Known {
  readonly now: DateTime.Utc
  /** True if everything opens that a delivery opens of the endpoint. */
  readonly opens: boolean
  /** The latest failure, if nothing was accepted since. */
  readonly failure: Failure | null
  /** The end of the receiver's last certificate. Null without one. */
  readonly certificate_ends_at: DateTime.Utc | null
  /** The end of the last replaced secret. Null without one. */
  readonly secret_ends_at: DateTime.Utc | null
  /**
   * True if a grading has shown that the receiver has the newest secret. Null if no grading has, since it is the
   * newest.
   */
  readonly newest_proved: boolean | null
  readonly secret_overlap: Duration.Duration
  readonly last_success_at: DateTime.Utc | null
}

/** How long before its end the advice mentions a certificate. */
const certificateWarning = Duration.days(14)

const inDays = (left: Duration.Duration): Sentence => {
  const days = Math.floor(Duration.toDays(left))
  if (days < 1) return { en: "in less than a day", "pt-BR": "em menos de um dia" }
  return days === 1 ? { en: "in 1 day", "pt-BR": "em 1 dia" } : { en: `in ${days} days`, "pt-BR": `em ${days} dias` }
}

const certificate: InEach<{
  readonly ends: (on: string, left: string) => string
  readonly ended: (on: string) => string
  readonly help: string
}> = {
  en: {
    ends: (on, left) => `The receiver's certificate ends on ${on}, ${left}`,
    ended: (on) => `The certificate that the receiver showed last ended on ${on}`,
    help: "renew it, and check that the receiver loads the new one. Without it nothing is delivered."
  },
  "pt-BR": {
    ends: (on, left) => `O certificado do receptor vence em ${on}, ${left}`,
    ended: (on) => `O último certificado que o receptor mostrou venceu em ${on}`,
    help: "renove-o e confira se o receptor carrega o novo. Sem ele nada é entregue."
  }
}

// It is as old as the last full handshake, so one that has ended may have been renewed since.
const ofCertificate = ({ certificate_ends_at: at, now }: Known, locale: Locale): ReadonlyArray<WebhookAdvice> => {
  if (at === null || DateTime.isGreaterThan(at, DateTime.addDuration(now, certificateWarning))) return []
  const on = DateTime.formatIsoDateUtc(at)
  const { ended, ends, help } = certificate[locale]
  const what = DateTime.isGreaterThan(at, now) ? ends(on, inDays(DateTime.distance(now, at))[locale]) : ended(on)
  return [{ about: "certificate_ends", sentence: `${what}: ${help}` }]
}

/** The proof of a rotation so far: by a grading, or otherwise by accepted deliveries. */
export type Proof = "proved" | "lacking" | "accepted" | "nothing"

/** The proof about a receiver since its secret was replaced. */
export const proofOf = (
  { last_success_at, newest_proved }: Pick<Known, "last_success_at" | "newest_proved">,
  rotated: DateTime.Utc
): Proof => {
  if (newest_proved !== null) return newest_proved ? "proved" : "lacking"
  return last_success_at !== null && DateTime.isGreaterThanOrEqualTo(last_success_at, rotated) ? "accepted" : "nothing"
}

// An answer does not say which signature the receiver checked. A grading asks with the newest alone.
const proofs: InEach<Readonly<Record<Proof, string>>> = {
  en: {
    proved: "A grading has shown that the receiver has the newest",
    lacking: "A grading has shown that the receiver refuses the newest: give it the new secret",
    accepted:
      "Deliveries that it accepted since then carried both signatures, so they do not show which secret the receiver has: " +
      "check that it is the newest, or have the receiver graded",
    nothing: "Nothing was accepted since it was replaced: check that the receiver has the newest, or have it graded"
  },
  "pt-BR": {
    proved: "Uma avaliação mostrou que o receptor tem o mais novo",
    lacking: "Uma avaliação mostrou que o receptor recusa o mais novo: informe o segredo novo a ele",
    accepted: "Os envios aceitos desde então levavam as duas assinaturas e não mostram qual segredo o receptor tem: " +
      "confira se é o mais novo, ou avalie o receptor",
    nothing: "Nada foi aceito desde a troca: confira se o receptor tem o mais novo, ou avalie-o"
  }
}

const rotation: InEach<(until: string, proof: string) => string> = {
  en: (until, proof) => `A replaced secret signs until ${until}; from then on only the newest signs. ${proof}.`,
  "pt-BR": (until, proof) => `Um segredo substituído ainda assina até ${until}; depois, só o mais novo. ${proof}.`
}

const ofRotation = (known: Known, locale: Locale): ReadonlyArray<WebhookAdvice> => {
  const { secret_ends_at, secret_overlap } = known
  if (secret_ends_at === null) return []
  const proof = proofOf(known, DateTime.subtractDuration(secret_ends_at, secret_overlap))
  const sentence = rotation[locale](DateTime.formatIso(secret_ends_at), proofs[locale][proof])
  return [{ about: "secret_ends", sentence }]
}

const unreadable: Sentence = {
  en:
    "The service's keys do not open the endpoint's secrets, so nothing is sent. The operator has to correct APP_SECRET_KEY.",
  "pt-BR":
    "As chaves do serviço não abrem os segredos do endpoint, e nada é enviado. Quem opera o serviço precisa corrigir APP_SECRET_KEY."
}

const gone: Sentence = {
  en: "The receiver answers 410: it is gone for good. Delete the endpoint, or set its new URL.",
  "pt-BR": "O receptor responde 410: saiu do ar definitivamente. Exclua o endpoint ou informe a nova URL."
}

/** The points that somebody should look at, even before anything fails. */
export const adviceOf = (known: Known, locale: Locale = "en"): ReadonlyArray<WebhookAdvice> => [
  ...(known.opens ? [] : [{ about: "secrets_unreadable" as const, sentence: unreadable[locale] }]),
  ...(known.failure?.status_code === 410 ? [{ about: "gone" as const, sentence: gone[locale] }] : []),
  ...ofCertificate(known, locale),
  ...ofRotation(known, locale)
]
