import { assert, describe, it } from "@effect/vitest"
import { DateTime, Duration, Option, Schema } from "effect"
import { parseRetryAfter } from "../../../../src/webhooks/engine/dispatch/RetryAfter.ts"

const now = DateTime.makeUnsafe("1994-11-06T08:00:00Z")
const secondsOf = (value: string | null) =>
  Option.getOrNull(Option.map(parseRetryAfter(value, now), Duration.toSeconds))
const longest = 2 ** 31 - 1

describe("Retry-After", () => {
  it.each([["0", 0], ["1", 1], ["120", 120], [" 7 ", 7], ["007", 7], ["36001", 36_001]])(
    "is whole seconds: %j is %i",
    (value, seconds) => {
      assert.strictEqual(secondsOf(value), seconds)
    }
  )

  it.each(["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"])(
    "is an HTTP date: %s",
    (value) => {
      assert.strictEqual(secondsOf(value), 49 * 60 + 37)
    }
  )

  it("is nothing where there is no header", () => {
    assert.isNull(secondsOf(null))
  })

  it.each([
    "",
    " ",
    "-1",
    "-0",
    "+1",
    "NaN",
    "Infinity",
    "120.5",
    "1e3",
    "0x10",
    "1,2",
    "120, 240",
    "5 minutes",
    "soon",
    "١٢",
    "1994-11-06T08:49:37Z",
    "Sun, 31 Feb 1995 08:49:37 GMT",
    "Sun, 06 Nov 1994 25:00:00 GMT",
    "Sun, 06 Nov 1994 08:49:37 +0100"
  ])("is not %j", (value) => {
    assert.isNull(secondsOf(value))
  })

  it.each(["Sun, 06 Nov 1994 07:59:59 GMT", "Thu, 01 Jan 1970 00:00:00 GMT"])(
    "is not a date that has passed: %s",
    (value) => {
      assert.isNull(secondsOf(value))
    }
  )

  it.each(["9".repeat(12), "9".repeat(400), "Fri, 31 Dec 9999 23:59:59 GMT"])(
    "is at most what an integer column holds, whatever is sent: %s",
    (value) => {
      assert.strictEqual(secondsOf(value), longest)
    }
  )

  it.prop("is never negative, never endless and never a defect, whatever is sent", [Schema.String], ([value]) => {
    const seconds = secondsOf(value)
    assert.isTrue(seconds === null || (seconds >= 0 && seconds <= longest))
  })
})
