import { Duration } from "effect"
import type { MessageErrorCode } from "../messages/MessageStatus.ts"

/** How an answer ends. */
export type Ending =
  | { readonly status: "completed" | "canceled"; readonly error_code: null }
  | { readonly status: "failed"; readonly error_code: MessageErrorCode }

/** The whole answer was generated. */
export const completed: Ending = { status: "completed", error_code: null }
/** The student did not want it any more. */
export const canceled: Ending = { status: "canceled", error_code: null }
/** There is no answer, or only the beginning of one. */
export const failed = (error_code: MessageErrorCode): Ending => ({ status: "failed", error_code })

/** How long an answer may take, from its question on. */
export const answerTimeLimit = Duration.minutes(2)

/** The most tries at generating an answer. */
export const mostTries = 3

/** The state of an ending answer, which decides if its unit comes back. */
export interface EndedAnswer {
  readonly hasText: boolean
  /** A worker had claimed it before, so the model may have been called. */
  readonly begun: boolean
}

/**
 * The rule for an answer's share of the student's day and of the club's budget:
 * - `always`: it comes back, since no worker had claimed the answer
 * - `limited`: the answer failed without text. It comes back while the day has fewer than `mostFailuresGivenBack`
 * - `never`: the answer has text, or was canceled after a worker had claimed it
 */
export const giveBackRule = ({ status }: Ending, { begun, hasText }: EndedAnswer): "always" | "limited" | "never" => {
  if (status === "completed" || hasText) return "never"
  if (!begun) return "always"
  return status === "failed" ? "limited" : "never"
}

/** An answer that a worker has just claimed. */
export interface ClaimedAnswer {
  /** The number of claims of the answer, with this one. */
  readonly tries: number
  readonly hasText: boolean
  /** The time since the question. */
  readonly age: Duration.Duration
}

/**
 * The ending of a claimed answer that will not be generated; undefined: generate it. An answer with text is not
 * generated again, because its student may have read the beginning.
 */
export const endingOf = ({ age, hasText, tries }: ClaimedAnswer): Ending | undefined => {
  if (Duration.isGreaterThanOrEqualTo(age, answerTimeLimit)) return failed("timeout")
  return hasText || tries > mostTries ? failed("interrupted") : undefined
}
