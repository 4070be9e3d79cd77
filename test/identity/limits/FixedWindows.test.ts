import { assert, describe, it } from "@effect/vitest"
import { makeFixedWindows } from "../../../src/identity/limits/FixedWindows.ts"

const minute = 60_000

describe("FixedWindows", () => {
  it("keeps no more windows of a length than its capacity, whatever arrives", () => {
    const windows = makeFixedWindows(100)
    for (let n = 0; n < 10_000; n++) windows.take(n / 1000, `key ${n}`, 1, minute)
    assert.strictEqual(windows.size(), 100)
  })

  it("lets the oldest window give way to a new key", () => {
    const windows = makeFixedWindows(2)
    windows.take(0, "first", 1, minute)
    windows.take(1, "second", 1, minute)
    windows.take(2, "third", 1, minute)
    assert.isFalse(windows.take(3, "second", 1, minute).accepted)
    assert.isTrue(windows.take(3, "first", 1, minute).accepted)
  })

  it("forgets closed windows when a later one opens", () => {
    const windows = makeFixedWindows(1000)
    for (let n = 0; n < 500; n++) windows.take(0, `key ${n}`, 1, minute)
    windows.take(minute, "late", 1, minute)
    assert.strictEqual(windows.size(), 1)
  })

  it("forgets short windows although a longer one is still open", () => {
    const windows = makeFixedWindows(1000)
    windows.take(0, "long", 1, 15 * minute)
    for (let n = 0; n < 500; n++) windows.take(0, `key ${n}`, 1, minute)
    windows.take(minute, "late", 1, minute)
    assert.strictEqual(windows.size(), 2)
  })
})
