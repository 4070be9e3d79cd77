import { assert, describe, it } from "@effect/vitest"
import { daysIn, pagesOf, statusOf } from "../../../../src/console/views/assistant/questions.ts"

describe("The questions to the assistant", () => {
  it("are filtered by what an address says, if that means anything", () => {
    assert.strictEqual(statusOf("failed"), "failed")
    assert.strictEqual(statusOf("<script>"), undefined)
    assert.strictEqual(statusOf(null), undefined)
  })

  it("have citations with pages where their sources have some", () => {
    assert.deepStrictEqual(pagesOf({ page_from: 3, page_to: 5 }), [3, 5])
    assert.deepStrictEqual(pagesOf({ page_from: 3, page_to: null }), [3, 3])
    assert.strictEqual(pagesOf({ page_from: null, page_to: null }), undefined)
  })

  it("have a budget that is spread over the days of the month, leap years' too", () => {
    const days = ["2026-11-01", "2026-12-01", "2026-02-01", "2028-02-01", "2100-02-01"].map(daysIn)
    assert.deepStrictEqual(days, [30, 31, 28, 29, 28])
  })
})
