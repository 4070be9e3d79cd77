import { Schema } from "effect"
import { ApiError } from "../../platform/http/ApiError.ts"
import { field } from "../../platform/http/Field.ts"
import { sentId } from "../../platform/http/Text.ts"
import { Timestamp } from "../../platform/http/Timestamp.ts"
import { brandedId } from "../../platform/schema/brandedId.ts"
import { Instant, InstantOrNull } from "../../platform/schema/Instant.ts"
import { CourseId } from "./Course.ts"
import { ModuleId } from "./Module.ts"
import { openingFields, openingInput } from "./Opening.ts"
import { Position } from "./Position.ts"
import { PublicId } from "./PublicId.ts"
import { Title } from "./Title.ts"

/** UUIDv7. */
export const LessonId = brandedId("LessonId")
export type LessonId = typeof LessonId.Type

const about = {
  public_id: "The lesson's key in addresses of the classroom, unique among the club's lessons",
  title: "The lesson's title, for members and students"
}

/** A lesson as members see it. */
export class Lesson extends Schema.Class<Lesson>("Lesson")(Schema.Struct({
  id: LessonId.pipe(field("Names the lesson on the dashboard's routes")),
  course_id: CourseId.pipe(field("The course that it is in; this never changes")),
  module_id: ModuleId.pipe(field("The module of the course that it is in")),
  public_id: Schema.String.pipe(field(about.public_id, "respirar")),
  title: Schema.String.pipe(field(about.title, "Respirar")),
  position: Position.pipe(field("Orders the lessons of the module, the lowest first; there may be gaps", 1)),
  published_at: InstantOrNull
    .pipe(field("From when on students see the lesson; a future time is a schedule. Null: it is a draft, which they never see")),
  ...openingFields,
  created_at: Instant.pipe(field("When the lesson was added"))
}).annotate({ description: "A lesson as members see it, without its blocks" })) {}

/** A draft, after the other lessons of its module. */
export const CreateLesson = Schema.Struct({
  title: Title.pipe(field(about.title, "Respirar")),
  public_id: Schema.optionalKey(PublicId)
    .pipe(field(`${about.public_id}; 12 random letters and digits unless it is sent`, "respirar")),
  ...openingInput
})

/** Absent is unchanged. */
export const LessonPatch = Schema.Struct({
  title: Schema.optionalKey(Title).pipe(field(about.title, "Respirar")),
  public_id: Schema.optionalKey(PublicId)
    .pipe(field(`${about.public_id}. Addresses with the key before lead nowhere from then on`, "respirar")),
  module_id: Schema.optionalKey(sentId(ModuleId))
    .pipe(field("Another module of the same course: the lesson moves to its end. The lesson's own module changes nothing")),
  ...openingInput
})

/** When it goes live, in the past or in the future; null is never. */
export const Publication = Schema.Struct({
  published_at: Schema.NullOr(Timestamp)
    .pipe(field("From when on students see it: at once for a time in the past, scheduled for one in the future, null for a draft"))
})

/** The most lessons of a module. */
export const lessonLimit = 200

/**
 * The most lessons of a course, or a few more when several are added at once: students get all of them at
 * once.
 */
export const courseLessonLimit = 1000

/** The module or the course has as many lessons as it may. Deleted ones do not count. */
export class LessonLimitReached extends ApiError<LessonLimitReached>()("LessonLimitReached", {
  status: 409,
  code: "lesson_limit_reached",
  message: {
    en: `A module has at most ${lessonLimit} lessons, and a course ${courseLessonLimit}: delete or move one first`,
    "pt-BR": "O módulo ou o curso chegou ao máximo de aulas: exclua ou mova uma antes."
  }
}) {}

/** The lesson's course has no such module. */
export class ModuleUnknown extends ApiError<ModuleUnknown>()("ModuleUnknown", {
  status: 422,
  code: "module_unknown",
  message: {
    en: "module_id must be a module of the lesson's course",
    "pt-BR": "O módulo precisa ser do curso da aula."
  }
}) {}
