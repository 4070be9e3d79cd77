import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { fold, queryWords, wordsOf } from "../../../../src/assistant/material/search/Words.ts"

const asked = (question: string) => queryWords(question).map((spellings) => fold(spellings[0] ?? ""))

describe("The words that a question asks about", () => {
  it("are not those that every question has", () => {
    assert.deepStrictEqual(asked("Como você faz a afinação? Não sei!"), ["afinacao", "sei"])
    assert.deepStrictEqual(asked("What is the best way to tune?"), ["is", "the", "to", "tune"])
  })

  it("are each there once, whatever the accents", () => {
    assert.deepStrictEqual(asked("violão violao VIOLÃO"), ["violao"])
  })

  it("are looked for with and without their accents", () => {
    assert.deepStrictEqual(queryWords("existencia"), [["existencia", "existência"]])
    assert.deepStrictEqual(queryWords("Notáveis cordas"), [["notáveis", "notaveis"], ["cordas"]])
  })

  it("are looked for in the singular and the plural of words in -ão", () => {
    assert.deepStrictEqual(queryWords("Variações"), [["variações", "variacoes", "variação", "variacao"]])
    assert.deepStrictEqual(queryWords("limao"), [["limao", "limão", "limões", "limoes"]])
  })

  it("are 40 at most", () => {
    assert.lengthOf(queryWords(Array.from({ length: 100 }, (_, n) => `x${n}`).join(" ")), 40)
  })

  // A word of more than 2046 bytes makes a search fail. Marks and ligatures fold to fewer or more letters than typed.
  it.each(["ab" + "\u0301".repeat(1500), "\u0301".repeat(3000), "\ufdfa".repeat(64), "x".repeat(4000)])(
    "are none where letters and marks run on without end: %#",
    (run) => assert.deepStrictEqual(asked(`Como ${run} dedo?`), ["dedo"])
  )

  it.prop("hold nothing but letters, digits and marks", [Schema.String], ([question]) => {
    for (const word of queryWords(question).flat()) assert.match(word, /^[\p{L}\p{N}\p{M}]+$/u)
  })

  it("are in a text as they are folded", () => {
    assert.deepStrictEqual(wordsOf("A corda é MI, não lá!"), ["a", "corda", "e", "mi", "nao", "la"])
  })
})
