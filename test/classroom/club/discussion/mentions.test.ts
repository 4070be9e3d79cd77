import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { chosenIn, mentionAt, mentionsIn, withMention } from "../../../../src/classroom/club/discussion/mentions.ts"

const Chosen = Schema.Array(Schema.Struct({ id: Schema.String, name: Schema.String }))

describe("A mention in a text that somebody writes", () => {
  it("begins after an @ that begins a word, with two letters at least", () => {
    const query = (text: string) => mentionAt(text, text.length)?.query
    assert.deepStrictEqual(
      ["@ri", "Oi @Rita", "Oi @Rita Li", "(@ána", "@r", "ana@exa", "Oi @", "@Rita\nLima", "@a b c d e"].map(query),
      ["ri", "Rita", "Rita Li", "ána", undefined, undefined, undefined, undefined, undefined]
    )
  })

  it("becomes the whole name, and the rest of the text stays", () => {
    const text = "Oi @ri, tudo bem?"
    const begun = mentionAt(text, 6)
    assert.isDefined(begun)
    const named = withMention(text, begun ?? { from: 0, to: 0 }, "Rita Lima")
    assert.deepStrictEqual(named, { text: "Oi @Rita Lima , tudo bem?", caret: 14 })
  })

  it("counts as long as the name is in the text, and each person once", () => {
    const rita = { id: "1", name: "Rita" }
    assert.deepStrictEqual(mentionsIn("Oi @Rita", [rita, rita, { id: "2", name: "Bia" }]), ["1"])
  })

  it.prop("is kept as text, and any other text has no mention", [Chosen, Schema.String], ([chosen, other]) => {
    assert.deepStrictEqual(chosenIn(JSON.stringify(chosen)), chosen)
    assert.deepStrictEqual(chosenIn(`{${other}`), [])
  })
})
