import { Effect, Layer, Logger } from "effect"
import type { Page } from "playwright-core"
import { Partitions } from "../../src/platform/sql/Partitions.ts"
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

/** Sends this many tests, one after the other. */
export const sendTests = Effect.fn("sendTests")(function*(
  { club, path }: Effect.Success<ReturnType<typeof receiving>>,
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
