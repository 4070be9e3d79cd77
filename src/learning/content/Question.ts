import { Effect, Schema } from "effect"
import { ApiError } from "../../platform/http/ApiError.ts"
import { field } from "../../platform/http/Field.ts"
import { sentId, text } from "../../platform/http/Text.ts"
import { Uuid } from "../../platform/schema/brandedId.ts"

/** The id of a question or an option. UUIDv7. */
const QuizId = Uuid

const about = {
  question: "What is asked",
  option: "An answer to choose",
  correct: "True for a correct option; a question has one or more"
}

/** An answer to choose. */
export const QuizOption = Schema.Struct({
  id: QuizId.pipe(field("Students send it as `option_id` to choose the option. It stays when the text is changed")),
  text: Schema.String.pipe(field(about.option, "Com o diafragma")),
  correct: Schema.Boolean.pipe(field(about.correct))
})
export type QuizOption = typeof QuizOption.Type

/** A question of a quiz and the answers to choose from; choosing any correct one answers it. */
export const Question = Schema.Struct({
  id: QuizId.pipe(field("Students send it as `question_id` to answer the question. It stays when the text is changed")),
  text: Schema.String.pipe(field(about.question, "Com o que se respira?")),
  options: Schema.Array(QuizOption).pipe(field("The answers to choose from, in the order in which they are shown"))
})
export type Question = typeof Question.Type

const hasCorrect = Schema.makeFilter(
  (options: ReadonlyArray<{ readonly correct: boolean }>) => options.some(({ correct }) => correct),
  { expected: "must have at least one that is correct" }
)

const id = Schema.optionalKey(sentId(QuizId))
const SentOption = Schema.Struct({
  id: id.pipe(field("That of an option which the question has, to keep it; absent for a new one")),
  text: text(1, 500).pipe(field(about.option, "Com o diafragma")),
  correct: Schema.Boolean.pipe(field(about.correct))
})
const SentQuestion = Schema.Struct({
  id: id.pipe(field("That of a question which the quiz has, to keep it; absent for a new one")),
  text: text(1, 1000).pipe(field(about.question, "Com o que se respira?")),
  options: Schema.Array(SentOption).check(Schema.isBetweenLength(2, 10), hasCorrect)
    .pipe(field("The answers to choose from, in the order in which they are shown; at least one is correct", [
      { text: "Com o diafragma", correct: true },
      { text: "Com os ombros", correct: false }
    ]))
})
type SentQuestion = typeof SentQuestion.Type

/** The questions of a quiz, all of them, in their order: those sent with their `id` stay, those without one are new. */
export const Questions = Schema.Array(SentQuestion).check(Schema.isBetweenLength(1, 100))

/**
 * The body has one of these faults:
 * - the id of a question does not belong to this quiz
 * - the id of an option does not belong to its question
 * - an id is sent twice
 */
export class QuestionUnknown extends ApiError<QuestionUnknown>()("QuestionUnknown", {
  status: 422,
  code: "question_unknown",
  message: {
    en: "questions must have ids of this quiz, each at most once",
    "pt-BR": "As perguntas precisam ser deste questionário, sem repetição."
  }
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
