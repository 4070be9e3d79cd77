import { assert, describe, it } from "@effect/vitest"
import { isQuestion } from "../../../src/assistant/providers/isQuestion.ts"

describe("A text", () => {
  it.each([
    "O acorde é maior?",
    "Como afino o violão",
    "qual a corda mais fina",
    "Olá, bom dia! por que desafina",
    "Alguém sabe trocar a corda",
    "será que dá certo",
    "What is an arpeggio",
    "Hi everyone, how do I tune it",
    "does it matter"
  ])("%j asks something", (text) => {
    assert.isTrue(isQuestion(text))
  })

  it.each([
    "",
    "Adorei a aula!",
    "Obrigado, professor.",
    "Comovente esta canção.",
    "Great lesson, thank you.",
    "Do meu ponto de vista, a aula foi boa.",
    "I know how it works."
  ])("%j asks nothing", (text) => {
    assert.isFalse(isQuestion(text))
  })
})
