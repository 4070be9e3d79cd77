import { DateTime, Duration, Effect, Option, Redacted } from "effect"
import type { WebhookDiagnosis } from "../../webhooks/endpoint/Diagnosis.ts"
import type {
  WebhookAttempt,
  WebhookDelivery,
  WebhookDeliveryDetail
} from "../../webhooks/history/delivery/Delivery.ts"
import type { EndpointId } from "../../webhooks/model/EndpointId.ts"
import type { WebhookDeliveryId } from "../../webhooks/model/WebhookDeliveryId.ts"
import { parseSecret } from "../../webhooks/send/Secret.ts"
import { say } from "./Narrator.ts"
import type { Club } from "./People.ts"
import { Receiver } from "./Receiver.ts"
import { pollEvery, seconds } from "./Waits.ts"

/** The receiver as the club knows it. */
export interface Endpoint extends Club {
  readonly endpointId: EndpointId
}

const params = ({ clubId, endpointId }: Endpoint) => ({ clubId, endpointId })

/** Registers the receiver for `student.created` and tells it the secret. */
export const register = Effect.fnUntraced(function*(club: Club) {
  const receiver = yield* Receiver
  yield* say("you", `register ${receiver.url} for student.created: POST /v1/clubs/{clubId}/webhook-endpoints`)
  const { data } = yield* club.owner.webhookEndpoints.create({
    params: { clubId: club.clubId },
    payload: { url: receiver.url, event_types: ["student.created"] }
  })
  const secret = Redacted.value(data.secret)
  yield* receiver.trust(Option.getOrThrow(parseSecret(secret)))
  yield* say("turma", `the signing secret, ${secret.slice(0, 12)}…, is shown this once; the receiver keeps it`)
  return { ...club, endpointId: data.id } satisfies Endpoint
})

/** Sends a `webhook.test`. */
export const pressTestButton = Effect.fnUntraced(function*(endpoint: Endpoint) {
  yield* say("you", "press the test button: POST …/webhook-endpoints/{id}/test")
  const { data } = yield* endpoint.owner.webhookDeliveries.test({ params: params(endpoint) })
  return data.id
})

const diagnose = (endpoint: Endpoint) =>
  Effect.map(endpoint.owner.webhookEndpoints.diagnose({ params: params(endpoint) }), ({ data }) => data)

/** Tells why the endpoint is or is not delivering, in the words of its diagnosis. */
export const printDiagnosis = Effect.fnUntraced(function*(endpoint: Endpoint) {
  yield* say("turma", (yield* diagnose(endpoint)).summary)
})

/** Waits for this many failed attempts in a row. */
export const failures = (endpoint: Endpoint, number: number) =>
  Effect.repeat(diagnose(endpoint), {
    until: ({ consecutive_failures }) => consecutive_failures >= number,
    schedule: pollEvery
  })

/** Waits until the endpoint's deliveries, the latest first, are as expected. */
export const deliveries = (
  endpoint: Endpoint,
  areAsExpected: (all: ReadonlyArray<WebhookDelivery>) => boolean
) =>
  endpoint.owner.webhookDeliveries.list({ params: params(endpoint), query: { limit: 25 } }).pipe(
    Effect.map(({ data }): ReadonlyArray<WebhookDelivery> => data),
    Effect.repeat({ until: areAsExpected, schedule: pollEvery })
  )

const waitFrom = ({ duration_ms, started_at }: WebhookAttempt, until: DateTime.Utc) =>
  seconds(DateTime.distance(DateTime.addDuration(started_at, Duration.millis(duration_ms)), until))

const consequence = (
  attempt: WebhookAttempt,
  { next_attempt_at }: Pick<WebhookDelivery, "next_attempt_at">,
  { consecutive_failures, hold_until }: Pick<WebhookDiagnosis, "consecutive_failures" | "hold_until">
) => {
  if (hold_until !== null && consecutive_failures === attempt.number) {
    return `: ${consecutive_failures} in a row, so the endpoint is held for ${waitFrom(attempt, hold_until)}`
  }
  return next_attempt_at === null ? "" : `; the next one in ${waitFrom(attempt, next_attempt_at)}`
}

/** Narrates each attempt of a first delivery as it ends, until one is accepted or the endpoint is held. */
export const printAttempts = Effect.fnUntraced(function*(endpoint: Endpoint, deliveryId: WebhookDeliveryId) {
  const read = endpoint.owner.webhookDeliveries.get({ params: { ...params(endpoint), deliveryId } })
  let narrated = 0
  // An attempt may end between reading the delivery and reading its attempts.
  const isNew = ({ attempts, attempts_count }: WebhookDeliveryDetail) =>
    attempts.length > narrated && attempts.length === attempts_count
  while (true) {
    const { data } = yield* Effect.repeat(read, { until: ({ data }) => isNew(data), schedule: pollEvery })
    const diagnosis = yield* diagnose(endpoint)
    for (const attempt of data.attempts.slice(narrated)) {
      if (attempt.error === null) return yield* say("turma", `attempt ${attempt.number} was accepted: delivered`)
      const latest = attempt === data.attempts.at(-1)
      const next = latest ? consequence(attempt, data, diagnosis) : ""
      yield* say("turma", `attempt ${attempt.number} failed with ${attempt.status_code ?? attempt.error}${next}`)
    }
    narrated = data.attempts.length
    if (diagnosis.held && diagnosis.consecutive_failures === narrated) return
  }
})
