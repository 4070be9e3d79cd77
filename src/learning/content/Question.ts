import { Effect, Schema } from "effect"
import { ApiError } from "../../platform/http/ApiError.ts"
import { sentId, text } from "../../platform/http/Text.ts"

/** Of a question or an option. UUIDv7. */
const QuizId = Schema.String.check(Schema.isUUID())

/** An answer to choose. */
export const QuizOption = Schema.Struct({ id: QuizId, text: Schema.String, correct: Schema.Boolean })
export type QuizOption = typeof QuizOption.Type

/** A question of a quiz and the answers to choose from; choosing any correct one answers it. */
export const Question = Schema.Struct({ id: QuizId, text: Schema.String, options: Schema.Array(QuizOption) })
export type Question = typeof Question.Type

const hasCorrect = Schema.makeFilter(
  (options: ReadonlyArray<{ readonly correct: boolean }>) => options.some(({ correct }) => correct),
  { expected: "must have at least one that is correct" }
)

const id = Schema.optionalKey(sentId(QuizId))
const SentOption = Schema.Struct({ id, text: text(1, 500), correct: Schema.Boolean })
const SentQuestion = Schema.Struct({
  id,
  text: text(1, 1000),
  options: Schema.Array(SentOption).check(Schema.isBetweenLength(2, 10), hasCorrect)
})
type SentQuestion = typeof SentQuestion.Type

/** The questions of a quiz, all of them, in their order: those sent with their `id` stay, those without one are new. */
export const Questions = Schema.Array(SentQuestion).check(Schema.isBetweenLength(1, 100))

/** The id of a question is not of this quiz, the id of an option is not of its question, or an id is sent twice. */
export class QuestionUnknown extends ApiError<QuestionUnknown>()("QuestionUnknown", {
  status: 422,
  code: "question_unknown",
  message: "questions must have ids of this quiz, each at most once"
}) {}

const idsOf = (things: ReadonlyArray<{ readonly id?: string }>) => things.flatMap(({ id }) => id ?? [])

const areOf = (sent: ReadonlyArray<{ readonly id?: string }>, current: ReadonlyArray<{ readonly id: string }>) => {
  const ids = idsOf(sent)
  const known = new Set(idsOf(current))
  return new Set(ids).size === ids.length && ids.every((id) => known.has(id))
}

/** Gives each question and option an id: the one that it was sent with, which has to be in `current`, or a new one. */
export const withIds = Effect.fnUntraced(function*(
  sent: ReadonlyArray<SentQuestion>,
  current: ReadonlyArray<Question>,
  newId: Effect.Effect<string>
) {
  const optionsOf = (id: string | undefined) => current.find((question) => question.id === id)?.options ?? []
  if (!areOf(sent, current) || !sent.every(({ id, options }) => areOf(options, optionsOf(id)))) {
    return yield* new QuestionUnknown()
  }
  return yield* Effect.forEach(sent, ({ id, options, text }) =>
    Effect.all({
      id: id === undefined ? newId : Effect.succeed(id),
      text: Effect.succeed(text),
      options: Effect.forEach(options, (option) => Effect.map(newId, (fresh) => ({ id: fresh, ...option })))
    }))
})
