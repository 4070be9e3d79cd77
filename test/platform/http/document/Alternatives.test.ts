import { assert, describe, it } from "@effect/vitest"
import {
  joinAlternatives,
  listAlternatives,
  listedAlternatives,
  splitAlternatives
} from "../../../../src/platform/http/document/Alternatives.ts"

const descriptions = ["The club has this add-on already", "The add-on cannot be contracted: ask us"]

describe("Answers with the same status", () => {
  it("are a list in the document, which is read back", () => {
    const listed = listAlternatives(joinAlternatives(descriptions))
    assert.strictEqual(listed, "- The club has this add-on already\n- The add-on cannot be contracted: ask us")
    assert.deepStrictEqual(listedAlternatives(listed), descriptions)
    assert.deepStrictEqual(splitAlternatives(joinAlternatives(descriptions)), descriptions)
  })

  it("are no list if there is one", () => {
    assert.strictEqual(listAlternatives("Success"), "Success")
    assert.deepStrictEqual(listedAlternatives("Success"), ["Success"])
  })
})
