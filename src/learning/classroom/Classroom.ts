import { Schema } from "effect"
import { field } from "../../platform/http/Field.ts"
import { Instant, InstantOrNull } from "../../platform/schema/Instant.ts"
import { BlockId } from "../content/Block.ts"
import { CourseId } from "../content/Course.ts"
import { LessonId } from "../content/Lesson.ts"
import { ModuleId } from "../content/Module.ts"
import { Question, QuizOption } from "../content/Question.ts"
import { ShownMedia } from "../media/Media.ts"
import { Progress } from "./Progress.ts"
import { QuizAttempt } from "./QuizAttempt.ts"
import { Submission } from "./Submission.ts"

const Percent = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100 }))

const lesson = {
  id: LessonId.pipe(field("The lesson's id, which events and the dashboard name it by")),
  public_id: Schema.String.pipe(field("The lesson's key in addresses of the classroom", "respirar")),
  title: Schema.String.pipe(field("The lesson's title", "Respirar"))
}

const module = {
  id: ModuleId.pipe(field("The module's id, which the dashboard names it by")),
  title: Schema.String.pipe(field("The module's title", "Antes da primeira nota"))
}

/** A course that the student has, and their progress in it. */
export const ClassroomCourse = Schema.Struct({
  id: CourseId.pipe(field("The course's id, which events and the dashboard name it by")),
  public_id: Schema.String.pipe(field("The course's key in addresses of the classroom", "primeiro-sopro")),
  title: Schema.String.pipe(field("The course's title", "Primeiro sopro")),
  progress: Progress.pipe(field("How far the student is in it"))
}).annotate({ identifier: "ClassroomCourse", description: "A course that the student has, and how far they are in it" })
export type ClassroomCourse = typeof ClassroomCourse.Type

/** The same with its live lessons in their modules, in order. */
export const ClassroomOutline = Schema.Struct({
  ...ClassroomCourse.fields,
  modules: Schema.Array(Schema.Struct({
    ...module,
    lessons: Schema.Array(Schema.Struct({
      ...lesson,
      completed: Schema.Boolean.pipe(field("True if the student has completed it and not undone that"))
    })).pipe(field("Its live lessons, in their order"))
  })).pipe(field("The modules that have live lessons, in their order"))
}).annotate({
  identifier: "ClassroomOutline",
  description: "A course that the student has, with its live lessons in their modules"
})
export type ClassroomOutline = typeof ClassroomOutline.Type

/** A question for students, without the marks of right options. */
const AskedQuestion = Schema.Struct({
  id: Question.fields.id,
  text: Question.fields.text,
  options: Schema.Array(Schema.Struct({ id: QuizOption.fields.id, text: QuizOption.fields.text }))
    .pipe(field("The answers to choose from, in the order in which they are shown; which are correct is not told"))
})

/** An earlier attempt of the student's own, without the answers. */
export const LastAttempt = Schema.Struct({
  id: QuizAttempt.fields.id,
  percent: Percent.pipe(field("How many percent of the questions were answered correctly, rounded down", 100)),
  passed: Schema.Boolean.pipe(field("True if the score was enough to pass at that time")),
  created_at: Instant.pipe(field("When the student made the attempt"))
})

const block = {
  id: BlockId.pipe(field("The block's id; quizzes are answered and assignments submitted to under it")),
  title: Schema.NullOr(Schema.String).pipe(field("The block's title; null: no title", "Uma respiração por vez"))
}

/** A block as students see it, with their latest action in it. */
export const ClassroomBlock = Schema.Union([
  Schema.Struct({
    kind: Schema.Literal("text").pipe(field("A text to read")),
    ...block,
    body: Schema.String
      .pipe(field("The words of the text", "Respire fundo e solte o ar devagar, sem levantar os ombros."))
  }),
  Schema.Struct({
    kind: Schema.Literals(["video", "file"]).pipe(field("A video to watch, or a file to open")),
    ...block,
    media: Schema.NullOr(ShownMedia).pipe(field("The media record to show; null if it was removed"))
  }),
  Schema.Struct({
    kind: Schema.Literal("quiz").pipe(field("A quiz to answer")),
    ...block,
    pass_percent: Percent
      .pipe(field("How many percent of the questions have to be answered correctly to pass the quiz", 70)),
    questions: Schema.Array(AskedQuestion).pipe(field("The questions, in the order in which they are asked")),
    last_attempt: Schema.NullOr(LastAttempt).pipe(field("The student's latest attempt; null without an attempt"))
  }),
  Schema.Struct({
    kind: Schema.Literal("assignment").pipe(field("An assignment to submit to")),
    ...block,
    body: Schema.String.pipe(field("The assignment's text", "Grave uma respiração de dez segundos.")),
    last_submission: Schema.NullOr(Submission).pipe(field("The student's latest submission; null without a submission"))
  })
]).annotate({ identifier: "ClassroomBlock", description: "A block as students see it, with what they last did in it" })
export type ClassroomBlock = typeof ClassroomBlock.Type

/** True if the student has completed a lesson. */
const completion = {
  completed: Schema.Boolean.pipe(field("True if the student has completed the lesson and not undone that")),
  completed_at: InstantOrNull.pipe(field("When the lesson was completed, the last time; null while it is not")),
  first_completed_at: InstantOrNull
    .pipe(field("When the lesson was completed for the first time, which undoing does not change; null if it never was"))
}

/** A live lesson of a course that the student has. */
export const ClassroomLesson = Schema.Struct({
  ...lesson,
  module: Schema.Struct(module).pipe(field("The module that the lesson is in")),
  course: ClassroomCourse.pipe(field("The course that the lesson is in")),
  blocks: Schema.Array(ClassroomBlock).pipe(field("The lesson's blocks, in their order")),
  ...completion,
  previous_lesson_public_id: Schema.NullOr(Schema.String)
    .pipe(field("The live lesson before it in the course, across modules; null for the first one", null)),
  next_lesson_public_id: Schema.NullOr(Schema.String)
    .pipe(field("The live lesson after it in the course, across modules; null for the last one", "primeira-nota"))
}).annotate({
  identifier: "ClassroomLesson",
  description: "A live lesson of a course that the student has, with what they did in it"
})
export type ClassroomLesson = typeof ClassroomLesson.Type

/** A completed lesson, and the state of its course with it. */
export const LessonCompletion = Schema.Struct({
  lesson: Schema.Struct(lesson).pipe(field("The lesson that is completed")),
  ...completion,
  course: ClassroomCourse.pipe(field("The course as it stands with it")),
  points_awarded: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)).pipe(field(
    "The points that this request earned, for the lesson and for the course; 0 if both were paid before or pay nothing",
    10
  ))
}).annotate({ identifier: "LessonCompletion", description: "The result of completing a lesson" })
export type LessonCompletion = typeof LessonCompletion.Type
