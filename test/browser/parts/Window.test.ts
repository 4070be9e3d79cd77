import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { windowOf } from "../../../src/browser/parts/Window.ts"

const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

describe("The rows of a table that are there", () => {
  it.prop(
    "are all that can be seen, and not many more, however long the table is",
    [between(0, 100_000), between(20, 200), between(-5_000_000, 2000), between(100, 3000)],
    ([rows, height, top, visible]) => {
      const { from, to } = windowOf({ rows, placeOf: (row) => row * height, top, visible })
      assert.isTrue(0 <= from && from <= to && to <= rows)
      const firstSeen = Math.max(0, Math.floor(-top / height))
      const lastSeen = Math.min(rows, Math.ceil((visible - top) / height))
      if (firstSeen < lastSeen) {
        assert.isAtMost(from, firstSeen)
        assert.isAtLeast(to, lastSeen)
      }
      assert.isAtMost(to - from, Math.ceil(visible / height) + 32)
    }
  )
})
