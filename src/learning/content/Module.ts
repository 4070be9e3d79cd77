import { Schema } from "effect"
import { ApiError } from "../../platform/http/ApiError.ts"
import { field } from "../../platform/http/Field.ts"
import { brandedId } from "../../platform/schema/brandedId.ts"
import { Instant } from "../../platform/schema/Instant.ts"
import { CourseId } from "./Course.ts"
import { openingFields, openingInput } from "./Opening.ts"
import { Position } from "./Position.ts"
import { Title } from "./Title.ts"

/** UUIDv7. */
export const ModuleId = brandedId("ModuleId")
export type ModuleId = typeof ModuleId.Type

const title = "The module's title, above its lessons"

/** A part of a course. */
export class Module extends Schema.Class<Module>("Module")(Schema.Struct({
  id: ModuleId.pipe(field("Names the module on the dashboard's routes")),
  course_id: CourseId.pipe(field("The course that it is a part of; this never changes")),
  title: Schema.String.pipe(field(title, "Antes da primeira nota")),
  position: Position.pipe(field("Orders the modules of the course, the lowest first; there may be gaps", 1)),
  ...openingFields,
  created_at: Instant.pipe(field("When the module was added"))
}).annotate({ description: "A part of a course, which holds lessons in an order" })) {}

/** It comes after the other modules of its course. */
export const CreateModule = Schema.Struct({
  title: Title.pipe(field(title, "Antes da primeira nota")),
  ...openingInput
})

/** Absent is unchanged. */
export const ModulePatch = Schema.Struct({
  title: Schema.optionalKey(Title).pipe(field(title, "Antes da primeira nota")),
  ...openingInput
})

/** The most modules of a course. */
export const moduleLimit = 200

/** The course has `moduleLimit` modules. Deleted ones do not count. */
export class ModuleLimitReached extends ApiError<ModuleLimitReached>()("ModuleLimitReached", {
  status: 409,
  code: "module_limit_reached",
  message: {
    en: `A course has at most ${moduleLimit} modules: delete one first`,
    "pt-BR": "O curso chegou ao máximo de módulos: exclua um antes."
  }
}) {}
