import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { editDistance } from "../../../src/platform/text/EditDistance.ts"

const Name = Schema.String.check(Schema.isPattern(/^[A-Z_]{0,12}$/))

describe("the distance of two names", () => {
  it.each([
    ["PROT", "PORT", 1],
    ["", "AB", 2],
    ["ABC", "ABC", 0],
    ["ABC", "AXC", 1],
    ["ABCD", "BADC", 2],
    ["emial", "email", 1],
    ["", "abc", 3],
    ["abc", "", 3],
    ["a", "a", 0],
    ["nmae", "name", 1],
    ["limt", "limit", 1]
  ] as const)("of %s and %s is %d", (one, other, distance) => {
    assert.strictEqual(editDistance(one, other), distance)
  })

  it.prop("is the same both ways, and none exactly for the same", { one: Name, other: Name }, ({ one, other }) => {
    const distance = editDistance(one, other)
    assert.strictEqual(distance, editDistance(other, one))
    assert.strictEqual(distance === 0, one === other)
    assert.isAtMost(distance, Math.max(one.length, other.length))
    assert.isAtLeast(distance, Math.abs(one.length - other.length))
  })
})
