import { assert, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { HttpClientRequest, HttpClientResponse } from "effect/http"
import { TestClock } from "effect/testing"
import { oneOf, pageOf } from "../../../src/cli/remote/Answers.ts"

const url = "https://turma.example"

/** An answer that begins and never ends. */
const stalled = (status: number) => {
  const body = new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode("{\"data\":")) })
  return HttpClientResponse.fromWeb(HttpClientRequest.get(url), new Response(body, { status }))
}

it.effect.each([200, 500])(
  "An answer %i that begins and never ends keeps no command waiting for ever",
  (status) =>
    Effect.gen(function*() {
      for (const ask of [oneOf, pageOf]) {
        const asking = yield* Effect.forkChild(Effect.flip(ask(url, Effect.sync(() => stalled(status)))))
        yield* TestClock.adjust("61 seconds")
        const { message } = yield* Fiber.join(asking)
        assert.strictEqual(message, `${url} does not answer within 60 seconds`)
      }
    })
)
