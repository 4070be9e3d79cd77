import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { firstOpen, keptAnswers } from "../../../../src/browser/parts/lesson/quiz.ts"

const quiz = {
  questions: [
    { id: "q1", options: [{ id: "a" }, { id: "b" }] },
    { id: "q2", options: [{ id: "c" }] }
  ]
}

describe("The kept answers to a quiz", () => {
  it("are those whose question and option it still has", () => {
    assert.deepStrictEqual(keptAnswers(quiz, JSON.stringify({ q1: "b", q2: "gone", q3: "c" })), { q1: "b" })
  })

  it("are empty for a text that holds none", () => {
    for (const text of ["", "null", "[]", "1", "{", "{\"__proto__\": \"a\"}"]) {
      assert.deepStrictEqual(keptAnswers(quiz, text), {})
    }
  })

  it.prop(
    "leave open the first question without an answer",
    [Schema.Literals(["q1", "q2", "both", "none"])],
    ([given]) => {
      const answers = {
        ...(given === "q1" || given === "both" ? { q1: "a" } : {}),
        ...(given === "q2" || given === "both" ? { q2: "c" } : {})
      }
      const expected = given === "both" ? undefined : given === "q1" ? 1 : 0
      assert.strictEqual(firstOpen(quiz, answers), expected)
    }
  )
})
