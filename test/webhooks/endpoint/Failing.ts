import { ConfigProvider, DateTime, Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import type { Mail } from "../../../src/platform/mail/Mail.ts"
import { Mailer } from "../../../src/platform/mail/Mailer.ts"
import { MailQueue } from "../../../src/platform/mail/MailQueue.ts"
import { MailTransport } from "../../../src/platform/mail/MailTransport.ts"
import { Partitions } from "../../../src/platform/sql/Partitions.ts"
import { Sealing } from "../../../src/platform/sql/Sealing.ts"
import { Disabling } from "../../../src/webhooks/endpoint/Disabling.ts"
import { LaneChanges } from "../../../src/webhooks/engine/lane/LaneChanges.ts"
import { WebhookRules } from "../../../src/webhooks/model/WebhookSettings.ts"
import { PostgresLayer } from "../../harness/Postgres.ts"
import { begin, type MadeEndpoint, makeEndpoint } from "../engine/retention/Rows.ts"

// Endpoints that accept nothing, and the recipients of mails about them.

const SealingLayer = Sealing.layerKeys(Redacted.make(new Uint8Array(32).fill(7)))
  .pipe(Layer.provide(SecureRandom.layerWebCrypto))

/** The disabling of endpoints, on its own database. */
export const TestLayer = Layer.mergeAll(Disabling.layer, LaneChanges.layer, Partitions.layer).pipe(
  Layer.provideMerge(Layer.merge(Mailer.layer, WebhookRules.layer)),
  Layer.provideMerge(Layer.merge(PostgresLayer, SealingLayer)),
  Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env: { PUBLIC_URL: "https://turma.example" } })))
)

/** Sends the queued mails and returns them sorted by address. */
export const mails = Effect.gen(function*() {
  const sent: Array<Mail> = []
  const Transport = Layer.succeed(MailTransport, { send: (mail) => Effect.sync(() => void sent.push(mail)) })
  yield* Effect.flatMap(MailQueue, ({ tick }) => Effect.repeat(tick, { while: (count) => count > 0 }))
    .pipe(Effect.provide(Layer.provide(MailQueue.layer, Transport)))
  return sent.toSorted((a, b) => a.recipient.localeCompare(b.recipient))
})

/** Sets columns of the lane, as a worker would. */
export const setLane = Effect.fnUntraced(function*(
  { club_id, endpoint_id }: MadeEndpoint,
  columns: Record<string, unknown>
) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    update webhook_lanes set ${sql.update(columns)} where club_id = ${club_id} and endpoint_id = ${endpoint_id}`
})

/** An endpoint that has accepted nothing since this moment. */
export const failingSince = Effect.fnUntraced(function*(
  since: DateTime.Utc,
  given: Parameters<typeof makeEndpoint>[0] = {}
) {
  yield* begin("7 days")
  const endpoint = yield* makeEndpoint(given)
  yield* setLane(endpoint, { failing_since: DateTime.toDateUtc(since), breaker_epoch: 3 })
  return endpoint
})

/** The other columns of the endpoint and its lane. */
export const endpointNow = Effect.fnUntraced(function*({ club_id, endpoint_id }: MadeEndpoint) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<
    { status: string; disabled_reason: string | null; disabled_at: Date | null; due_at: Date | null }
  >`
    select e.status, e.disabled_reason, e.disabled_at, l.due_at
    from webhook_endpoints e join webhook_lanes l on l.club_id = e.club_id and l.endpoint_id = e.id
    where e.club_id = ${club_id} and e.id = ${endpoint_id}`
  return row
})
