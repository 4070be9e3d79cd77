import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { ClubId } from "../../../../src/identity/ids/ClubId.ts"
import { LaneCapacity } from "../../../../src/webhooks/engine/dispatch/LaneCapacity.ts"

const club = (n: number) => ClubId.make(`00000000-0000-7000-8000-${`${n}`.padStart(12, "0")}`)

/** Claims lanes as the dispatcher does, with 20 lanes of each club due. Returns the count of each club. */
const fill = (lanes: LaneCapacity, clubs: number) => {
  const taken = Array.from({ length: clubs }, () => 0)
  while (true) {
    const shared = new Set(lanes.clubsAtShare())
    const due = taken.flatMap((count, n) => shared.has(club(n)) ? [] : Array.from({ length: 20 - count }, () => n))
    const leased = due.slice(0, lanes.claimLimit)
    if (leased.length === 0) return taken
    for (const n of leased) {
      lanes.acquire(club(n))
      taken[n] = (taken[n] ?? 0) + 1
    }
  }
}

const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

describe("the lanes that a process holds", () => {
  it("are all of one club's endpoints where there is room", () => {
    assert.deepStrictEqual(fill(new LaneCapacity(128), 1), [20])
  })

  it("leave places free however many endpoints seven clubs have", () => {
    const lanes = new LaneCapacity(128)
    const taken = fill(lanes, 7)
    assert.isAtLeast(128 - taken.reduce((sum, count) => sum + count), 4)
    assert.isFalse(lanes.isAtShare(club(99)))
    assert.isAbove(lanes.claimLimit, 0)
  })

  it("are one, and anybody's, in the smallest process", () => {
    const lanes = new LaneCapacity(1)
    assert.deepStrictEqual(fill(lanes, 1), [1])
    assert.strictEqual(lanes.claimLimit, 0)
    assert.isTrue(lanes.isAtShare(club(0)))
    assert.isTrue(lanes.isAtShare(club(1)))
  })

  it.prop(
    "are never more than the capacity, and are all there again once given back",
    { capacity: between(1, 300), clubs: between(1, 60) },
    ({ capacity, clubs }) => {
      const lanes = new LaneCapacity(capacity)
      const taken = fill(lanes, clubs)
      assert.isAtMost(taken.reduce((sum, count) => sum + count), capacity)
      for (const [n, count] of taken.entries()) for (let each = 0; each < count; each += 1) lanes.release(club(n))
      assert.strictEqual(lanes.claimLimit, Math.ceil(capacity / 2))
      assert.deepStrictEqual(lanes.clubsAtShare(), [])
    }
  )
})
