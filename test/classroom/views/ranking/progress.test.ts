import { assert, describe, it } from "@effect/vitest"
import { periodIn, progressOf } from "../../../../src/classroom/views/ranking/progress.ts"

describe("The way to the next level", () => {
  const [bronze, silver] = [{ min_points: 0 }, { min_points: 100 }]

  it("is the part of the points between both", () => {
    assert.deepStrictEqual(progressOf(130, silver, { min_points: 300 }), { done: 30, whole: 200 })
  })

  it("is never below its start, though the staff took more points than there were", () => {
    assert.deepStrictEqual(progressOf(-20, bronze, silver), { done: 0, whole: 100 })
  })
})

describe("The period of an address", () => {
  it("is all time unless it is one that there is", () => {
    assert.deepStrictEqual(["7d", "30d", "1d", null].map(periodIn), ["7d", "30d", "all", "all"])
  })
})
