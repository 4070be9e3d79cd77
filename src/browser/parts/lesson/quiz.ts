// The answers to a quiz while somebody gives them. Pure.

/** The chosen option of each question. */
export type Answers = Readonly<Record<string, string>>

interface Quiz {
  readonly questions: ReadonlyArray<{ readonly id: string; readonly options: ReadonlyArray<{ readonly id: string }> }>
}

/** The answers that were kept, as far as the quiz still has their questions and options. */
export const keptAnswers = ({ questions }: Quiz, text: string): Answers => {
  let kept: unknown
  try {
    kept = JSON.parse(text)
  } catch {
    return {}
  }
  if (typeof kept !== "object" || kept === null) return {}
  const chosen = new Map<string, unknown>(Object.entries(kept))
  return Object.fromEntries(questions.flatMap(({ id, options }) => {
    const option = options.find((one) => one.id === chosen.get(id))
    return option === undefined ? [] : [[id, option.id]]
  }))
}

/** The first question without an answer; undefined if all have one. */
export const firstOpen = ({ questions }: Quiz, answers: Answers): number | undefined => {
  const found = questions.findIndex(({ id }) => !Object.hasOwn(answers, id))
  return found === -1 ? undefined : found
}
