/** A lesson of made-up course material. A document has one page for each paragraph. */
export interface TaughtLesson {
  readonly key: string
  readonly title: string
  readonly kind: "text" | "transcript" | "document"
  readonly body: string
}

/** A student's question. `answer` is part of the sentence that answers it. Null means that it is off the topic. */
export interface Asked {
  readonly question: string
  readonly answer: { readonly lesson: string; readonly says: string } | null
  /** Only the `tuned` questions shaped the thresholds. The `later` ones were written afterwards. */
  readonly part: "tuned" | "held" | "later"
}

type Listed = readonly [question: string, lesson: string, says: string] | readonly [question: string]

const answerOf = ([, lesson, says]: Listed) => lesson === undefined || says === undefined ? null : { lesson, says }

/** Questions alternate between tuned and held out, so both parts are alike. */
export const asked = (listed: ReadonlyArray<Listed>): ReadonlyArray<Asked> =>
  listed.map((one, index) => ({ question: one[0], answer: answerOf(one), part: index % 2 === 0 ? "tuned" : "held" }))

/** Questions that were written after the tuning. */
export const later = (listed: ReadonlyArray<Listed>): ReadonlyArray<Asked> =>
  listed.map((one) => ({ question: one[0], answer: answerOf(one), part: "later" }))
