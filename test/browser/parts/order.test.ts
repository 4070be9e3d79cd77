import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { inOrderOf, landingAt, mergedOrder, moved } from "../../../src/browser/parts/order.ts"

const Names = Schema.Array(Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))).check(
  Schema.isUnique(),
  Schema.isMinLength(1),
  Schema.isMaxLength(30)
)
const Place = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 29 }))
const Anywhere = Schema.Int.check(Schema.isBetween({ minimum: -3, maximum: 33 }))

describe("Order", () => {
  it.prop("moves one, and the others keep their order", [Names, Place, Anywhere], ([list, place, to]) => {
    const from = place % list.length
    const next = moved(list, from, to)
    assert.strictEqual(next.indexOf(Number(list[from])), Math.max(0, Math.min(to, list.length - 1)))
    const others = (all: ReadonlyArray<number>) => all.filter((one) => one !== list[from])
    assert.deepStrictEqual(others(next), others(list))
  })

  it.prop("is as before after moving back", [Names, Place, Anywhere], ([list, place, to]) => {
    const from = place % list.length
    const next = moved(list, from, to)
    assert.deepStrictEqual(moved(next, next.indexOf(Number(list[from])), from), list)
  })

  it("moves nothing from where nothing is", () => {
    assert.deepStrictEqual(moved(["a", "b"], 2, 0), ["a", "b"])
    assert.deepStrictEqual(moved(["a", "b"], -1, 1), ["a", "b"])
  })

  it.prop("sorts by keys, and puts what has none last, as it stood", [Names, Names], ([items, wanted]) => {
    const keys = wanted.map(String)
    assert.deepStrictEqual(inOrderOf(items, String, keys), [
      ...wanted.filter((key) => items.includes(key)),
      ...items.filter((item) => !wanted.includes(item))
    ])
  })

  it.prop("lands where it was dragged to", [Names, Place, Place], ([list, one, other]) => {
    const [from, to] = [one % list.length, other % list.length]
    const middles = list.map((_, place) => place * 10 + 5)
    const height = Number(middles[to]) + (to > from ? 1 : -1)
    assert.strictEqual(landingAt(middles, from, height), to)
  })
})

const Keys = Schema.Array(Schema.Literals(["a", "b", "c", "d", "e", "f", "g", "h"])).check(Schema.isUnique())

describe("A list that was changed here and elsewhere", () => {
  it.prop("keeps what either added and loses what either took out", [Keys, Keys, Keys], ([seen, made, now]) => {
    const merged = mergedOrder(seen, made, now)
    for (const key of ["a", "b", "c", "d", "e", "f", "g", "h"] as const) {
      const [before, here, there] = [seen.includes(key), made.includes(key), now.includes(key)]
      assert.strictEqual(merged.includes(key), before ? here && there : here || there, key)
    }
    assert.strictEqual(new Set(merged).size, merged.length)
  })

  it.prop("is what was made of it where nobody else has changed it", [Keys, Keys], ([seen, made]) => {
    const added = made.filter((key) => !seen.includes(key))
    const stayed = made.filter((key) => seen.includes(key))
    assert.deepStrictEqual(mergedOrder(seen, [...stayed, ...added], seen), [...stayed, ...added])
  })

  it.prop("is as it is now where nothing was made of it", [Keys, Keys], ([seen, now]) => {
    assert.deepStrictEqual(mergedOrder(seen, seen, now), now)
  })

  it("is in the order that was made here, with what others added at its end", () => {
    assert.deepStrictEqual(mergedOrder(["a", "b", "c"], ["c", "a", "b"], ["a", "b", "d", "c"]), ["c", "a", "b", "d"])
  })
})
