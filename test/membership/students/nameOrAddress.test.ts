import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { nameOrAddress } from "../../../src/membership/students/nameOrAddress.ts"

const length = (text: string) => [...text].length

describe("the name of somebody who comes without signing up", () => {
  it.each([
    ["Caio Reis", "Caio Reis"],
    ["  Caio Reis\n", "Caio Reis"],
    ["", "caio.reis"],
    [" \t ", "caio.reis"],
    ["\u0000", "caio.reis"],
    ["Caio\u0000 Reis", "Caio Reis"]
  ])("%j is %j", (name, expected) => {
    assert.strictEqual(nameOrAddress(name, "caio.reis@example.com"), expected)
  })

  it("is cut by whole characters", () => {
    assert.strictEqual(nameOrAddress("🎸".repeat(201), "a@b.cd"), "🎸".repeat(200))
    assert.strictEqual(nameOrAddress("", `${"x".repeat(300)}@b.cd`), "x".repeat(200))
  })

  it.prop("can always be stored, whatever the platform says", [Schema.String], ([name]) => {
    const made = nameOrAddress(name, "caio@example.com")
    assert.isTrue(length(made) >= 1 && length(made) <= 200)
    assert.isTrue(made.isWellFormed() && !made.includes("\u0000"))
    assert.strictEqual(nameOrAddress(made, "other@example.com"), made)
  })
})
