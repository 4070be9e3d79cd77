import { Schema } from "effect"

/** UUIDv7. */
export const LessonId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("LessonId"))
export type LessonId = typeof LessonId.Type

/** UUIDv7. */
export const ModuleId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("ModuleId"))
export type ModuleId = typeof ModuleId.Type

/** UUIDv7. */
export const CourseId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("CourseId"))
export type CourseId = typeof CourseId.Type
