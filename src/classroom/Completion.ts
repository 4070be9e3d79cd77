import type { DateTime } from "effect"
import type { LessonId } from "../content/Lesson.ts"
import { completing, type CountedLesson, isFinished } from "./Progress.ts"

/** A lesson and its course before it is completed. */
export interface Standing {
  readonly lesson_id: LessonId
  readonly completed_at: DateTime.Utc | null
  /** Stays when a completion is undone. */
  readonly first_completed_at: DateTime.Utc | null
  /** When the course was finished for the first time. */
  readonly finished_at: DateTime.Utc | null
  /** Every live lesson of the course. */
  readonly lessons: ReadonlyArray<CountedLesson>
}

/** What completing a lesson changes. */
export interface Change<Place> {
  readonly after: Place
  /** The lesson was not completed, or not any more. */
  readonly completes: boolean
  /** It never was: now it is told and paid. */
  readonly isFirst: boolean
  /** No live lesson of the course is left for the first time: now that is told and paid. */
  readonly finishes: boolean
}

/**
 * The rule of completions (contract, PointAction and Catalog of types). A lesson that was completed already may still
 * finish its course, where what was left of it is no longer live.
 */
export const changeOf = <Place extends Standing>(before: Place, now: DateTime.Utc): Change<Place> => {
  const lessons = completing(before.lessons, before.lesson_id)
  const finishes = before.finished_at === null && isFinished(lessons)
  return {
    after: {
      ...before,
      lessons,
      completed_at: before.completed_at ?? now,
      first_completed_at: before.first_completed_at ?? now,
      finished_at: finishes ? now : before.finished_at
    },
    completes: before.completed_at === null,
    isFirst: before.first_completed_at === null,
    finishes
  }
}
