import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { Adjustment } from "../../../src/learning/gamification/PointEntry.ts"

describe("what an adjustment takes", () => {
  const decode = Schema.decodeUnknownResult(Adjustment)

  it.each([-1_000_000, -1, 1, 1_000_000])("%d points", (points) => {
    assert.isTrue(Result.isSuccess(decode({ points, reason: "a" })))
  })

  it.each([-1_000_001, 0, 0.5, 1_000_001, "5"])("not %s points", (points) => {
    assert.isTrue(Result.isFailure(decode({ points, reason: "a" })))
  })

  it("a reason of 1 to 500 characters", () => {
    assert.isTrue(Result.isSuccess(decode({ points: 1, reason: "é".repeat(500) })))
    for (const reason of ["", "a".repeat(501), null, undefined]) {
      assert.isTrue(Result.isFailure(decode({ points: 1, reason })))
    }
  })
})
