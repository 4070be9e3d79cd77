/** A lesson of made-up course material. A document has one page for each paragraph. */
export interface TaughtLesson {
  readonly key: string
  readonly title: string
  readonly kind: "text" | "transcript" | "document"
  readonly body: string
}

/** What a student asks. `answer` stands in the sentence that answers it, in the lesson; null is off the topic. */
export interface Asked {
  readonly question: string
  readonly answer: { readonly lesson: string; readonly says: string } | null
  /** The thresholds were chosen by looking at `tuned` questions alone. `later` ones were written when they stood. */
  readonly part: "tuned" | "held" | "later"
}

type Listed = readonly [question: string, lesson: string, says: string] | readonly [question: string]

const answerOf = ([, lesson, says]: Listed) => lesson === undefined || says === undefined ? null : { lesson, says }

/** One question after the other is tuned and held out, so that both parts are alike. */
export const asked = (listed: ReadonlyArray<Listed>): ReadonlyArray<Asked> =>
  listed.map((one, index) => ({ question: one[0], answer: answerOf(one), part: index % 2 === 0 ? "tuned" : "held" }))

/** Questions that were written when nothing was tuned any more. */
export const later = (listed: ReadonlyArray<Listed>): ReadonlyArray<Asked> =>
  listed.map((one) => ({ question: one[0], answer: answerOf(one), part: "later" }))
