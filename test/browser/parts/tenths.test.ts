import { assert, describe, it } from "@effect/vitest"
import { tenthOf } from "../../../src/browser/parts/tenths.ts"

describe("Progress", () => {
  it("is announced once for each tenth of the way, and at its end", () => {
    const told = Array.from({ length: 3001 }, (_, done) => tenthOf(done, 3000))
    assert.deepStrictEqual([...new Set(told)], [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1])
    assert.strictEqual(told[2999], 0.9)
  })

  it("is at its end where there is nothing to do, and never beyond", () => {
    assert.deepStrictEqual([tenthOf(0, 0), tenthOf(7, 5), tenthOf(-1, 5)], [1, 1, 0])
  })
})
