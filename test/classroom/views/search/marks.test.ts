import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { marked } from "../../../../src/classroom/views/search/marks.ts"

const found = (text: string, query: string) =>
  marked(text, query).filter(({ isFound }) => isFound).map((piece) => piece.text)

describe("A found text", () => {
  it("has the words that were searched for, whatever their accents and capitals", () => {
    assert.deepStrictEqual(found("A Respiração e a respiracao", "RESPIRAÇÃO"), ["Respiração", "respiracao"])
    assert.deepStrictEqual(found("Respirar fundo", "resp fun"), ["Resp", "fun"])
  })

  it("has no letters inside of words, and none of a single letter", () => {
    assert.deepStrictEqual(found("Inspire e respire", "pire a e"), [])
  })

  it.prop(
    "is whole again in one piece after another",
    { text: Schema.String, query: Schema.String },
    ({ query, text }) => marked(text, query).map((piece) => piece.text).join("") === text
  )
})
