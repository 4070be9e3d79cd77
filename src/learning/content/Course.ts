import { Schema } from "effect"
import { ApiError } from "../../platform/http/ApiError.ts"
import { PublicId } from "./PublicId.ts"
import { Title } from "./Title.ts"

/** UUIDv7. */
export const CourseId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("CourseId"))
export type CourseId = typeof CourseId.Type

/** A course as members see it. `position` orders the courses of a club, from 1, with gaps. Students see its live lessons. */
export class Course extends Schema.Class<Course>("Course")({
  id: CourseId,
  public_id: Schema.String,
  title: Schema.String,
  position: Schema.Int,
  created_at: Schema.DateTimeUtcFromDate
}) {}

/** `public_id` is generated unless it is sent. */
export const CreateCourse = Schema.Struct({ title: Title, public_id: Schema.optionalKey(PublicId) })

/** Absent is unchanged. */
export const CoursePatch = Schema.Struct({
  title: Schema.optionalKey(Title),
  public_id: Schema.optionalKey(PublicId)
})

/** How many courses a club has at most. */
export const courseLimit = 1000

/** The club has `courseLimit` courses. Deleted ones do not count. */
export class CourseLimitReached extends ApiError<CourseLimitReached>()("CourseLimitReached", {
  status: 409,
  code: "course_limit_reached",
  message: `A club has at most ${courseLimit} courses: delete one first`
}) {}
