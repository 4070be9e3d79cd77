import { assert, describe, it } from "@effect/vitest"
import { Roster } from "../../../src/platform/jobs/Roster.ts"

const rosterOf = (...members: ReadonlyArray<string>) => {
  const roster = new Roster<string>()
  return { roster, places: members.map((member) => roster.add(member)) }
}

describe("a roster", () => {
  it("has its members in the order in which they came", () => {
    const { roster } = rosterOf("a", "b", "c")
    assert.deepStrictEqual(roster.members(), ["a", "b", "c"])
    assert.strictEqual(roster.first?.member, "a")
  })

  it("is empty once all have gone, from wherever they stood", () => {
    for (const order of [[0, 1, 2], [2, 1, 0], [1, 0, 2], [1, 2, 0]]) {
      const { places, roster } = rosterOf("a", "b", "c")
      const left = new Set(["a", "b", "c"])
      for (const index of order) {
        const place = places[index]
        if (place === undefined) throw new Error("No such place")
        roster.remove(place)
        left.delete(place.member)
        assert.deepStrictEqual(roster.members(), [...left])
      }
      assert.isUndefined(roster.first)
      roster.add("d")
      assert.deepStrictEqual(roster.members(), ["d"])
    }
  })

  it("has nothing against a second removal", () => {
    const { places: [a], roster } = rosterOf("a", "b")
    if (a === undefined) throw new Error("No such place")
    roster.remove(a)
    roster.remove(a)
    assert.deepStrictEqual(roster.members(), ["b"])
  })

  it("lets go of one that is removed and of those beside it", () => {
    const { places, roster } = rosterOf("a", "b", "c")
    const [, b] = places
    if (b === undefined) throw new Error("No such place")
    roster.remove(b)
    assert.isUndefined(b.previous)
    assert.isUndefined(b.next)
  })
})
