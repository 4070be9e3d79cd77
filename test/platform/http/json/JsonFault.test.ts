import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { whereBroken, whyNotJson } from "../../../../src/platform/http/json/JsonFault.ts"

describe("where a text stops being JSON", () => {
  it.each([
    ["{\"name\":}", "see line 1, column 9"],
    ["{\n  \"name\": \"a\",\n}", "see line 3, column 1"],
    ["{\"a\":1 \"b\":2}", "see line 1, column 8"],
    ["{'a':1}", "see line 1, column 2"],
    ["[1,]", "see line 1, column 4"],
    ["[1}", "see line 1, column 3"],
    ["{\"a\":01}", "see line 1, column 6"],
    ["{\"a\":NaN}", "see line 1, column 6"],
    ["{\"a\":\"\n\"}", "see line 1, column 6"],
    ["{}}", "see line 1, column 3"],
    ["{", "it ends too early"],
    ["{\"a\":", "it ends too early"],
    ["", "it ends too early"],
    [`[${" ".repeat(70_000)}x]`, "see character 70002"]
  ] as const)("names the fault of %j", (text, where) => {
    assert.strictEqual(whereBroken(text), where)
  })

  it.prop(
    "hears of whatever follows a value, however the value is made",
    { value: Schema.Json },
    ({ value }) => whereBroken(`${JSON.stringify(value)}\n x`) === "see line 2, column 2"
  )

  it("is found in a moment, in the worst text of a mebibyte", () => {
    const texts = [
      `["${"\\n".repeat(500_000)}`,
      `${" ".repeat(1_000_000)}x`,
      `${"[".repeat(20_000)}${" ".repeat(900_000)}`
    ]
    for (const text of texts) assert.match(whereBroken(text), /^(?:see|it ends)/)
  })
})

describe("why a text is no JSON", () => {
  it.each([
    ["{\"a\":1}", undefined],
    [" \n", "it is empty"],
    ["<html>", "it is not JSON: see line 1, column 1"],
    ["[".repeat(1000), "it is not JSON"]
  ] as const)("is said of %j", (text, why) => {
    assert.strictEqual(whyNotJson(text), why)
  })
})
