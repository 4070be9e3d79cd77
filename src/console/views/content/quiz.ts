// The questions of a quiz while they are written. Pure.

/** An answer to choose; without an id it is new. */
export interface OptionDraft {
  readonly id?: string
  readonly text: string
  readonly correct: boolean
}

/** A question; without an id it is new. */
export interface QuestionDraft {
  readonly id?: string
  readonly text: string
  readonly options: ReadonlyArray<OptionDraft>
}

/** A new question, with room for the fewest answers. */
export const newQuestion: QuestionDraft = {
  text: "",
  options: [{ text: "", correct: true }, { text: "", correct: false }]
}

/** The limits of the API. */
export const quizLimits = { questions: 100, options: 10, fewestOptions: 2 }

/** With another in its place. */
export const withAt = <A>(list: ReadonlyArray<A>, place: number, item: A): ReadonlyArray<A> =>
  list.map((one, index) => index === place ? item : one)

/** Without what stands there. */
export const withoutAt = <A>(list: ReadonlyArray<A>, place: number): ReadonlyArray<A> => list.toSpliced(place, 1)

/** Why a quiz cannot be saved yet. */
export type QuizProblem = "no_questions" | "no_words" | "no_correct"

/** The first that is wrong with the questions, and with which, counted from 0; undefined if nothing is. */
export const problemOf = (
  questions: ReadonlyArray<QuestionDraft>
): { readonly problem: QuizProblem; readonly place: number } | undefined => {
  if (questions.length === 0) return { problem: "no_questions", place: 0 }
  for (const [place, { options, text }] of questions.entries()) {
    if (text.trim() === "" || options.some((option) => option.text.trim() === "")) return { problem: "no_words", place }
    if (!options.some(({ correct }) => correct)) return { problem: "no_correct", place }
  }
  return undefined
}
