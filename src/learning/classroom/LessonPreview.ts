import { Schema } from "effect"
import { field } from "../../platform/http/Field.ts"
import { CourseId } from "../content/Course.ts"
import { LessonId } from "../content/Lesson.ts"
import { ModuleId } from "../content/Module.ts"
import { ClassroomBlock } from "./Classroom.ts"

const [text, shown, quiz, assignment] = ClassroomBlock.members
const { last_attempt: _, ...quizFields } = quiz.fields
const { last_submission: __, ...assignmentFields } = assignment.fields

/** A block as students see it who have done nothing in it yet. */
const PreviewBlock = Schema.Union([text, shown, Schema.Struct(quizFields), Schema.Struct(assignmentFields)])
  .annotate({ identifier: "PreviewBlock", description: "A block as students see it, without what they did in it" })

/** A lesson as a student would read it who has done nothing in it yet. */
export const LessonPreview = Schema.Struct({
  id: LessonId.pipe(field("The lesson's id")),
  title: Schema.String.pipe(field("The lesson's title", "Respirar")),
  module: Schema.Struct({
    id: ModuleId.pipe(field("The module's id")),
    title: Schema.String.pipe(field("The module's title", "Antes da primeira nota"))
  }).pipe(field("The module that the lesson is in")),
  course: Schema.Struct({
    id: CourseId.pipe(field("The course's id")),
    title: Schema.String.pipe(field("The course's title", "Primeiro sopro"))
  }).pipe(field("The course that the lesson is in")),
  blocks: Schema.Array(PreviewBlock)
    .pipe(field("The lesson's blocks, in their order"))
}).annotate({ identifier: "LessonPreview", description: "A lesson as students would read it, live or not" })
export type LessonPreview = typeof LessonPreview.Type
