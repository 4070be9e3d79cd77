import type { DateTime } from "effect"

/** A lesson and its course before it is completed. */
export interface CompletionState {
  readonly completed_at: DateTime.Utc | null
  /** Stays when a completion is undone. */
  readonly first_completed_at: DateTime.Utc | null
  /** When the course was finished for the first time. */
  readonly finished_at: DateTime.Utc | null
  /** Live lessons of the course that are not completed, this one aside. */
  readonly others_left: number
}

/** The effects of completing a lesson. */
export interface CompletionChange<Place> {
  readonly after: Place
  /** The lesson was not completed, or not any more. */
  readonly completes: boolean
  /** It was never completed before: the event is recorded and points are paid. */
  readonly isFirst: boolean
  /** All live lessons of the course are complete, for the first time: the event is recorded and points are paid. */
  readonly finishes: boolean
}

/**
 * The rule of completions (contract, PointAction and Catalog of types). A lesson that is completed already may still
 * finish its course, if the missing lessons are no longer live.
 */
export const completionChange = <Place extends CompletionState>(
  before: Place,
  now: DateTime.Utc
): CompletionChange<Place> => {
  const finishes = before.finished_at === null && before.others_left === 0
  return {
    after: {
      ...before,
      completed_at: before.completed_at ?? now,
      first_completed_at: before.first_completed_at ?? now,
      finished_at: finishes ? now : before.finished_at
    },
    completes: before.completed_at === null,
    isFirst: before.first_completed_at === null,
    finishes
  }
}
