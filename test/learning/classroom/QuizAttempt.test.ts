import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Result, Schema } from "effect"
import { type QuizAnswer, type ScoredQuiz, scoreOf } from "../../../src/learning/classroom/QuizAttempt.ts"

const questionId = (n: number) => `0190a000-0000-7000-8000-a${String(n).padStart(11, "0")}`
const optionId = (n: number, m: number) => `0190a000-0000-7000-8000-b${String(n * 10 + m).padStart(11, "0")}`

/** A question for each list. A list has `true` for each correct option. */
const quizOf = (pass_percent: number, ...correct: ReadonlyArray<ReadonlyArray<boolean>>): ScoredQuiz => ({
  pass_percent,
  questions: correct.map((options, n) => ({
    id: questionId(n),
    options: options.map((correct, m) => ({ id: optionId(n, m), correct }))
  }))
})

const answer = (n: number, m: number): QuizAnswer => ({ question_id: questionId(n), option_id: optionId(n, m) })

const scored = (quiz: ScoredQuiz, ...answers: ReadonlyArray<QuizAnswer>) => Result.getOrThrow(scoreOf(quiz, answers))
const refusal = (quiz: ScoredQuiz, ...answers: ReadonlyArray<QuizAnswer>) =>
  Result.getOrThrow(Result.flip(scoreOf(quiz, answers))).error

const quiz = quizOf(70, [true, false], [false, true, true], [false, true])

describe("a quiz", () => {
  it("is scored question by question, in its own order", () => {
    assert.deepStrictEqual(scored(quiz, answer(2, 0), answer(0, 0), answer(1, 1)), {
      percent: 66,
      passed: false,
      correct_count: 2,
      questions_count: 3,
      results: [
        { question_id: questionId(0), correct: true },
        { question_id: questionId(1), correct: true },
        { question_id: questionId(2), correct: false }
      ]
    })
  })

  it("takes any correct option of a question", () => {
    for (const option of [1, 2]) {
      assert.isTrue(scored(quiz, answer(0, 0), answer(1, option), answer(2, 1)).passed)
    }
  })

  it("is passed from its percentage on, and not by rounding up", () => {
    const answers = [answer(0, 0), answer(1, 1), answer(2, 0)]
    assert.isTrue(scored({ ...quiz, pass_percent: 66 }, ...answers).passed)
    assert.isFalse(scored({ ...quiz, pass_percent: 67 }, ...answers).passed)
  })

  it.each([
    [
      "a question that it does not have",
      [answer(0, 0), answer(7, 0)],
      "quiz_question_unknown",
      "answers[1].question_id"
    ],
    [
      "an option of another question",
      [{ question_id: questionId(0), option_id: optionId(1, 0) }],
      "quiz_option_unknown",
      "answers[0].option_id"
    ],
    ["a question twice", [answer(0, 0), answer(0, 1)], "quiz_question_repeated", "answers[1].question_id"],
    ["not every question", [answer(0, 0), answer(1, 0)], "quiz_question_unanswered", "answers must "],
    ["no question", [], "quiz_question_unanswered", "answers must "]
  ] as const)("refuses answers to %s", (_, answers, code, field) => {
    const error = refusal(quiz, ...answers)
    assert.strictEqual(error.code, code)
    assert.include(error.message, field)
  })

  const Questions = Schema.NonEmptyArray(Schema.Struct({
    correct: Schema.NonEmptyArray(Schema.Boolean).check(Schema.isMaxLength(4)),
    chosen: Schema.Literals([0, 1, 2, 3])
  }))
  const given = {
    questions: Arbitrary.schema(Questions),
    pass_percent: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 })),
    turn: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 5 }))
  }

  it.prop(
    "counts as many as were right, whatever the order of the answers",
    given,
    ({ pass_percent, questions, turn }) => {
      const quiz = quizOf(pass_percent, ...questions.map(({ correct }) => correct))
      const chosen = questions.map(({ chosen, correct }) => chosen % correct.length)
      const answers = chosen.map((m, n) => answer(n, m))
      const right = questions.filter(({ correct }, n) => correct[chosen[n] ?? 0]).length
      const score = scored(quiz, ...answers)
      assert.strictEqual(score.correct_count, right)
      assert.strictEqual(score.results.filter(({ correct }) => correct).length, right)
      assert.strictEqual(score.questions_count, questions.length)
      assert.strictEqual(score.passed, right * 100 >= pass_percent * questions.length)
      assert.isTrue(score.percent * questions.length <= right * 100)
      assert.deepStrictEqual(scored(quiz, ...answers.slice(turn), ...answers.slice(0, turn)), score)
    }
  )

  it.prop("is never scored with an answer too few or too many", given, ({ pass_percent, questions, turn }) => {
    const quiz = quizOf(pass_percent, ...questions.map(({ correct }) => correct))
    const answers = questions.map((_, n) => answer(n, 0))
    const index = turn % answers.length
    assert.strictEqual(refusal(quiz, ...answers.toSpliced(index, 1)).code, "quiz_question_unanswered")
    assert.strictEqual(refusal(quiz, ...answers, ...answers.slice(index, index + 1)).code, "quiz_question_repeated")
  })
})
