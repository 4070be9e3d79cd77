import type { StudentId } from "../../../identity/ids/StudentId.ts"

/** The outcome of one fact. */
export type FactOutcome = Waiting | Resolved

/** It cannot be applied yet: no mapping names the product, or the purchase or the buyer is not known. */
export interface Waiting {
  readonly _tag: "Waiting"
}

/** It belongs to a purchase or a subscription. */
export interface Resolved {
  readonly _tag: "Resolved"
  /** False: all of it was known before. */
  readonly changed: boolean
  readonly student_id: StudentId | null
  readonly removed: boolean
  /** Names of purchases and subscriptions that were not known before. */
  readonly newNames: ReadonlyArray<string>
}

/** A fact that waits. */
export const waiting: Waiting = { _tag: "Waiting" }

/** A fact that was applied: without anything else said, all of it was known before. */
export const resolved = (outcome: Partial<Omit<Resolved, "_tag">>): Resolved => ({
  _tag: "Resolved",
  changed: false,
  student_id: null,
  removed: false,
  newNames: [],
  ...outcome
})
