import { assert, describe, it } from "@effect/vitest"
import { goesOn, observe, type Watch, watchAfter } from "../../../src/cli/webhooks/deliveries/Watch.ts"

const delivery = (number: number, status = "succeeded", attempts_count = 1) => ({
  id: String(number).padStart(6, "0"),
  status,
  attempts_count
})

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => to - index)

/** Newest first, as the API lists them. */
const listed = (from: number, to: number, status?: string) =>
  numbers(from, to).map((number) => delivery(number, status))

const ids = (found: ReturnType<typeof observe>) => found.changed.map(({ id }) => Number(id))

describe("What is watched of deliveries", () => {
  it("is what comes after the newest there was", () => {
    const found = observe(watchAfter(delivery(3)), listed(1, 5))
    assert.deepStrictEqual(ids(found), [4, 5])
  })

  it("is told once, and again whenever it has changed", () => {
    const first = observe(watchAfter(undefined), [delivery(1, "pending", 0)])
    assert.deepStrictEqual(ids(first), [1])
    const same = observe(first.watch, [delivery(1, "pending", 0)])
    assert.deepStrictEqual(ids(same), [])
    const tried = observe(same.watch, [delivery(1, "pending", 1)])
    assert.deepStrictEqual(ids(tried), [1])
    assert.deepStrictEqual(ids(observe(tried.watch, [delivery(1, "succeeded", 2)])), [1])
  })

  it("has those that are listed late among it", () => {
    const first = observe(watchAfter(undefined), [delivery(1), delivery(3)])
    assert.deepStrictEqual(ids(observe(first.watch, [delivery(3), delivery(2), delivery(1)])), [2])
  })

  it("is followed for as long as it waits, however much comes after it", () => {
    let watch: Watch = observe(watchAfter(undefined), [delivery(1, "pending", 0)]).watch
    for (let round = 0; round < 4; round++) {
      watch = observe(watch, [...listed(2 + round * 200, 201 + round * 200), delivery(1, "pending", 0)]).watch
    }
    assert.deepStrictEqual(ids(observe(watch, [delivery(1, "failed", 8)])), [1])
  })

  it("never takes more room than for a thousand", () => {
    let watch: Watch = watchAfter(undefined)
    for (let round = 0; round < 30; round++) {
      watch = observe(watch, listed(1 + round * 100, 100 + round * 100, "pending")).watch
    }
    assert.isAtMost(watch.seen.size, 1000)
  })

  it("is read page by page until what is known", () => {
    const watch = watchAfter(delivery(3))
    assert.isTrue(goesOn(watch, listed(4, 9)))
    assert.isFalse(goesOn(watch, listed(2, 9)))
    assert.isFalse(goesOn(watch, []))
  })
})
