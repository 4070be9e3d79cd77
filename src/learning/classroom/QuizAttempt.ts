import { Array as Arr, Result, Schema } from "effect"
import { ApiError } from "../../platform/http/ApiError.ts"
import { field } from "../../platform/http/Field.ts"
import { sentId } from "../../platform/http/Text.ts"
import { brandedId, Uuid } from "../../platform/schema/brandedId.ts"
import { Instant } from "../../platform/schema/Instant.ts"
import { percentOf } from "./Progress.ts"

/** UUIDv7. */
export const QuizAttemptId = brandedId("QuizAttemptId")
export type QuizAttemptId = typeof QuizAttemptId.Type

/** More answers than any quiz has questions. A smaller list that is wrong is refused with a code of its own. */
const mostAnswers = 1000

/** The option that a student chose for a question. */
export const QuizAnswer = Schema.Struct({
  question_id: sentId(Uuid).pipe(field("The `id` of a question of the quiz")),
  option_id: sentId(Uuid).pipe(field("The `id` of the option of this question that the student chose"))
})
export type QuizAnswer = typeof QuizAnswer.Type

/** One answer for every question of the quiz, in any order. */
export const QuizAnswers = Schema.Struct({
  answers: Schema.Array(QuizAnswer).check(Schema.isMaxLength(mostAnswers))
    .pipe(field("One answer to every question of the quiz, in any order"))
})

/** True if the answer to a question was right. */
const QuestionResult = Schema.Struct({
  question_id: Uuid.pipe(field("Which question of the quiz it is about")),
  correct: Schema.Boolean.pipe(field("True if the chosen option is correct"))
})

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

const score = {
  percent: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100 }))
    .pipe(field("How many percent of the questions were answered correctly, rounded down", 100)),
  passed: Schema.Boolean.pipe(field("True if the score is at least the quiz's `pass_percent`")),
  correct_count: Count.pipe(field("How many questions were answered correctly", 1)),
  questions_count: Count.pipe(field("How many questions the quiz has", 1)),
  results: Schema.Array(QuestionResult).pipe(field("How each question was answered, in the order of the quiz"))
}

/** An attempt that was scored. */
export const QuizAttempt = Schema.Struct({
  id: QuizAttemptId.pipe(field("The attempt's own id; sorts attempts by their creation")),
  ...score,
  points_awarded: Count.pipe(field(
    "The points that this attempt earned; 0 unless it is the first that passes, or if `quiz_passed` pays nothing",
    20
  )),
  created_at: Instant.pipe(field("When the student made the attempt"))
}).annotate({ identifier: "QuizAttempt", description: "An attempt at a quiz, scored" })
export type QuizAttempt = typeof QuizAttempt.Type

/** How well a quiz was answered. */
export type Score = Pick<QuizAttempt, keyof typeof score>

/** There is an answer to a question that the quiz does not have. */
export class QuizQuestionUnknown extends ApiError<QuizQuestionUnknown>()("QuizQuestionUnknown", {
  status: 422,
  code: "quiz_question_unknown",
  message: {
    en: "answers must name questions of this quiz",
    "pt-BR": "Uma das respostas é de outro questionário."
  }
}) {}

/** An option is not one of its question. */
export class QuizOptionUnknown extends ApiError<QuizOptionUnknown>()("QuizOptionUnknown", {
  status: 422,
  code: "quiz_option_unknown",
  message: {
    en: "answers must name options of their questions",
    "pt-BR": "Uma das respostas não é uma opção da pergunta."
  }
}) {}

/** A question is answered twice. */
export class QuizQuestionRepeated extends ApiError<QuizQuestionRepeated>()("QuizQuestionRepeated", {
  status: 422,
  code: "quiz_question_repeated",
  message: {
    en: "answers must answer each question once",
    "pt-BR": "Uma das perguntas foi respondida duas vezes."
  }
}) {}

/** A question is not answered. */
export class QuizQuestionUnanswered extends ApiError<QuizQuestionUnanswered>()("QuizQuestionUnanswered", {
  status: 422,
  code: "quiz_question_unanswered",
  message: {
    en: "answers must answer every question of the quiz",
    "pt-BR": "Uma das perguntas ficou sem resposta."
  }
}) {}

/** Why answers are not scored. */
export type AnswersRefused = QuizQuestionUnknown | QuizOptionUnknown | QuizQuestionRepeated | QuizQuestionUnanswered

/** A quiz for scoring: the right options, and the percentage of questions to pass. */
export interface ScoredQuiz {
  readonly pass_percent: number
  readonly questions: ReadonlyArray<{
    readonly id: string
    readonly options: ReadonlyArray<{ readonly id: string; readonly correct: boolean }>
  }>
}

const refusalOf = ({ questions }: ScoredQuiz, answers: ReadonlyArray<QuizAnswer>): AnswersRefused | undefined => {
  const optionsByQuestion = new Map(questions.map(({ id, options }) => [id, options]))
  const answered = new Set<string>()
  for (const [index, { option_id, question_id }] of answers.entries()) {
    const options = optionsByQuestion.get(question_id)
    const at = (field: string, problem: string) => ({
      error: { message: `answers[${index}].${field} must be ${problem}` }
    })
    if (options === undefined) return new QuizQuestionUnknown(at("question_id", "a question of this quiz"))
    if (answered.has(question_id)) {
      return new QuizQuestionRepeated(at("question_id", "a question that no other answer is to"))
    }
    if (!options.some(({ id }) => id === option_id)) {
      return new QuizOptionUnknown(at("option_id", "an option of its question"))
    }
    answered.add(question_id)
  }
  return answered.size < optionsByQuestion.size ? new QuizQuestionUnanswered() : undefined
}

/**
 * Scores answers, one for each question. Any of a question's correct options is right. The percentage is rounded down, so
 * it never says more than was reached, and it passes from `pass_percent` on.
 */
export const scoreOf = (
  quiz: ScoredQuiz,
  answers: ReadonlyArray<QuizAnswer>
): Result.Result<Score, AnswersRefused> => {
  const refusal = refusalOf(quiz, answers)
  if (refusal !== undefined) return Result.fail(refusal)
  const chosen = new Map(answers.map(({ option_id, question_id }) => [question_id, option_id]))
  const results = quiz.questions.map(({ id, options }) => ({
    question_id: id,
    correct: options.some((option) => option.correct && option.id === chosen.get(id))
  }))
  const correct_count = Arr.countBy(results, ({ correct }) => correct)
  const percent = percentOf(correct_count, results.length)
  return Result.succeed({
    percent,
    passed: percent >= quiz.pass_percent,
    correct_count,
    questions_count: results.length,
    results
  })
}
