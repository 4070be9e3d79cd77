import { assert, describe, it } from "@effect/vitest"
import { trendOf } from "./Flatness.ts"

/** Six days with 24 samples each. */
const samples = (valueAt: (day: number, hour: number) => number) =>
  Array.from({ length: 144 }, (_, n) => ({ day: n / 24, value: valueAt(Math.floor(n / 24), n % 24) }))

const allowance = { share: 0.1, beside: 0 }

describe("A series", () => {
  it("is flat where each day is as the one before, whatever its hours are", () => {
    const { days, isFlat, rise } = trendOf(samples((_, hour) => 100 + hour * 10), allowance)
    assert.deepStrictEqual([days, rise, isFlat], [[215, 215, 215, 215, 215], 0, true])
  })

  it("is not flat where it rises a little every day", () => {
    const { isFlat, rise } = trendOf(samples((day) => 100 + day * 4), allowance)
    assert.deepStrictEqual([rise, isFlat], [16, false])
  })

  it("may rise on the first day as it likes", () => {
    assert.isTrue(trendOf(samples((day) => day === 0 ? 10 : 100), allowance).isFlat)
  })

  it("may have one odd day", () => {
    assert.isTrue(trendOf(samples((day) => day === 4 ? 300 : 100), allowance).isFlat)
  })

  it("may fall, and rise within what is allowed", () => {
    assert.isTrue(trendOf(samples((day) => 100 - day * 10), allowance).isFlat)
    assert.isTrue(trendOf(samples((day) => 100 + day * 4), { share: 0, beside: 16 }).isFlat)
    assert.isFalse(trendOf(samples((day) => 100 + day * 4), { share: 0, beside: 15 }).isFlat)
  })

  it("is not called flat before two days count", () => {
    assert.isFalse(trendOf(samples(() => 1).slice(0, 48), allowance).isFlat)
    assert.isTrue(trendOf(samples(() => 1).slice(0, 49), allowance).isFlat)
    assert.isFalse(trendOf([], allowance).isFlat)
  })
})
