import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { isOrderOf } from "../../../src/platform/http/Order.ts"

const Distinct = Schema.Array(Schema.String).check(Schema.isUnique())

describe("An order of a list", () => {
  it.prop("names everything in it once, in any order", [Distinct], ([listed]) => {
    assert.isTrue(isOrderOf(listed.toReversed(), listed))
  })

  it.prop("leaves nothing out, and names nothing else or twice", [Distinct, Schema.String], ([listed, other]) => {
    assert.isFalse(isOrderOf([...listed, other], listed))
    const [first, ...rest] = listed
    if (first === undefined) return
    assert.isFalse(isOrderOf(rest, listed))
    assert.isFalse(isOrderOf([`${first}${other}x`, ...rest], listed) && !rest.includes(`${first}${other}x`))
    if (rest.length > 0) assert.isFalse(isOrderOf([...rest, ...rest.slice(0, 1)], listed))
  })
})
