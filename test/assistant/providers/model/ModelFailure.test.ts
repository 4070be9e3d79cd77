import { assert, describe, it } from "@effect/vitest"
import { Duration, Option } from "effect"
import type { AiError } from "effect/ai"
import {
  brokenOff,
  contentRefused,
  malformed,
  retryAfterOf,
  retryWait,
  statusError,
  timedOut,
  unreachable
} from "../../../../src/assistant/providers/model/ModelFailure.ts"
import { modelTimes } from "../../../../src/assistant/providers/model/ModelTimes.ts"

const waits = ({ reason }: AiError.AiError) =>
  [0, 1, 2].map((retries) => Option.getOrNull(Option.map(retryWait(reason, retries, modelTimes), Duration.toMillis)))

describe("before another attempt", () => {
  it.each([
    ["overloaded", statusError(529, "")],
    ["broken off", brokenOff()],
    ["out of reach", unreachable("POST", "http://127.0.0.1")]
  ])("at a model that is %s the wait doubles, twice at most", (_what, failure) => {
    assert.deepStrictEqual(waits(failure), [500, 1000, null])
  })

  it("at a model that is asked too often the wait is what it says, once, up to 5 seconds", () => {
    assert.deepStrictEqual(waits(statusError(429, "", Duration.seconds(5))), [5000, null, null])
    assert.deepStrictEqual(waits(statusError(429, "", Duration.seconds(6))), [null, null, null])
    assert.deepStrictEqual(waits(statusError(429, "")), [500, null, null])
  })

  it.each([
    ["is out of time", timedOut()],
    ["refuses", contentRefused()],
    ["makes no sense", malformed()],
    ["does not know the key", statusError(401, "")],
    ["does not take the request", statusError(400, "")]
  ])("where the model %s there is none", (_what, failure) => {
    assert.deepStrictEqual(waits(failure), [null, null, null])
  })
})

describe("Retry-After", () => {
  it.each([["0", 0], ["7", 7000], ["Wed, 21 Oct 2026 07:28:00 GMT", null], ["-1", null], ["", null], [
    undefined,
    null
  ]])(
    "of %s is read as %s milliseconds",
    (header, millis) => {
      const wait = retryAfterOf(header)
      assert.strictEqual(wait === undefined ? null : Duration.toMillis(wait), millis)
    }
  )
})
