import { assert, describe, it, layer } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { Outbox } from "../../src/events/Outbox.ts"
import { Partitions } from "../../src/platform/sql/Partitions.ts"
import { Assembler } from "../../src/webhooks/assembly/Assembler.ts"
import { LaneChanges } from "../../src/webhooks/lane/LaneChanges.ts"
import { appLayer, at, send } from "../harness/App.ts"
import { operations } from "../harness/Document.ts"
import { localFolder } from "../platform/storage/local/LocalFolder.ts"
import { askedWith, everything, inOrder } from "./EveryOperation.ts"
import { exampleBody } from "./ExampleBodies.ts"
import { answerFaults, faultsOf } from "./ExampleSchemas.ts"

// Whoever sends what the description shows is understood.

const { folder } = localFolder()

/** The day on which everything in the examples happens. */
const day = "2026-04-01T09:30:00.000Z"

/** What this walk does not succeed in, and why. */
const unreached: Record<string, string> = {
  "POST /v1/clubs/{clubId}/billing/portal": "501: only Stripe has one",
  "POST /v1/clubs/{clubId}/billing/checkout": "501: only Stripe has one",
  "POST /v1/clubs/{clubId}/billing/subscriptions/{subscriptionId}/confirm": "only Stripe makes what is confirmed"
}

const ServiceLayer = Assembler.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(LaneChanges.layer, Outbox.layer, Partitions.layer)),
  Layer.provideMerge(appLayer({ DATA_DIR: folder, BILLING_PROVIDER: "local" }))
)

describe("The example of", () => {
  const examples = operations.flatMap((operation) => [
    { where: `${operation.name} takes`, media: at(operation.requestBody, "content", "application/json") },
    ...Object.entries(operation.responses).filter(([status]) => status < "300").map(([status, { content }]) => ({
      where: `${operation.name} answers ${status}`,
      media: content?.["application/json"]
    }))
  ]).filter(({ media }) => media !== undefined)

  it("every request and answer is what its own schema says", () => {
    assert.isAbove(examples.length, 300)
    const wrong = examples.map(({ media, where }) => ({
      where,
      faults: faultsOf(at(media, "schema"), at(media, "example"))
    }))
    assert.deepStrictEqual(wrong.filter(({ faults }) => faults.length > 0), [])
  })
})

layer(ServiceLayer, { timeout: "120 seconds" })(
  "What the description shows",
  (it) => {
    it.effect("is accepted by every operation, and answered as described", () =>
      Effect.gen(function*() {
        yield* TestClock.setTime(DateTime.makeUnsafe(day).epochMilliseconds)
        const world = yield* everything
        yield* TestClock.adjust("1 minute")
        yield* (yield* Assembler).assemble()
        const { club, ids } = world
        const deliveries = yield* send("GET", `${club.path}/webhook-endpoints/${ids["endpointId"]}/deliveries`, club)
        const delivery = (key: string) => String(at(deliveries.json, "data", 0, key))
        const more = { webhookDeliveryId: delivery("id"), eventId: delivery("event_id") }
        const refused: Array<string> = []
        const undescribed: Array<string> = []
        for (const operation of inOrder(operations)) {
          const { path, tokens } = askedWith(operation, world, more)
          const body = exampleBody(operation, world)
          const answers: Array<string> = []
          let isDone = false
          for (const token of tokens) {
            if (isDone) break
            const { json, status, text } = yield* send(operation.method, path, {
              ...(token === undefined ? {} : { token }),
              ...(body === undefined ? {} : { body })
            })
            isDone = status >= 200 && status < 300
            answers.push(`${status} ${text.slice(0, 110)}`)
            const faults = isDone ? answerFaults(operation, status, json) : []
            if (faults.length > 0) undescribed.push(`${operation.name}: ${faults.join(", ")}`)
          }
          if (!isDone && unreached[operation.name] === undefined) {
            refused.push(`${operation.name}: ${answers.join(" | ")} <- ${JSON.stringify(body)}`)
          }
        }
        assert.deepStrictEqual(refused, [])
        assert.deepStrictEqual(undescribed, [])
      }))
  }
)
