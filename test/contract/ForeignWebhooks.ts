import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { Outbox } from "../../src/events/Outbox.ts"
import { Partitions } from "../../src/platform/sql/Partitions.ts"
import { LaneChanges } from "../../src/webhooks/engine/lane/LaneChanges.ts"
import { Assembler } from "../../src/webhooks/events/assembly/Assembler.ts"
import { AppLayer, at, type foundClub, listAt, send } from "../harness/App.ts"
import { makeEndpoint } from "../harness/Webhooks.ts"

/** The app, and the assembler of its events, which the test drives. */
export const AssemblingLayer = Assembler.layer.pipe(
  Layer.provide([LaneChanges.layer, Outbox.layer]),
  Layer.provideMerge(Partitions.layer),
  Layer.provideMerge(AppLayer)
)

/** One item of every kind of outgoing webhooks, by the parameters of paths, and a cursor of the feed. */
export const webhooksOf = Effect.fnUntraced(function*(club: Effect.Success<ReturnType<typeof foundClub>>) {
  const { path, token } = club
  const post = (to: string, body: unknown) => send("POST", `${path}${to}`, { token, body })
  const read = (to: string) => Effect.map(send("GET", `${path}${to}`, { token }), ({ json }) => json)
  const idIn = ({ json, text }: { readonly json: unknown; readonly text: string }) => {
    const id = at(json, "data", "id")
    return typeof id === "string" ? id : assert.fail(text)
  }
  const { id: endpointId } = yield* makeEndpoint(club)
  yield* post("/students", { name: "Bia", email: "bia@example.com" })
  yield* TestClock.adjust("2 seconds")
  yield* Effect.flatMap(Assembler, ({ assemble }) => assemble())
  const feed = yield* read("/events")
  const [delivery] = listAt(yield* read(`/webhook-endpoints/${endpointId}/deliveries`), "data")
  const inbox = yield* post("/webhook-inboxes", {})
  const inboxId = idIn(inbox)
  yield* send("POST", new URL(String(at(inbox.json, "data", "url"))).pathname, { body: {} })
  const ids = {
    endpointId,
    webhookDeliveryId: String(at(delivery, "id")),
    eventId: String(at(delivery, "event_id")),
    recoveryId: idIn(yield* post(`/webhook-endpoints/${endpointId}/recoveries`, { since: "1970-01-01T00:00:00Z" })),
    gradingId: idIn(yield* post(`/webhook-endpoints/${endpointId}/grade`, {})),
    listenerId: idIn(yield* post("/webhook-listeners", { event_types: ["student.created"] })),
    inboxId,
    requestId: String(at(yield* read(`/webhook-inboxes/${inboxId}/requests`), "data", 0, "id"))
  }
  assert.include(JSON.stringify(feed), ids.eventId)
  assert.notInclude(Object.values(ids), "undefined")
  return { ids, cursor: String(at(feed, "cursor")) }
})
