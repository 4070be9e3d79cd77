import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { type Heights, measured, placeIn, unmeasured } from "../../../src/browser/parts/Heights.ts"
import { windowOf } from "../../../src/browser/parts/Window.ts"

const Height = Schema.Int.check(Schema.isBetween({ minimum: 20, maximum: 500 }))
const rows = Schema.Array(Height).check(Schema.isMinLength(1), Schema.isMaxLength(200))
const place = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100_000 }))

const visible = 800

/** The heights once a page has come to rest that is this far down, and how often it was drawn. */
const atRest = (trueHeights: ReadonlyArray<number>, heights: Heights, down: number, drawn = 1): [Heights, number] => {
  const placeOf = placeIn(heights)
  // A browser does not let a page end above its lower edge.
  const top = -Math.max(0, Math.min(down, placeOf(trueHeights.length) - visible))
  const { from, to } = windowOf({ rows: trueHeights.length, placeOf, top, visible })
  const shown = trueHeights.slice(from, to).map((height, index) => [from + index, height] as const)
  const next = measured(heights, 390, shown)
  return next === heights ? [heights, drawn] : atRest(trueHeights, next, down, drawn + 1)
}

describe("A table whose rows have their own heights", () => {
  it.prop("comes to rest wherever it is scrolled to", [rows, place, place], ([trueHeights, first, second]) => {
    const [heights] = atRest(trueHeights, unmeasured(44), first)
    const [known, drawn] = atRest(trueHeights, heights, second)
    assert.isAtMost(drawn, trueHeights.length + 1)
    const ends = trueHeights.map((_, row) => placeIn(known)(row + 1))
    assert.isTrue(ends.every((end, row) => end > placeIn(known)(row)))
  })

  it.prop("has each row in its place after all were seen", [rows], ([trueHeights]) => {
    const all = trueHeights.map((height, row) => [row, height] as const)
    const heights = measured(unmeasured(44), 390, all)
    assert.strictEqual(measured(heights, 390, all), heights)
    let sum = 0
    trueHeights.forEach((height, row) => {
      assert.approximately(placeIn(heights)(row), sum, 0.5 * row + 1e-6)
      sum += height
    })
  })

  it("forgets its heights where the page gets another width", () => {
    const heights = measured(unmeasured(44), 390, [[0, 100], [1, 60]])
    const wide = measured(heights, 1280, [[0, 40], [1, 40]])
    assert.deepStrictEqual(wide, { width: 1280, usual: 40, others: new Map() })
  })
})
