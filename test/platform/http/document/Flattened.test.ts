import { assert, describe, it } from "@effect/vitest"
import { flattened } from "../../../../src/platform/http/document/Flattened.ts"

const text = { type: "string" }

describe("A flattened schema", () => {
  it("has what the parts of its allOf say of it, and no allOf", () => {
    const parts = [{ minLength: 1 }, { maxLength: 40, pattern: "a" }]
    assert.deepStrictEqual(flattened({ ...text, allOf: parts }), {
      type: "string",
      minLength: 1,
      maxLength: 40,
      pattern: "a"
    })
  })

  it("is flattened wherever it is, in lists too", () => {
    const one = { allOf: [text] }
    assert.deepStrictEqual(
      flattened({ type: "array", items: { allOf: [one, { minLength: 1 }] }, prefixItems: [one] }),
      { type: "array", items: { type: "string", minLength: 1 }, prefixItems: [text] }
    )
  })

  it("keeps a part that says another thing than it or than a part before, and takes in one that says the same", () => {
    assert.deepStrictEqual(
      flattened({
        minLength: 1,
        allOf: [{ minLength: 2, maxLength: 3 }, { minLength: 1, pattern: "a" }, { pattern: "b" }]
      }),
      { minLength: 1, pattern: "a", allOf: [{ minLength: 2, maxLength: 3 }, { pattern: "b" }] }
    )
  })

  it("keeps a part that is no object, as `true` is none", () => {
    assert.deepStrictEqual(flattened({ ...text, allOf: [true, { minLength: 1 }] }), {
      type: "string",
      minLength: 1,
      allOf: [true]
    })
  })

  it.each(["title", "description", "examples", "default"])("has the last %s, which is only told", (key) => {
    assert.deepStrictEqual(flattened({ [key]: ["a"], allOf: [{ [key]: ["b"] }, { [key]: ["c"] }] }), { [key]: ["c"] })
  })

  it("does not put together what depends on what is beside it", () => {
    const closed = { properties: { a: text }, additionalProperties: false }
    const other = { properties: { b: text } }
    assert.deepStrictEqual(flattened({ ...closed, allOf: [other] }), { ...closed, allOf: [other] })
    assert.deepStrictEqual(flattened({ allOf: [{ items: text }, { prefixItems: [text] }] }), {
      items: text,
      allOf: [{ prefixItems: [text] }]
    })
    assert.deepStrictEqual(flattened({ type: "object", allOf: [closed] }), { type: "object", ...closed })
  })

  it.each(["const", "default", "enum", "example", "examples"])("leaves the value of %s as it is", (key) => {
    const value = [{ allOf: [text] }]
    assert.deepStrictEqual(flattened({ [key]: value }), { [key]: value })
  })

  it.each(["allOf", "const", "default", "description", "enum", "example", "examples"])(
    "has a field that is called %s like any other",
    (name) => {
      assert.deepStrictEqual(
        flattened({ type: "object", properties: { [name]: { allOf: [text, { minLength: 1 }] } } }),
        { type: "object", properties: { [name]: { type: "string", minLength: 1 } } }
      )
    }
  )

  it("changes nothing in what it is given", () => {
    const given = { allOf: [{ ...text }, { minLength: 1 }] }
    const before = structuredClone(given)
    flattened(given)
    assert.deepStrictEqual(given, before)
  })
})
