import { Schema } from "effect"
import { ApiError } from "../../platform/http/ApiError.ts"
import { sentId } from "../../platform/http/Text.ts"
import { Timestamp } from "../../platform/http/Timestamp.ts"
import { CourseId } from "./Course.ts"
import { ModuleId } from "./Module.ts"
import { PublicId } from "./PublicId.ts"
import { Title } from "./Title.ts"

/** UUIDv7. */
export const LessonId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("LessonId"))
export type LessonId = typeof LessonId.Type

/**
 * A lesson as members see it. Students see it from `published_at` on; null: it is a draft. `position` orders the lessons
 * of a module, from 1, with gaps.
 */
export class Lesson extends Schema.Class<Lesson>("Lesson")({
  id: LessonId,
  course_id: CourseId,
  module_id: ModuleId,
  public_id: Schema.String,
  title: Schema.String,
  position: Schema.Int,
  published_at: Schema.NullOr(Schema.DateTimeUtcFromDate),
  created_at: Schema.DateTimeUtcFromDate
}) {}

/** A draft, after the other lessons of its module. `public_id` is generated unless it is sent. */
export const CreateLesson = Schema.Struct({ title: Title, public_id: Schema.optionalKey(PublicId) })

/** Absent is unchanged. Another `module_id`, of the same course, moves it to the end of that module. */
export const LessonPatch = Schema.Struct({
  title: Schema.optionalKey(Title),
  public_id: Schema.optionalKey(PublicId),
  module_id: Schema.optionalKey(sentId(ModuleId))
})

/** When it goes live, in the past or in the future; null is never. */
export const Publication = Schema.Struct({ published_at: Schema.NullOr(Timestamp) })

/** How many lessons a module has at most. */
export const lessonLimit = 200

/**
 * How many lessons a course has at most, or a few more when several are added at once: students get all of them at
 * once.
 */
export const courseLessonLimit = 1000

/** The module or the course has as many lessons as it may. Deleted ones do not count. */
export class LessonLimitReached extends ApiError<LessonLimitReached>()("LessonLimitReached", {
  status: 409,
  code: "lesson_limit_reached",
  message: `A module has at most ${lessonLimit} lessons, and a course ${courseLessonLimit}: delete or move one first`
}) {}

/** The lesson's course has no such module. */
export class ModuleUnknown extends ApiError<ModuleUnknown>()("ModuleUnknown", {
  status: 422,
  code: "module_unknown",
  message: "module_id must be a module of the lesson's course"
}) {}
