import { assert, describe, it } from "@effect/vitest"
import { effortOf, isIndexed, wordsOf } from "../../../src/membership/students/SearchWords.ts"

describe("what is searched for", () => {
  it("is every word, once", () => {
    assert.deepStrictEqual(wordsOf("  bia  lima\tbia\u00a0x "), ["bia", "lima", "x"])
    assert.deepStrictEqual(wordsOf(" "), [])
  })

  it("is no word that is found with another one", () => {
    assert.deepStrictEqual(wordsOf("a ana mariana n é mail @mail.example"), ["mariana", "é", "@mail.example"])
  })

  it("takes the more effort the more and the longer words it has", () => {
    assert.deepStrictEqual([[], ["bia"], ["bia", "lima"]].map(effortOf), [0, 3, 14])
  })

  it.each([["bia", true], ["ÉÇÃ", true], ["a1b2", true], ["ab", false], ["a.b.c", false], ["%%%", false], [
    "при",
    false
  ]])(
    "%j can be found by the index: %j",
    (word, indexed) => {
      assert.strictEqual(isIndexed(word), indexed)
    }
  )
})
