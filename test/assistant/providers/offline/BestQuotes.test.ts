import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import type { Passage } from "../../../../src/assistant/material/search/Material.ts"
import { fold, queryWords, wordsOf } from "../../../../src/assistant/material/search/Words.ts"
import { bestQuotes, leastConfidence } from "../../../../src/assistant/providers/offline/BestQuotes.ts"
import { LessonId } from "../../../../src/learning/content/Lesson.ts"

const vocabulary = ["corda", "violão", "nota", "string", "tune", "light", ". ", "? ", "\n\n", " ", ", ", "a", "the"]
const Words = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: vocabulary.length - 1 })))
const textOf = (chosen: ReadonlyArray<number>) => chosen.map((one) => `${vocabulary[one]} `).join("")

const id = "0190a000-0000-7000-8000-000000000001"

/** A passage as the search finds it, for words without other forms. */
const passageOf = (body: string, question: string): Passage => {
  const said = new Set(wordsOf(body))
  const asked = queryWords(question).map(([word = ""]) => fold(word))
  const words = asked.map((word) => said.has(word) ? { weight: 0.5, forms: [word] } : { weight: 1, forms: [] })
  return {
    source: {
      source_id: id,
      source_kind: "lesson",
      source_title: "Title",
      media_id: null,
      lesson_id: LessonId.make(id),
      page_from: null,
      page_to: null
    },
    body,
    words
  }
}

describe("What is quoted", () => {
  it.prop("stands word for word in its passage, and says something of what is asked", [
    Schema.Array(Words),
    Words
  ], ([bodies, asked]) => {
    const question = textOf(asked)
    const passages = bodies.map((body) => passageOf(textOf(body), question))
    const { confidence, quotes } = bestQuotes(passages)
    assert.isTrue(confidence >= 0 && confidence <= 1.000001)
    assert.strictEqual(quotes.length > 0, confidence >= leastConfidence)
    assert.isAtMost(quotes.length, 3)
    for (const { passage, text } of quotes) {
      assert.notStrictEqual(text.trim(), "")
      assert.include(passage.body, text)
      assert.isTrue(passage.words.some(({ forms }) => forms.some((form) => wordsOf(text).includes(form))))
    }
    assert.lengthOf(new Set(quotes.map(({ text }) => text)), quotes.length)
  })

  it("is the sentence that says most of what is asked", () => {
    const question = "Which string do I tune first?"
    const passage = passageOf("The light string is thin. First tune the string next to it. Then go on.", question)
    assert.deepStrictEqual(bestQuotes([passage]).quotes.map(({ text }) => text), ["First tune the string next to it."])
  })

  it("is nothing where too little of what is asked is said", () => {
    const question = "Which string breaks under hot summer light?"
    const passage = passageOf("The string is thin.", question)
    const { confidence, quotes } = bestQuotes([passage])
    assert.deepStrictEqual(quotes, [])
    assert.isBelow(confidence, leastConfidence)
  })

  it("is, after the best, what says the rest of what is asked", () => {
    const question = "Tune string light nota?"
    const body = "Tune the string. Tune a string. The tune of a string. Light the nota."
    const texts = bestQuotes([passageOf(body, question)]).quotes.map(({ text }) => text)
    assert.deepStrictEqual(texts, ["Tune the string.", "Light the nota.", "Tune a string."])
  })

  it("is the same sentence once, from the better passage", () => {
    const first = passageOf("Tune the string. Well done.", "tune string")
    const second = passageOf("Tune the string.", "tune string")
    assert.deepStrictEqual(bestQuotes([first, second]).quotes, [{ text: "Tune the string.", passage: first }])
  })

  it("is nothing of no passages", () => {
    assert.deepStrictEqual(bestQuotes([]), { quotes: [], confidence: 0 })
  })
})
