import { assert, describe, it, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { at, send } from "../harness/App.ts"
import { operations } from "../harness/Document.ts"
import { localFolder } from "../platform/storage/local/LocalFolder.ts"
import { delivered, deliveringLayer } from "./Delivered.ts"
import { askedWith, everything, inOrder } from "./EveryOperation.ts"
import { exampleBody } from "./ExampleBodies.ts"
import { answerFaults, faultsOf } from "./ExampleSchemas.ts"

// The service understands a request that copies the example in the description.

const { folder } = localFolder()

/** The day of all events in the examples. */
const day = "2026-04-01T09:30:00.000Z"

/** Operations that do not succeed in this walk, and why. */
const unreached: Record<string, string> = {
  "POST /v1/clubs/{clubId}/billing/portal": "501: only Stripe has one",
  "POST /v1/clubs/{clubId}/billing/checkout": "501: only Stripe has one",
  "POST /v1/clubs/{clubId}/billing/subscriptions/{subscriptionId}/confirm": "only Stripe makes what is confirmed"
}

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

layer(deliveringLayer({ DATA_DIR: folder }))(
  "What the description shows",
  (it) => {
    it.effect("is accepted by every operation, and answered as described", () =>
      Effect.gen(function*() {
        yield* TestClock.setTime(DateTime.makeUnsafe(day).epochMilliseconds)
        const world = yield* everything
        const more = yield* delivered(world)
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
