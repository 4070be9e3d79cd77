import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import { drainOf } from "../../../../src/webhooks/history/recovery/Drain.ts"

const now = DateTime.makeUnsafe(0)

const facts = {
  endpoint_status: "enabled",
  is_held: false,
  max_per_second: null,
  is_canceled: null,
  rate: 4,
  begun_at: now,
  ended_at: null,
  total: 10_000,
  by_type: [],
  by_day: []
} as const

describe("a drain", () => {
  it.each([[9_999, 9_999, false], [10_000, 10_000, false], [10_001, 10_000, true]] as const)(
    "of which %d are left shows %d, capped: %s",
    (waiting, remaining, capped) => {
      assert.deepInclude(drainOf({ ...facts, waiting }, now), { remaining, capped })
    }
  )

  it("ends once what is left has begun at the lower of its rates, and nobody knows when while held", () => {
    const endsAt = (given: object) => drainOf({ ...facts, waiting: 9, ...given }, now).ends_at
    assert.deepStrictEqual(endsAt({}), DateTime.makeUnsafe(3000))
    assert.deepStrictEqual(endsAt({ max_per_second: 2 }), DateTime.makeUnsafe(5000))
    assert.deepStrictEqual(endsAt({ max_per_second: 20 }), DateTime.makeUnsafe(3000))
    assert.isNull(endsAt({ is_held: true }))
    assert.isNull(endsAt({ rate: null, is_canceled: true }))
  })
})
