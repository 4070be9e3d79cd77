import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { mayPass, pauseAfter } from "../../../src/browser/client/Passing.ts"
import { TurmaConnectionError, TurmaError, TurmaTimeoutError } from "../../../src/sdk/index.ts"

const failed = (status: number, retryAfter?: number) =>
  new TurmaError({ status, code: "busy", message: "Busy", retryAfter })

const Failures = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 60 }))
const Part = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 }))

describe("A read that failed", () => {
  it("may succeed later where nothing was reached, or the service is busy or at fault", () => {
    const passing = [new TurmaConnectionError("Gone"), new TurmaTimeoutError(1), failed(429), failed(500), failed(503)]
    assert.deepStrictEqual(passing.filter(mayPass), passing)
    assert.deepStrictEqual([failed(400), failed(401), failed(403), failed(404)].filter(mayPass), [])
    assert.isFalse(mayPass(new TurmaError({ code: "page", message: "A fault of the page" })))
  })

  it.prop(
    "is tried again after one to thirty seconds, and no sooner than the service asks",
    [Failures, Part],
    ([n, part]) => {
      const pause = pauseAfter(n, failed(503), part)
      assert.isAtLeast(pause, 1000)
      assert.isAtMost(pause, 30_000)
      assert.isAtLeast(pauseAfter(n + 1, failed(503), part), pause)
      assert.isAtLeast(pauseAfter(n, failed(429, 60), part), 60_000)
    }
  )
})
