import { millisOf } from "../../../../browser/client/Time.ts"
import type { Schemas } from "../../../../sdk/index.ts"
import type { Endpoint } from "./EndpointHealth.ts"
import type { Both, SentenceContext } from "./SentenceContext.ts"

// Why a delivery is, or is not, delivered. Pure.

export type Delivery = Schemas["WebhookDelivery"]

/** The API's explanation of a failure. Null for an accepted delivery. */
export type Cause = Schemas["WebhookDeliveryDetail"]["diagnosis"]

/** The fields of the endpoint that matter to a delivery. Undefined if the endpoint is deleted. */
export type DeliveryEndpoint = Pick<Endpoint, "consecutive_failures" | "hold_until" | "kind" | "status"> | undefined

interface Words {
  readonly succeeded: (attempts: number, status: string) => string
  readonly failed: (attempts: number) => string
  readonly again: string
  readonly purged: string
  readonly canceled: Readonly<Record<NonNullable<Delivery["cancel_reason"]> | "unknown", string>>
  readonly untried: string
  readonly tried: (attempts: number) => string
  readonly next: (at: string) => string
  readonly now: string
  readonly deleted: string
  readonly enable: string
  readonly resend: string
  readonly paused: string
  readonly disabled: string
  readonly listener: string
  readonly held: (at: string) => string
  readonly probing: string
  readonly idle: string
}

const words: Both<Words> = {
  en: {
    again: " Somebody asked for one more attempt.",
    canceled: {
      endpoint_deleted: "Not delivered: the endpoint was deleted while it waited.",
      endpoint_disabled: "Not delivered: the endpoint was disabled while it waited.",
      expired: "Not delivered: it waited for 30 days and expired.",
      student_removed: "Not delivered: its student was removed, and everything about them is erased.",
      unknown: "Not delivered: it was canceled."
    },
    deleted: " Its endpoint is deleted, so nothing more is sent.",
    disabled: " The endpoint is disabled, so nothing is sent.",
    enable: " Enable the endpoint, then resend or recover.",
    failed: (attempts) => attempts === 1 ? "Given up after 1 attempt" : `Given up after ${attempts} attempts`,
    held: (at) => ` The endpoint is held after failures: it is tried again ${at}, one attempt at a time, oldest first.`,
    idle: " No attempt is planned.",
    listener: " It waits until the listener asks for it.",
    next: (at) => ` The next attempt is due ${at}.`,
    now: " It is due now and sent as soon as a worker is free.",
    paused: " The endpoint is paused: it waits until somebody enables it.",
    probing: " The endpoint is held after failures: one attempt at a time is sent until one is accepted, oldest first.",
    purged: " Its payload is erased, so it cannot be sent again.",
    resend: " Resend it, or recover what the endpoint missed.",
    succeeded: (attempts, status) =>
      `Delivered: the receiver answered ${status} ${attempts <= 1 ? "at once" : `at attempt ${attempts}`}.`,
    tried: (attempts) =>
      attempts === 1 ? "Not delivered yet: the first attempt failed" : `Not delivered yet: attempt ${attempts} failed`,
    untried: "Not sent yet."
  },
  "pt-BR": {
    again: " Alguém pediu mais uma tentativa.",
    canceled: {
      endpoint_deleted: "Não entregue: o endpoint foi excluído enquanto o envio esperava.",
      endpoint_disabled: "Não entregue: o endpoint foi desativado enquanto o envio esperava.",
      expired: "Não entregue: esperou 30 dias e expirou.",
      student_removed: "Não entregue: o aluno foi removido, e tudo sobre ele foi apagado.",
      unknown: "Não entregue: foi cancelado."
    },
    deleted: " O endpoint foi excluído, então nada mais é enviado.",
    disabled: " O endpoint está desativado, então nada é enviado.",
    enable: " Ative o endpoint e reenvie ou recupere.",
    failed: (attempts) => attempts === 1 ? "Abandonado após 1 tentativa" : `Abandonado após ${attempts} tentativas`,
    held: (at) =>
      ` O endpoint está retido após falhas: a próxima tentativa será ${at}, uma por vez, da mais antiga à mais nova.`,
    idle: " Nenhuma tentativa está prevista.",
    listener: " Espera até o listener buscar.",
    next: (at) => ` A próxima tentativa será ${at}.`,
    now: " Será enviado assim que um processo estiver livre.",
    paused: " O endpoint está pausado: o envio espera até alguém ativá-lo.",
    probing:
      " O endpoint está retido após falhas: só vai uma tentativa por vez até uma ser aceita, da mais antiga à mais nova.",
    purged: " O conteúdo foi apagado, então não pode ser reenviado.",
    resend: " Reenvie ou recupere o que o endpoint perdeu.",
    succeeded: (attempts, status) =>
      `Entregue: o receptor respondeu ${status} ${attempts <= 1 ? "de primeira" : `na tentativa ${attempts}`}.`,
    tried: (attempts) =>
      attempts === 1
        ? "Ainda não entregue: a primeira tentativa falhou"
        : `Ainda não entregue: a tentativa ${attempts} falhou`,
    untried: "Ainda não enviado."
  }
}

/** Why the last attempt failed and what helps, in the API's words. */
const because = ({ last_error }: Delivery, cause: Cause) =>
  last_error === null || cause === null ? "" : ` ${cause.sentence} ${cause.next_step}`

/** The reason for a pending delivery's wait. */
const waitsFor = (
  { next_attempt_at }: Delivery,
  endpoint: DeliveryEndpoint,
  sentenceContext: SentenceContext
): string => {
  const { deleted, disabled, held, idle, listener, next, now, paused, probing } = words[sentenceContext.language]
  if (endpoint === undefined) return deleted
  if (endpoint.status === "paused") return paused
  if (endpoint.status === "disabled") return disabled
  if (endpoint.kind === "listener") return listener
  if (next_attempt_at === null) return idle
  const { hold_until } = endpoint
  if (hold_until !== null) {
    const at = millisOf(next_attempt_at) > millisOf(hold_until) ? next_attempt_at : hold_until
    return millisOf(at) > sentenceContext.now ? held(sentenceContext.moment(at)) : probing
  }
  return millisOf(next_attempt_at) > sentenceContext.now ? next(sentenceContext.moment(next_attempt_at)) : now
}

/**
 * The next step after a delivery has ended: an attempt that somebody asked for, or that no attempt is possible. No hold
 * keeps such an attempt.
 */
const afterwards = (delivery: Delivery, endpoint: DeliveryEndpoint, sentenceContext: SentenceContext) => {
  const { again, deleted, enable, purged, resend } = words[sentenceContext.language]
  if (delivery.payload_purged) return purged
  if (endpoint === undefined) return deleted
  if (delivery.next_attempt_at !== null) {
    return again + waitsFor(delivery, { ...endpoint, hold_until: null }, sentenceContext)
  }
  if (delivery.cancel_reason !== "endpoint_disabled") return ""
  return endpoint.status === "enabled" ? resend : enable
}

/** Says that a delivery is delivered, or why not and what it waits for. Always a sentence. */
export const explanation = (
  delivery: Delivery,
  { cause, endpoint }: { readonly cause: Cause; readonly endpoint: DeliveryEndpoint },
  sentenceContext: SentenceContext
): string => {
  const { attempts_count, cancel_reason, last_status_code, next_attempt_at, status } = delivery
  const { canceled, failed, succeeded, tried, untried } = words[sentenceContext.language]
  switch (status) {
    case "succeeded": {
      const text = succeeded(attempts_count, String(last_status_code ?? "2xx"))
      return next_attempt_at === null ? text : text + afterwards(delivery, endpoint, sentenceContext)
    }
    case "failed":
      return `${failed(attempts_count)}.${because(delivery, cause)}${afterwards(delivery, endpoint, sentenceContext)}`
    case "canceled": {
      const text = canceled[cancel_reason ?? "unknown"]
      return cancel_reason === "student_removed" || cancel_reason === "endpoint_deleted"
        ? text
        : text + afterwards(delivery, endpoint, sentenceContext)
    }
    case "pending":
      return attempts_count === 0
        ? untried + waitsFor(delivery, endpoint, sentenceContext)
        : `${tried(attempts_count)}.${because(delivery, cause)}${waitsFor(delivery, endpoint, sentenceContext)}`
  }
}
