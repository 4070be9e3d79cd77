import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { Outbox } from "../../src/events/Outbox.ts"
import { Partitions } from "../../src/platform/sql/Partitions.ts"
import { LaneChanges } from "../../src/webhooks/engine/lane/LaneChanges.ts"
import { Assembler } from "../../src/webhooks/events/assembly/Assembler.ts"
import { appLayer, at, send } from "../harness/App.ts"
import type { Everything } from "./EveryOperation.ts"

/** The service, and the assembler of webhook deliveries, which the test drives. */
export const deliveringLayer = (variables: Record<string, string>) =>
  Assembler.layer.pipe(
    Layer.provideMerge(Layer.mergeAll(LaneChanges.layer, Outbox.layer, Partitions.layer)),
    Layer.provideMerge(appLayer({ BILLING_PROVIDER: "local", ...variables }))
  )

/** Assembles the webhook deliveries. Answers the ids of a delivery to the club's endpoint and of its event. */
export const delivered = Effect.fnUntraced(function*({ club, ids }: Everything) {
  yield* TestClock.adjust("1 minute")
  yield* (yield* Assembler).assemble()
  const { json, text } = yield* send("GET", `${club.path}/webhook-endpoints/${ids["endpointId"]}/deliveries`, club)
  const of = (key: string) => {
    const id = at(json, "data", 0, key)
    return typeof id === "string" ? id : assert.fail(text)
  }
  return { webhookDeliveryId: of("id"), eventId: of("event_id") }
})
