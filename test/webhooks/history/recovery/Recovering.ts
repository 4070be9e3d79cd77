import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { WebhookRecovery } from "../../../../src/webhooks/history/recovery/Recovery.ts"
import { RecoveryWork } from "../../../../src/webhooks/history/recovery/RecoveryWork.ts"
import { at, send } from "../../../harness/App.ts"
import { ago, ended, makeDelivery } from "../../engine/retention/Rows.ts"
import { foundOnSaturday, register, type Registered, WebhooksLayer } from "../../Registering.ts"

/** The app, with a worker of recoveries that the test drives. */
export const RecoveringLayer = RecoveryWork.layer.pipe(Layer.provideMerge(WebhooksLayer))

export const registered = Effect.flatMap(foundOnSaturday, (club) => register(club))

/** This many failed deliveries, an hour apart, oldest first. */
export const makeFailed = (endpoint: Registered, count: number, columns: Readonly<Record<string, unknown>> = {}) =>
  Effect.forEach(
    Array.from({ length: count }, (_, n) => count - n),
    (hours) => makeDelivery(endpoint, ago({ hours }), { ...ended("failed"), ...columns })
  )

const decode = Schema.decodeUnknownEffect(Schema.toCodecJson(WebhookRecovery))

/** The recovery in an answer, by the contract's schema. */
export const recoveryIn = (answer: { readonly json: unknown }) => Effect.orDie(decode(at(answer.json, "data")))

const since = "2026-11-11T12:00:00Z"

export const askFor = ({ path, token }: Registered, body: unknown = {}) =>
  send("POST", `${path}/recoveries`, { token, body: { since, ...Object(body) } })

export const create = (endpoint: Registered, body: unknown = {}) => Effect.flatMap(askFor(endpoint, body), recoveryIn)

export const readRecovery = ({ path, token }: Registered, id: string) =>
  send("GET", `${path}/recoveries/${id}`, { token })

export const now = (endpoint: Registered, id: string) => Effect.flatMap(readRecovery(endpoint, id), recoveryIn)

export const change = ({ path, token }: Registered, id: string, body: unknown) =>
  send("PATCH", `${path}/recoveries/${id}`, { token, body })

/** Lets a worker look for due recoveries, a tenth of a second after its last look. */
export const tick = Effect.andThen(
  TestClock.adjust("100 millis"),
  Effect.flatMap(RecoveryWork, ({ tick }) => tick)
)

/** Ends the first `count` due attempts with this status, as a worker does. */
export const settle = Effect.fnUntraced(function*(
  { club_id, endpoint_id }: Registered,
  status: "succeeded" | "failed",
  count = 10_000
) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`
      update webhook_deliveries
      set status = ${status}, next_attempt_at = null, attempts_count = attempts_count + 1,
        finished_at = next_attempt_at + interval '1 millisecond'
      where (club_id, endpoint_id, id) in (
        select club_id, endpoint_id, id from webhook_deliveries
        where club_id = ${club_id} and endpoint_id = ${endpoint_id} and next_attempt_at is not null
        order by next_attempt_at, id limit ${count}
      ) returning 1`
  return rows.length
})
