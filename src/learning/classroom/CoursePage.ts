import { Schema } from "effect"
import { InstantOrNull } from "../../platform/schema/Instant.ts"
import { CourseId } from "../content/Course.ts"
import { MediaId } from "../media/Media.ts"

const course = {
  id: CourseId,
  public_id: Schema.String,
  title: Schema.String,
  /** When it was finished for the first time. */
  finished_at: InstantOrNull
}

const counts = {
  lessons_count: Schema.Int,
  completed_count: Schema.Int,
  next_lesson_public_id: Schema.NullOr(Schema.String)
}
const CountedCourse = Schema.Struct({ ...course, ...counts })
/** A course with the counts of its live lessons instead of the lessons. */
export type CountedCourse = typeof CountedCourse.Type

/** The columns of a course's own page. */
export const coursePage = {
  ...course,
  subtitle: Schema.NullOr(Schema.String),
  description: Schema.NullOr(Schema.String),
  instructor_name: Schema.NullOr(Schema.String),
  cover_media_id: Schema.NullOr(MediaId)
}
const CoursePage = Schema.Struct(coursePage)
/** A course, as its own page shows it. */
export type CoursePage = typeof CoursePage.Type

/** The same with the counts of its live lessons. */
export const ListedCourse = Schema.Struct({ ...coursePage, ...counts })
export type ListedCourse = typeof ListedCourse.Type
