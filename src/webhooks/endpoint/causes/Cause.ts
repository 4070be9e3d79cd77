import { type DateTime, Schema } from "effect"
import { Count } from "../../../platform/http/Count.ts"
import { field } from "../../../platform/http/Field.ts"
import type { InEach, Locale } from "../../../platform/http/Locale.ts"
import { InstantOrNull } from "../../../platform/schema/Instant.ts"
import { AttemptError } from "../../model/AttemptError.ts"
import type { AttemptPhases } from "../../model/AttemptPhases.ts"
import { CancelReason, type DeliveryStatus } from "../../model/DeliveryStatus.ts"
import type { EndpointStatus } from "../../model/EndpointStatus.ts"
import { type Failure, failureSentence, failureWords, type Words } from "./FailureWords.ts"

/** The reason for the wait of a delivery without an attempt. */
const Waiting = Schema.Literals(["waiting", "held", "paused"])
type Waiting = typeof Waiting.Type

/** Why something is not delivered: an attempt's error, why it was canceled, or what it waits for. */
const CauseCode = Schema.Literals([...AttemptError.literals, ...CancelReason.literals, ...Waiting.literals])

export const WebhookCause = Schema.Struct({
  cause: CauseCode.pipe(field(
    "The error of the last attempt, or why it was canceled. Before the first attempt, the reason for waiting: its turn, the end of a hold, or that a paused endpoint is enabled",
    "http_status"
  )),
  status_code: Schema.NullOr(Count).pipe(field("The HTTP status of the answer; null if no answer came", 500)),
  at: InstantOrNull.pipe(field("Since when it is so; null before the first attempt")),
  sentence: Schema.String.pipe(field("What happened", "The receiver answered 500, 3 times in a row.")),
  next_step: Schema.String
    .pipe(field("How to fix it, in the language of the request", "The receiver failed: look at its logs."))
}).annotate({ identifier: "WebhookCause", description: "Why something was not delivered, and what to do" })
export type WebhookCause = typeof WebhookCause.Type

const canceled: InEach<Readonly<Record<CancelReason, Words>>> = {
  en: {
    endpoint_deleted: {
      what: "The endpoint was deleted while it waited",
      next_step: "Nothing more is sent to it. Read the event to send it by other means."
    },
    endpoint_disabled: {
      what: "The endpoint was disabled while it waited",
      next_step: "Enable the endpoint, then resend this or recover all that it missed."
    },
    expired: {
      what: "It waited as long as a delivery may, and the service gave it up",
      next_step: "Its body no longer exists: read the current state by the API."
    },
    student_removed: {
      what: "Its student was removed, and its body is erased",
      next_step: "Nothing: `student.removed` tells the receiver."
    }
  },
  "pt-BR": {
    endpoint_deleted: {
      what: "O endpoint foi excluído enquanto o envio esperava",
      next_step: "Nada mais é enviado a ele. Leia o evento para enviá-lo de outra forma."
    },
    endpoint_disabled: {
      what: "O endpoint foi desativado enquanto o envio esperava",
      next_step: "Ative o endpoint e reenvie, ou recupere tudo o que ele perdeu."
    },
    expired: {
      what: "Esperou o máximo que um envio pode esperar e foi abandonado",
      next_step: "O conteúdo não existe mais: leia a situação atual pela API."
    },
    student_removed: {
      what: "O aluno foi removido, e o conteúdo foi apagado",
      next_step: "Nada: `student.removed` avisa o receptor."
    }
  }
}

const waiting: InEach<Readonly<Record<Waiting, Words>>> = {
  en: {
    held: {
      what: "It was not sent yet: the endpoint is held after failures, and the oldest is tried first",
      next_step: "Fix the receiver and send a test: if it is accepted, the hold ends."
    },
    paused: { what: "It was not sent yet: the endpoint is paused", next_step: "Enable the endpoint." },
    waiting: { what: "It was not sent yet", next_step: "Nothing: it is sent when it is due and a worker is free." }
  },
  "pt-BR": {
    held: {
      what: "Ainda não foi enviado: o endpoint está retido após falhas, e o mais antigo vai primeiro",
      next_step: "Corrija o receptor e envie um teste: se for aceito, a retenção acaba."
    },
    paused: { what: "Ainda não foi enviado: o endpoint está pausado", next_step: "Ative o endpoint." },
    waiting: {
      what: "Ainda não foi enviado",
      next_step: "Nada: será enviado quando chegar a vez e um processo estiver livre."
    }
  }
}

const causeOf = (
  cause: typeof CauseCode.Type,
  { next_step, what }: Words,
  at: DateTime.Utc | null,
  { locale, status_code = null, times = 1 }: {
    readonly locale: Locale
    readonly status_code?: number | null
    readonly times?: number
  }
): WebhookCause => ({ cause, status_code, at, sentence: failureSentence(what, times, locale), next_step })

/** Why an attempt failed at that time, after so many that failed alike. */
export const causeOfFailure = (
  failure: Failure,
  at: DateTime.Utc | null,
  locale: Locale = "en",
  times = 1
): WebhookCause =>
  causeOf(failure.error, failureWords(locale, { ...failure, at }), at, {
    locale,
    status_code: failure.status_code,
    times
  })

/** The fields of a delivery that explain why it is not delivered. */
interface DeliveryFacts {
  readonly status: DeliveryStatus
  readonly cancel_reason: CancelReason | null
  readonly last_error: AttemptError | null
  readonly last_status_code: number | null
  readonly last_attempt_at: DateTime.Utc | null
  readonly finished_at: DateTime.Utc | null
}

/** The fields of an attempt that tell one failure from another. */
interface AttemptFacts {
  readonly error: AttemptError | null
  readonly status_code: number | null
  readonly phases?: AttemptPhases | null
}

/** Number of latest attempts that failed in the same way. `attempts` are oldest first. */
const alike = (attempts: ReadonlyArray<AttemptFacts>): number => {
  const last = attempts.at(-1)
  const other = attempts.findLastIndex(({ error, status_code }) =>
    error !== last?.error || status_code !== last?.status_code
  )
  return attempts.length - 1 - other
}

/**
 * Why a delivery is not delivered, by its attempts, oldest first, and its endpoint, as far as they are known; null where
 * it was accepted.
 */
export const causeOfDelivery = (
  { cancel_reason, finished_at, last_attempt_at, last_error, last_status_code, status }: DeliveryFacts,
  known: {
    readonly attempts?: ReadonlyArray<AttemptFacts>
    readonly certificate_ends_at?: DateTime.Utc | null
    readonly endpoint?: { readonly status: EndpointStatus; readonly hold_until: DateTime.Utc | null }
  } = {},
  locale: Locale = "en"
): WebhookCause | null => {
  if (status === "succeeded") return null
  if (status === "canceled" && cancel_reason !== null) {
    return causeOf(cancel_reason, canceled[locale][cancel_reason], finished_at, { locale })
  }
  if (last_error !== null) {
    const times = Math.max(1, alike(known.attempts ?? []))
    const { certificate_ends_at = null } = known
    const phases = known.attempts?.at(-1)?.phases
    const was_sent = phases === undefined || phases === null ? undefined : phases.send_ms !== null
    const failure = { error: last_error, status_code: last_status_code, certificate_ends_at, was_sent }
    return causeOfFailure(failure, last_attempt_at, locale, times)
  }
  const { hold_until = null, status: state } = known.endpoint ?? {}
  const what = state === "paused" ? "paused" : hold_until === null ? "waiting" : "held"
  return causeOf(what, waiting[locale][what], null, { locale })
}
