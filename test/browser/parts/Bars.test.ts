import { assert, describe, it } from "@effect/vitest"
import { barsOf, heightOf, positionOf, roundUp, shareOf } from "../../../src/browser/parts/Bars.ts"

const steps = [{ from: 0, to: 50, students: 3 }, { from: 50, to: 100, students: 1 }, {
  from: 100,
  to: null,
  students: 1
}]

describe("Bars", () => {
  it("stand below a round number", () => {
    assert.deepStrictEqual([0, 1, 3, 7, 10, 11, 199, 501].map(roundUp), [1, 1, 5, 10, 10, 20, 200, 1000])
  })

  it("are as high as their values, and never invisible where there is one", () => {
    assert.deepStrictEqual([heightOf(0, 10), heightOf(5, 10), heightOf(10, 10), heightOf(99, 10)], [0, 50, 100, 100])
    assert.isAbove(heightOf(1, 1_000_000), 1)
    assert.strictEqual(heightOf(5, 0), 0)
  })

  it("stand side by side within the picture", () => {
    const bars = barsOf([1, 2, 3, 4], 5)
    for (const [index, { width, x }] of bars.entries()) {
      assert.isAtLeast(x, index * 25)
      assert.isAtMost(x + width, (index + 1) * 25)
    }
    assert.deepStrictEqual(barsOf([], 5), [])
  })

  it("of a histogram have lines where their points are, and at the end those beyond", () => {
    assert.deepStrictEqual([0, 50, 75, 150, 9999].map((points) => Math.round(positionOf(points, steps))), [
      0,
      33,
      50,
      100,
      100
    ])
    assert.strictEqual(positionOf(1, [{ from: 0, to: null, students: 4 }]), 100)
    assert.strictEqual(positionOf(5, []), 100)
  })

  it("that fill up are full where there is no allowance and something is used", () => {
    assert.deepStrictEqual([shareOf(0, 0), shareOf(1, 0), shareOf(1, 4), shareOf(9, 4)], [0, 1, 0.25, 1])
  })
})
