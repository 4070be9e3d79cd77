import { DateTime, type Duration, Schema } from "effect"
import { Count } from "../../platform/http/Count.ts"
import { field } from "../../platform/http/Field.ts"
import type { InEach, Locale } from "../../platform/http/Locale.ts"
import { InstantOrNull } from "../../platform/schema/Instant.ts"
import type { AttemptError } from "../model/AttemptError.ts"
import { adviceOf, WebhookAdvice } from "./causes/Advice.ts"
import { causeOfFailure, WebhookCause } from "./causes/Cause.ts"
import { WebhookEndpoint } from "./Endpoint.ts"

/** Why an endpoint is or is not delivering (http-surface, Outgoing webhooks). */
export const WebhookDiagnosis = Schema.Struct({
  status: WebhookEndpoint.fields.status,
  disabled_reason: WebhookEndpoint.fields.disabled_reason,
  held: Schema.Boolean.pipe(field(
    "True if only one attempt at a time is sent until one is accepted, as after 5 failures in a row",
    false
  )),
  hold_until: WebhookEndpoint.fields.hold_until,
  consecutive_failures: WebhookEndpoint.fields.consecutive_failures,
  queue_depth: Count.pipe(field("How many deliveries have a next attempt, 10,000 at most", 0)),
  queue_depth_capped: Schema.Boolean.pipe(field("True if more deliveries wait than were counted", false)),
  oldest_pending_at: InstantOrNull
    .pipe(field("When the oldest of the counted deliveries was created; null if nothing waits", null)),
  next_attempt_at: InstantOrNull.pipe(field(
    "When something is sent next. A time in the past waits for a worker; null if nothing waits or the endpoint is not enabled",
    null
  )),
  failing_since: InstantOrNull.pipe(field(
    "When the first failure since the last accepted attempt, or since the endpoint was enabled, ended; null without such a failure",
    null
  )),
  projected_disable_at: InstantOrNull.pipe(field(
    "When the endpoint is disabled if it accepts nothing until then; null where it is not failing or not enabled",
    null
  )),
  last_failure: Schema.NullOr(WebhookCause)
    .pipe(field("Why the latest failed attempt failed, and what to do; null without one", null)),
  advice: Schema.Array(WebhookAdvice).pipe(field("Points to look at, although nothing may have failed yet", [])),
  summary: Schema.String.pipe(field("All of it in one sentence", "Delivering; no deliveries wait."))
}).annotate({
  identifier: "WebhookDiagnosis",
  description: "Why an endpoint is or is not delivering, and what waits for it"
})
export type WebhookDiagnosis = typeof WebhookDiagnosis.Type

/** One of the diagnoses of all endpoints. */
export const EndpointDiagnosis = Schema.Struct({
  endpoint_id: WebhookEndpoint.fields.id,
  diagnosis: WebhookDiagnosis.pipe(field("Why it is or is not delivering"))
}).annotate({ identifier: "WebhookEndpointDiagnosis", description: "An endpoint and its diagnosis" })
export type EndpointDiagnosis = typeof EndpointDiagnosis.Type

/** The known facts about an endpoint and its queue. `due_at` and `requested_at` are as in `QueueState`. */
export interface Findings {
  readonly now: DateTime.Utc
  readonly endpoint:
    & Pick<
      WebhookDiagnosis,
      "status" | "disabled_reason" | "hold_until" | "consecutive_failures" | "failing_since"
    >
    & {
      readonly last_failure_at: DateTime.Utc | null
      readonly last_failure_error: AttemptError | null
      readonly last_failure_status: number | null
      readonly last_success_at: DateTime.Utc | null
      readonly certificate_ends_at: DateTime.Utc | null
      readonly secret_ends_at: DateTime.Utc | null
      readonly newest_proved: boolean | null
    }
  /** True if the service's keys open its secrets, its signing key and its headers. */
  readonly opens: boolean
  readonly queue: {
    readonly depth: number
    readonly oldest_pending_at: DateTime.Utc | null
    readonly due_at: DateTime.Utc | null
    readonly requested_at: DateTime.Utc | null
  }
  /** How far the queue is counted. */
  readonly counted: number
  readonly disable_after: Duration.Duration
  readonly secret_overlap: Duration.Duration
}

const earlier = (one: DateTime.Utc | null, other: DateTime.Utc | null) =>
  one === null || other === null ? one ?? other : DateTime.min(one, other)

/** An attempt that a person asked for does not wait for the hold. */
const nextAttempt = ({ endpoint: { hold_until, status }, queue: { due_at, requested_at } }: Findings) => {
  if (status !== "enabled" || due_at === null) return null
  return hold_until === null ? due_at : earlier(DateTime.max(due_at, hold_until), requested_at)
}

interface SummaryWords {
  readonly waiting: (depth: number, counted: number) => string
  readonly failures: (number: number) => string
  readonly failing: string
  readonly disabled: string
  readonly paused: (waiting: string) => string
  readonly unreadable: (waiting: string) => string
  readonly held: (failures: string, waiting: string) => string
  readonly delivering: (waiting: string, failures?: string) => string
}

const summaries: InEach<SummaryWords> = {
  en: {
    waiting: (depth, counted) =>
      depth > counted
        ? `more than ${counted} deliveries wait`
        : depth === 1
        ? "1 delivery waits"
        : `${depth === 0 ? "no" : depth} deliveries wait`,
    failures: (number) => number === 1 ? "1 failed attempt" : `${number} failed attempts in a row`,
    failing: "Not delivering: the endpoint was disabled because it accepted nothing for too long.",
    disabled: "Not delivering: an administrator disabled the endpoint.",
    paused: (waiting) => `Not delivering: the endpoint is paused; ${waiting} until it is enabled.`,
    unreadable: (waiting) =>
      `Not delivering: the service's keys do not open the endpoint's secrets; the operator has to correct ` +
      `APP_SECRET_KEY; ${waiting}.`,
    held: (failures, waiting) => `Held after ${failures}: one attempt at a time until one is accepted; ${waiting}.`,
    delivering: (waiting, failures) =>
      failures === undefined ? `Delivering; ${waiting}.` : `Delivering, after ${failures}; ${waiting}.`
  },
  "pt-BR": {
    waiting: (depth, counted) =>
      depth > counted
        ? `mais de ${counted} envios esperam`
        : depth === 1
        ? "1 envio espera"
        : depth === 0
        ? "nada espera"
        : `${depth} envios esperam`,
    failures: (number) => number === 1 ? "1 tentativa com falha" : `${number} falhas seguidas`,
    failing: "Não entrega: o endpoint foi desativado porque passou tempo demais sem aceitar nada.",
    disabled: "Não entrega: um administrador desativou o endpoint.",
    paused: (waiting) => `Não entrega: o endpoint está pausado; ${waiting} até ele ser ativado.`,
    unreadable: (waiting) =>
      `Não entrega: as chaves do serviço não abrem os segredos do endpoint, e quem opera o serviço precisa corrigir ` +
      `APP_SECRET_KEY; ${waiting}.`,
    held: (failures, waiting) =>
      `Retido após ${failures}: só vai uma tentativa por vez até uma ser aceita; ${waiting}.`,
    delivering: (waiting, failures) =>
      failures === undefined ? `Entregando; ${waiting}.` : `Entregando, após ${failures}; ${waiting}.`
  }
}

const summaryOf = ({ counted, endpoint, opens, queue: { depth } }: Findings, locale: Locale): string => {
  const { consecutive_failures, disabled_reason, hold_until, status } = endpoint
  const words = summaries[locale]
  const waiting = words.waiting(depth, counted)
  const failures = words.failures(consecutive_failures)
  if (status === "disabled") return disabled_reason === "failing" ? words.failing : words.disabled
  if (status === "paused") return words.paused(waiting)
  if (!opens) return words.unreadable(waiting)
  if (hold_until !== null) return words.held(failures, waiting)
  return words.delivering(waiting, consecutive_failures > 0 ? failures : undefined)
}

/** Says in fields and in one sentence why an endpoint is or is not delivering. */
export const diagnose = (findings: Findings, locale: Locale = "en"): WebhookDiagnosis => {
  const { counted, disable_after, endpoint, now, queue, secret_overlap } = findings
  const {
    certificate_ends_at,
    last_failure_at,
    last_failure_error,
    last_failure_status,
    last_success_at,
    newest_proved,
    secret_ends_at,
    ...shown
  } = endpoint
  const { failing_since, hold_until, status } = endpoint
  const failure = last_failure_error === null
    ? null
    : { error: last_failure_error, status_code: last_failure_status, certificate_ends_at }
  return {
    ...shown,
    held: hold_until !== null,
    queue_depth: Math.min(queue.depth, counted),
    queue_depth_capped: queue.depth > counted,
    oldest_pending_at: queue.oldest_pending_at,
    next_attempt_at: nextAttempt(findings),
    projected_disable_at: status === "enabled" && failing_since !== null
      ? DateTime.addDuration(failing_since, disable_after)
      : null,
    last_failure: failure === null ? null : causeOfFailure(failure, last_failure_at, locale),
    advice: adviceOf({
      now,
      opens: findings.opens,
      failure: endpoint.consecutive_failures > 0 ? failure : null,
      certificate_ends_at,
      secret_ends_at,
      newest_proved,
      secret_overlap,
      last_success_at
    }, locale),
    summary: summaryOf(findings, locale)
  }
}
