import { Schema } from "effect"
import { ApiError } from "../../platform/http/ApiError.ts"
import { CourseId } from "./Course.ts"
import { Title } from "./Title.ts"

/** UUIDv7. */
export const ModuleId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("ModuleId"))
export type ModuleId = typeof ModuleId.Type

/** A part of a course. `position` orders the modules of a course, from 1, with gaps. */
export class Module extends Schema.Class<Module>("Module")({
  id: ModuleId,
  course_id: CourseId,
  title: Schema.String,
  position: Schema.Int,
  created_at: Schema.DateTimeUtcFromDate
}) {}

/** It comes after the other modules of its course. */
export const CreateModule = Schema.Struct({ title: Title })

/** Absent is unchanged. */
export const ModulePatch = Schema.Struct({ title: Schema.optionalKey(Title) })

/** How many modules a course has at most. */
export const moduleLimit = 200

/** The course has `moduleLimit` modules. Deleted ones do not count. */
export class ModuleLimitReached extends ApiError<ModuleLimitReached>()("ModuleLimitReached", {
  status: 409,
  code: "module_limit_reached",
  message: `A course has at most ${moduleLimit} modules: delete one first`
}) {}
