import { assert, describe, it } from "@effect/vitest"
import { recoverySince, sentAtLeast } from "../../../../../src/console/views/webhooks/model/Recovery.ts"

const opened = Date.UTC(2026, 7, 31, 12)
const minute = 60_000

describe("A recovery", () => {
  it("reaches back from when its dialog was opened, so that it sends again what was counted", () => {
    assert.strictEqual(recoverySince(24, opened, opened + 20 * minute), "2026-08-30T12:00:00.000Z")
  })

  it("never asks for more than 30 days, however long its dialog is open", () => {
    assert.strictEqual(recoverySince(720, opened, opened), "2026-08-01T12:00:00.000Z")
    assert.strictEqual(recoverySince(720, opened, opened + 20 * minute), "2026-08-01T12:20:00.000Z")
  })

  it("has sent all that cannot be among what waits", () => {
    assert.strictEqual(sentAtLeast(50, { queue_depth: 12, queue_depth_capped: false }), 38)
    assert.strictEqual(sentAtLeast(50, { queue_depth: 0, queue_depth_capped: false }), 50)
    assert.strictEqual(sentAtLeast(50, { queue_depth: 70, queue_depth_capped: false }), 0)
  })

  it("has sent nobody knows how much while more wait than are counted", () => {
    assert.strictEqual(sentAtLeast(50_000, { queue_depth: 10_000, queue_depth_capped: true }), 0)
  })
})
