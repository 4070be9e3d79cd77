import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { sentencesOf } from "../../../../src/assistant/providers/offline/Sentences.ts"

const pieces = [
  "a",
  "Word",
  ". ",
  "? ",
  "... ",
  "\n",
  "\n\n- ",
  " ",
  "Dr. ",
  "🎸",
  "1.5 ",
  "x".repeat(450),
  "word ".repeat(100)
]
const Text = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: pieces.length - 1 })))
const textOf = (chosen: ReadonlyArray<number>) => chosen.map((one) => pieces[one]).join("")
const bare = (text: string) => text.replaceAll(/\s+/g, "")

describe("The sentences of a text", () => {
  it.prop("stand in it word for word, in order, with nothing but white space between", [Text], ([chosen]) => {
    const text = textOf(chosen)
    const sentences = sentencesOf(text)
    for (const sentence of sentences) {
      assert.include(text, sentence)
      assert.strictEqual(sentence, sentence.trim())
    }
    assert.strictEqual(bare(sentences.join("")), bare(text))
  })

  it.each<[string, ReadonlyArray<string>]>([
    ["One. Two! Three? Four… Five", ["One.", "Two!", "Three?", "Four…", "Five"]],
    ["He said “Stop.” Then he left.", ["He said “Stop.”", "Then he left."]],
    ["O Dr. Silva e a Profa. Ana, p. ex., vieram. Sim.", ["O Dr. Silva e a Profa. Ana, p. ex., vieram.", "Sim."]],
    ["Use strings, e.g. nylon. Version 1.5 is fine.", ["Use strings, e.g. nylon.", "Version 1.5 is fine."]],
    ["O Dr.\nSilva veio. Usa etc.\n\nSim.", ["O Dr.\nSilva veio.", "Usa etc.", "Sim."]],
    ["Well... perhaps. And... Then no.", ["Well... perhaps.", "And...", "Then no."]],
    ["A line\nthat goes on. And one.", ["A line\nthat goes on.", "And one."]],
    ["# Heading\n\nText\n- first\n- second\n1. third", ["# Heading", "Text", "- first", "- second", "1. third"]],
    ["   ", []]
  ])("of %j", (text, sentences) => {
    assert.deepStrictEqual(sentencesOf(text), sentences)
  })

  it("are cut between words where a text has no marks", () => {
    const sentences = sentencesOf("uma palavra depois da outra ".repeat(50))
    assert.isAbove(sentences.length, 1)
    for (const sentence of sentences) {
      assert.isAtMost(sentence.length, 400)
      assert.match(sentence, /^(?:uma|palavra|depois|da|outra)\b.*\b(?:uma|palavra|depois|da|outra)$/)
    }
  })
})
