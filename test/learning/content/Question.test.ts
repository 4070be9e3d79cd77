import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Fiber, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { type Question, Questions, withIds } from "../../../src/learning/content/Question.ts"
import { AppLayer, at, codeOf, listAt, outcome } from "../../harness/App.ts"
import { makeCourse, makeLesson, makeModule } from "../../harness/Makers.ts"
import { warmPool } from "../../harness/Pool.ts"
import { untilBlocked, whileHeld } from "../../harness/Waiting.ts"
import { openContent } from "./OpenContent.ts"

/** Ids that count up in the order of the requests for them. */
const counting = () => {
  let last = 0
  return Effect.sync(() => `00000000-0000-7000-8000-${String(++last).padStart(12, "0")}`)
}

const withoutIds = (questions: ReadonlyArray<Question>) =>
  questions.map(({ options, text }) => ({ text, options: options.map(({ correct, text }) => ({ text, correct })) }))

const everyId = (questions: ReadonlyArray<Question>) =>
  questions.flatMap(({ id, options }) => [id, ...options.map(({ id }) => id)])

const anew = (sent: typeof Questions.Type) =>
  sent.map(({ options, text }) => ({ text, options: options.map(({ correct, text }) => ({ text, correct })) }))

describe("The questions of a quiz", () => {
  it.effect.prop(
    "get an id each, and so do their options",
    [Schema.toType(Questions)],
    ([sent]) =>
      Effect.gen(function*() {
        const made = yield* withIds(anew(sent), [], counting())
        assert.deepStrictEqual(withoutIds(made), anew(sent))
        assert.strictEqual(new Set(everyId(made)).size, everyId(made).length)
      })
  )

  it.effect.prop(
    "keep the ids that they are sent with, in whatever order",
    [Schema.toType(Questions)],
    ([sent]) =>
      Effect.gen(function*() {
        const newId = counting()
        const kept = yield* withIds(anew(sent), [], newId)
        const turned = kept.map(({ options, ...rest }) => ({ ...rest, options: options.toReversed() })).toReversed()
        assert.deepStrictEqual(yield* withIds(turned, kept, newId), turned)
      })
  )

  it.effect.prop(
    "are refused with an id that the quiz does not have, or twice",
    [Schema.toType(Questions)],
    ([sent]) =>
      Effect.gen(function*() {
        const newId = counting()
        const kept = yield* withIds(anew(sent), [], newId)
        const [first] = kept
        if (first === undefined) return assert.fail("A quiz has questions")
        const elsewhere = first.options.map((option) => ({ ...option, id: first.id }))
        for (const wrong of [[first, first], [{ ...first, options: elsewhere }], [{ ...first, id: yield* newId }]]) {
          assert.strictEqual((yield* Effect.flip(withIds(wrong, kept, newId))).error.code, "question_unknown")
        }
        const anonymous = kept.map(({ options, text }) => ({ text, options }))
        assert.strictEqual((yield* Effect.flip(withIds(anonymous, kept, newId))).error.code, "question_unknown")
      })
  )
})

const options = [{ text: "Seis", correct: true }, { text: "Cinco", correct: false }]

layer(AppLayer)("A quiz", (it) => {
  const openQuiz = Effect.gen(function*() {
    const club = yield* openContent()
    const lesson = yield* makeLesson(club, yield* makeModule(club, yield* makeCourse(club)))
    const questions = [{ text: "Quantas cordas?", options }, { text: "Quantos dedos?", options }]
    const made = yield* club.create(`/lessons/${lesson.id}/blocks`, { kind: "quiz", questions, pass_percent: 70 })
    const block = Object(at(made.json, "data"))
    return { ...club, lesson, block, asked: questions, path: `/blocks/${block.id}` }
  })

  it.effect("is created with the questions that are sent, each with an id", () =>
    Effect.gen(function*() {
      const { asked, block } = yield* openQuiz
      assert.deepStrictEqual(withoutIds(block.questions), asked)
      assert.strictEqual(new Set(everyId(block.questions)).size, 6)
      assert.strictEqual(block.pass_percent, 70)
    }))

  it.effect("keeps the questions that come with their ids, loses those that do not, and gains the others", () =>
    Effect.gen(function*() {
      const { block, patch, path } = yield* openQuiz
      const [, second] = block.questions
      const sent = [{ text: "Nova?", options }, { ...second, id: second.id.toUpperCase(), text: "Quantos?" }]
      const answer = yield* patch(path, { questions: sent })
      const [fresh, kept, ...rest] = listAt(answer.json, "data", "questions")
      assert.deepStrictEqual(kept, { ...second, text: "Quantos?" })
      assert.deepInclude(Object(fresh), { text: "Nova?" })
      assert.notInclude(everyId(block.questions), at(fresh, "id"))
      assert.deepStrictEqual(rest, [])
      const percent = yield* patch(path, { pass_percent: 80 })
      assert.deepStrictEqual(at(percent.json, "data"), { ...Object(at(answer.json, "data")), pass_percent: 80 })
    }))

  it.effect("takes no id of another quiz", () =>
    Effect.gen(function*() {
      const { block, create, lesson, patch, path } = yield* openQuiz
      const another = yield* openQuiz
      const foreign = yield* patch(path, { questions: another.block.questions })
      assert.deepStrictEqual(outcome(foreign), [422, "question_unknown"])
      const copied = { kind: "quiz", questions: block.questions, pass_percent: 70 }
      assert.strictEqual(codeOf(yield* create(`/lessons/${lesson.id}/blocks`, copied)), "question_unknown")
    }))

  it.effect("is changed by one editor after the other: a question that is gone does not come back", () =>
    Effect.gen(function*() {
      yield* warmPool
      const { block, patch, path, read } = yield* openQuiz
      const [first, second] = block.questions
      const sql = yield* SqlClient.SqlClient
      const racing = yield* whileHeld(
        sql`select 1 from blocks where id = ${block.id} for update`,
        Effect.gen(function*() {
          const both = [patch(path, { questions: [first] }), patch(path, { questions: [second] })]
          const racing = yield* Effect.forkChild(Effect.all(both, { concurrency: "unbounded" }))
          yield* untilBlocked(2)
          return racing
        })
      )
      const answers = yield* Fiber.join(racing)
      assert.deepStrictEqual(answers.map(({ status }) => status).toSorted(), [200, 422])
      const winner = answers.find(({ status }) => status === 200)
      assert.strictEqual((yield* read(path)).text, winner?.text)
    }))
})
