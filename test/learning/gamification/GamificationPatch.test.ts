import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { GamificationPatch } from "../../../src/learning/gamification/Gamification.ts"

const decodePatch = Schema.decodeUnknownResult(GamificationPatch, { onExcessProperty: "error" })

describe("a change of the gamification", () => {
  const rule = { action: "comment_posted", points: 5 }

  it("takes rules of 0 to 1000 points", () => {
    for (const points of [0, 1000]) assert.isTrue(Result.isSuccess(decodePatch({ rules: [{ ...rule, points }] })))
    for (const points of [-1, 1001, 0.5]) assert.isTrue(Result.isFailure(decodePatch({ rules: [{ ...rule, points }] })))
  })

  it.each([
    ["a daily cap, which the platform fixes", [{ ...rule, daily_cap: 5 }]],
    ["a rule for adjustments", [{ action: "adjustment", points: 5 }]],
    ["an unknown action", [{ action: "login", points: 5 }]],
    ["two rules for one action", [rule, { ...rule, points: 6 }]],
    ["a rule without points", [{ action: "quiz_passed" }]]
  ])("does not take %s", (_, rules) => {
    assert.isTrue(Result.isFailure(decodePatch({ rules })))
  })

  it("does not take null or levels", () => {
    assert.isTrue(Result.isFailure(decodePatch({ enabled: null })))
    assert.isTrue(Result.isFailure(decodePatch({ levels: [{ name: "Prata", min_points: 0 }] })))
  })
})
