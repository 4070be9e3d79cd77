import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { ClubId } from "../../../src/identity/ids/ClubId.ts"
import { Places } from "../../../src/webhooks/dispatch/Places.ts"

const club = (n: number) => ClubId.make(`00000000-0000-7000-8000-${`${n}`.padStart(12, "0")}`)

/** Takes places as the dispatcher does, with these clubs' lanes due, 20 each; says how many places each club has. */
const fill = (places: Places, clubs: number) => {
  const taken = Array.from({ length: clubs }, () => 0)
  while (true) {
    const shared = new Set(places.withShare())
    const due = taken.flatMap((count, n) => shared.has(club(n)) ? [] : Array.from({ length: 20 - count }, () => n))
    const leased = due.slice(0, places.room)
    if (leased.length === 0) return taken
    for (const n of leased) {
      places.take(club(n))
      taken[n] = (taken[n] ?? 0) + 1
    }
  }
}

const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

describe("the lanes that a process holds", () => {
  it("are all of one club's endpoints where there is room", () => {
    assert.deepStrictEqual(fill(new Places(128), 1), [20])
  })

  it("leave places free however many endpoints seven clubs have", () => {
    const places = new Places(128)
    const taken = fill(places, 7)
    assert.isAtLeast(128 - taken.reduce((sum, count) => sum + count), 4)
    assert.isFalse(places.hasShare(club(99)))
    assert.isAbove(places.room, 0)
  })

  it("are one, and anybody's, in the smallest process", () => {
    const places = new Places(1)
    assert.deepStrictEqual(fill(places, 1), [1])
    assert.strictEqual(places.room, 0)
    assert.isTrue(places.hasShare(club(0)))
    assert.isTrue(places.hasShare(club(1)))
  })

  it.prop(
    "are never more than the capacity, and are all there again once given back",
    { capacity: between(1, 300), clubs: between(1, 60) },
    ({ capacity, clubs }) => {
      const places = new Places(capacity)
      const taken = fill(places, clubs)
      assert.isAtMost(taken.reduce((sum, count) => sum + count), capacity)
      for (const [n, count] of taken.entries()) for (let each = 0; each < count; each += 1) places.giveBack(club(n))
      assert.strictEqual(places.room, Math.ceil(capacity / 2))
      assert.deepStrictEqual(places.withShare(), [])
    }
  )
})
