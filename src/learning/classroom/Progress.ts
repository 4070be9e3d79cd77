import { type DateTime, Schema } from "effect"
import { field } from "../../platform/http/Field.ts"
import { InstantOrNull } from "../../platform/schema/Instant.ts"
import type { LessonId } from "../content/Lesson.ts"

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

/** A student's progress in a course. */
export const Progress = Schema.Struct({
  lessons_count: Count.pipe(field("How many lessons the course has that are live now", 4)),
  completed_count: Count.pipe(field("How many of them the student has completed", 1)),
  percent: Count
    .pipe(field("The completed part, from 0 to 100, rounded down: 100 means that every lesson is completed", 25)),
  next_lesson_public_id: Schema.NullOr(Schema.String).pipe(field(
    "The first live lesson that is open and not completed, in the order of the course; null without such a lesson",
    "primeira-nota"
  )),
  completed_at: InstantOrNull.pipe(field(
    "When the course was finished for the first time; null before that. Later lessons, and completions that are undone, do not change it",
    null
  ))
}).annotate({
  identifier: "CourseProgress",
  description: "How far a student is in a course; its lessons are those that are live now"
})
export type Progress = typeof Progress.Type

/** A live lesson of a course, as progress counts it. */
export interface CountedLesson {
  readonly lesson_id: LessonId
  readonly public_id: string
  readonly completed: boolean
  /** When it opens for the student; null: it is open. */
  readonly locked_until: DateTime.Utc | null
}

/** The percentage of a part, rounded down; 0 if the whole is 0. */
export const percentOf = (part: number, whole: number): number => whole === 0 ? 0 : Math.floor(part * 100 / whole)

/** The progress in a course whose live lessons these are, in its order. */
export const progressOf = (lessons: ReadonlyArray<CountedLesson>): Omit<Progress, "completed_at"> => {
  const left = lessons.filter(({ completed }) => !completed)
  const completed_count = lessons.length - left.length
  return {
    lessons_count: lessons.length,
    completed_count,
    percent: percentOf(completed_count, lessons.length),
    next_lesson_public_id: left.find(({ locked_until }) => locked_until === null)?.public_id ?? null
  }
}

/** Why a student does not get into a lesson of a course that they have; null: they do. */
export const lockOf = ({ locked_until }: Pick<CountedLesson, "locked_until">) =>
  locked_until === null ? null : { reason: "not_released" as const, opens_at: locked_until }

/** A lesson that another one is beside. */
interface NeighbourLesson extends CountedLesson {
  readonly title: string
}

/** The lessons beside this one in the order of the course, across its modules. */
export const neighboursOf = (lessons: ReadonlyArray<NeighbourLesson>, lesson_id: LessonId) => {
  const index = lessons.findIndex((lesson) => lesson.lesson_id === lesson_id)
  const at = (place: number) => {
    const lesson = index === -1 ? undefined : lessons[place]
    return lesson === undefined ? null : { public_id: lesson.public_id, title: lesson.title, locked: lockOf(lesson) }
  }
  const [previous, next] = [at(index - 1), at(index + 1)]
  return {
    previous,
    next,
    previous_lesson_public_id: previous?.public_id ?? null,
    next_lesson_public_id: next?.public_id ?? null
  }
}
