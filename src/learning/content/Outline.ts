import { Schema } from "effect"
import { Count } from "../../platform/http/Count.ts"
import { field } from "../../platform/http/Field.ts"
import { Course } from "./Course.ts"
import { Lesson } from "./Lesson.ts"
import { Module } from "./Module.ts"

const OutlinedLesson = Schema.Struct({
  id: Lesson.fields.id,
  public_id: Lesson.fields.public_id,
  title: Lesson.fields.title,
  published_at: Lesson.fields.published_at,
  opens_after_days: Lesson.fields.opens_after_days,
  opens_at: Lesson.fields.opens_at,
  blocks_count: Count.pipe(field("The number of its blocks", 3))
}).annotate({ identifier: "OutlinedLesson", description: "A lesson of an outline, drafts too" })

const OutlinedModule = Schema.Struct({
  id: Module.fields.id,
  title: Module.fields.title,
  opens_after_days: Module.fields.opens_after_days,
  opens_at: Module.fields.opens_at,
  lessons: Schema.Array(OutlinedLesson).pipe(field("Its lessons in their order, at most 200"))
}).annotate({ identifier: "OutlinedModule", description: "A module of an outline" })

/** A whole course with its modules: `moduleLimit` and `courseLessonLimit` bound it. */
export const Outline = Schema.Struct({
  ...Course.fields,
  modules: Schema.Array(OutlinedModule).pipe(field("Its modules in their order, at most 200"))
}).annotate({ identifier: "CourseOutline", description: "A course with its modules and their lessons" })
export type Outline = typeof Outline.Type

// Within the JSON of the statement, times are text.
const LessonRow = Schema.Struct({
  ...OutlinedLesson.fields,
  published_at: Schema.NullOr(Schema.DateTimeUtcFromString),
  opens_at: Schema.NullOr(Schema.DateTimeUtcFromString)
})

/** An outline as its statement answers it. */
export const OutlineRow = Schema.Struct({
  ...Course.fields,
  modules: Schema.Array(Schema.Struct({
    ...OutlinedModule.fields,
    opens_at: Schema.NullOr(Schema.DateTimeUtcFromString),
    lessons: Schema.Array(LessonRow)
  }))
})
