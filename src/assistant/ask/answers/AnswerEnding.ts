import { Duration } from "effect"
import type { MessageErrorCode } from "../messages/MessageStatus.ts"

/** How an answer ends. */
export type Ending =
  | { readonly status: "completed" | "canceled"; readonly error_code: null }
  | { readonly status: "failed"; readonly error_code: MessageErrorCode }

export const completed: Ending = { status: "completed", error_code: null }
export const canceled: Ending = { status: "canceled", error_code: null }
export const failed = (error_code: MessageErrorCode): Ending => ({ status: "failed", error_code })

/** How long an answer may take in all, from its question on. */
export const patience = Duration.minutes(2)

/** How often an answer is begun. */
export const mostTries = 3

/** What is known of an answer when it ends. */
export interface Ended {
  readonly hasText: boolean
  /** A worker had taken it before, so the model may have been called. */
  readonly begun: boolean
}

/**
 * Whether what the answer took of the day and of the club's budget is given back. What nobody had begun is, and so are
 * failures without a word, while the day has had fewer than `mostFailuresGivenBack`. Who cancels what was begun pays for it.
 */
export const refundOf = ({ status }: Ending, { begun, hasText }: Ended): "all" | "few" | "none" => {
  if (status === "completed" || hasText) return "none"
  if (!begun) return "all"
  return status === "failed" ? "few" : "none"
}

/** An answer that a worker has just claimed. */
export interface ClaimedState {
  /** This one counted. */
  readonly tries: number
  readonly hasText: boolean
  /** Since the question. */
  readonly age: Duration.Duration
}

/** How it has ended already; undefined: it is to be generated. What somebody has begun to read is not said again. */
export const endingOf = ({ age, hasText, tries }: ClaimedState): Ending | undefined => {
  if (Duration.isGreaterThanOrEqualTo(age, patience)) return failed("timeout")
  return hasText || tries > mostTries ? failed("interrupted") : undefined
}
