import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import type { Waits } from "../../../../src/platform/http/request/OutsideWaits.ts"
import { Unanswered } from "../../../../src/platform/http/server/Unanswered.ts"
import { eventually } from "../../../harness/Eventually.ts"
import { foundOnSaturday, WebhooksLayer } from "../../Registering.ts"
import { knock, makeInbox, taken } from "./Playing.ts"

/** The count of each request while it waits, but not for the database. */
const waits: Array<Waits> = []

const spied = Layer.succeed(Unanswered, {
  enter: (_, outside) => {
    waits.push(outside)
    return () => {}
  },
  giveUpAll: () => {},
  watch: Effect.void
})

layer(WebhooksLayer.pipe(Layer.provide(spied)))("An inbox that answers late", (it) => {
  it.effect("is not given up on as if it waited for the database, and answers as it was told", () =>
    Effect.gen(function*() {
      const inbox = yield* makeInbox(yield* foundOnSaturday, { delay_ms: 20_000, status: 201 })
      const waiting = () => waits.filter(({ count }) => count > 0).length
      const late = yield* Effect.forkChild(knock(inbox))
      yield* eventually(Effect.sync(waiting), (number) => number === 1)
      assert.strictEqual((yield* taken(inbox)).length, 1)
      assert.isUndefined(late.pollUnsafe())
      yield* eventually(
        Effect.andThen(TestClock.adjust("20 seconds"), Effect.sync(() => late.pollUnsafe() !== undefined)),
        (is) => is
      )
      assert.strictEqual((yield* Fiber.join(late)).status, 201)
      assert.strictEqual(waiting(), 0)
    }))
})
