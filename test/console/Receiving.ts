import { DateTime, Effect, Layer, Logger } from "effect"
import { SqlClient } from "effect/sql"
import type { Page } from "playwright-core"
import { Partitions } from "../../src/platform/sql/Partitions.ts"
import { webhookTables } from "../../src/webhooks/model/WebhookTables.ts"
import { WebhookWorkersLayer } from "../../src/webhooks/WebhookWorkers.ts"
import { appLayer, at, configLayer, foundClub, send } from "../harness/App.ts"
import { startReceiver } from "../harness/Receiver.ts"
import { caFile, testCa } from "../harness/Tls.ts"
import { consoleVariables } from "./Visit.ts"

const ca = testCa()

/** The service as browsers reach it, with all workers of webhooks. They send over TLS to receivers on this machine. */
export const receivingLayer = (
  more: Readonly<Record<string, string>> = {},
  options: Parameters<typeof appLayer>[1] = {}
) =>
  Layer.unwrap(Effect.map(caFile(ca), (file) => {
    const variables = {
      ...consoleVariables,
      WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8",
      WEBHOOK_EXTRA_CA_FILE: file,
      WEBHOOK_ASSEMBLE_DELAY: "10 millis",
      WEBHOOK_RETRY_SCHEDULE: "1 hour,1 hour",
      ...more
    }
    return Layer.merge(WebhookWorkersLayer, Partitions.layer).pipe(
      Layer.provideMerge(appLayer(variables, options)),
      Layer.provide(configLayer(variables)),
      Layer.provide(Logger.layer([]))
    )
  }))

export const ReceivingLayer = receivingLayer()

/** A receiver that the service trusts. */
export const trustedReceiver = startReceiver({ ca })

/** A club with an endpoint at its own receiver. */
export const receiving = Effect.fn("receiving")(function*(given: Readonly<Record<string, unknown>> = {}) {
  const receiver = yield* trustedReceiver
  const club = yield* foundClub()
  const made = yield* send("POST", `${club.path}/webhook-endpoints`, {
    token: club.token,
    body: { url: receiver.url, event_types: ["student.created"], ...given }
  })
  const id = String(at(made.json, "data", "id"))
  return {
    club,
    receiver,
    id,
    secret: String(at(made.json, "data", "secret")),
    path: `${club.path}/webhook-endpoints/${id}`,
    page: `/console/${club.organization_id}/webhooks/${id}`
  }
})

/** An endpoint at its own receiver. */
export type Received = Effect.Success<ReturnType<typeof receiving>>

/** Sends this many tests, one after the other. */
export const sendTests = Effect.fn("sendTests")(function*(
  { club, path }: Received,
  count: number
) {
  yield* Effect.forEach(
    Array.from({ length: count }),
    () => send("POST", `${path}/test`, { token: club.token }),
    { discard: true }
  )
})

/** Waits until the page shows this text. */
export const sees = (page: Page, text: string | RegExp) =>
  Effect.promise(() => page.getByText(text).filter({ visible: true }).first().waitFor())

/** Presses a button. */
export const press = (page: Page, name: string | RegExp) =>
  Effect.promise(() => page.getByRole("button", { name, exact: typeof name === "string" }).first().click())

/**
 * Adds this many deliveries, a millisecond apart, older or newer than the existing one. The older ones begin a minute
 * before the time in its id, because that time is later than its creation.
 */
export const fill = Effect.fnUntraced(function*({ club, id }: Received, count: number, age: "newer" | "older") {
  const sql = yield* SqlClient.SqlClient
  // Their week may be the one before.
  yield* (yield* Partitions).ensure(webhookTables, DateTime.subtract(yield* DateTime.now, { hours: 1 }))
  const step = age === "newer" ? sql`n` : sql`-n - 60000`
  const made = sql`('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint + ${step}`
  const moment = sql`to_timestamp((${made}) / 1000.0)`
  yield* sql`
    insert into webhook_deliveries (
      club_id, endpoint_id, id, event_id, event_type, status, trigger, created_at, finished_at, attempts_count
    )
    select club_id, endpoint_id, (lpad(to_hex(${made}), 12, '0') || '70008' || substr(md5(n::text), 1, 15))::uuid,
      gen_random_uuid(), 'lesson.completed', 'succeeded', 'schedule', ${moment}, ${moment}, 1
    from webhook_deliveries, generate_series(1, ${count}::int) n
    where club_id = ${club.id}::uuid and endpoint_id = ${id}::uuid and event_type = 'student.created'`
})
