import { Schema } from "effect"
import { BlockId } from "../content/Block.ts"
import { CourseId } from "../content/Course.ts"
import { LessonId } from "../content/Lesson.ts"
import { ModuleId } from "../content/Module.ts"
import { QuizOption } from "../content/Question.ts"
import { ShownMedia } from "../media/Media.ts"
import { Progress } from "./Progress.ts"
import { QuizAttempt } from "./QuizAttempt.ts"
import { Submission } from "./Submission.ts"

const Moment = Schema.NullOr(Schema.DateTimeUtcFromDate)

/** A course that the student has, and how far they are in it. */
export const ClassroomCourse = Schema.Struct({
  id: CourseId,
  public_id: Schema.String,
  title: Schema.String,
  progress: Progress
}).annotate({ identifier: "ClassroomCourse" })
export type ClassroomCourse = typeof ClassroomCourse.Type

/** The same with its live lessons in their modules, in order. */
export const ClassroomOutline = Schema.Struct({
  ...ClassroomCourse.fields,
  modules: Schema.Array(Schema.Struct({
    id: ModuleId,
    title: Schema.String,
    lessons: Schema.Array(Schema.Struct({
      id: LessonId,
      public_id: Schema.String,
      title: Schema.String,
      completed: Schema.Boolean
    }))
  }))
}).annotate({ identifier: "ClassroomOutline" })
export type ClassroomOutline = typeof ClassroomOutline.Type

/** A question as it is asked, without which options are right. */
const AskedQuestion = Schema.Struct({
  id: Schema.String,
  text: Schema.String,
  options: Schema.Array(Schema.Struct({ id: QuizOption.fields.id, text: QuizOption.fields.text }))
})

/** An earlier attempt of the student's own, without what was answered. */
export const LastAttempt = Schema.Struct({
  id: QuizAttempt.fields.id,
  percent: Schema.Int,
  passed: Schema.Boolean,
  created_at: Schema.DateTimeUtcFromDate
})

const block = { id: BlockId, title: Schema.NullOr(Schema.String) }

/** A block as students see it, with what they last did in it. `media` is null where it was removed. */
export const ClassroomBlock = Schema.Union([
  Schema.Struct({ kind: Schema.Literal("text"), ...block, body: Schema.String }),
  Schema.Struct({ kind: Schema.Literals(["video", "file"]), ...block, media: Schema.NullOr(ShownMedia) }),
  Schema.Struct({
    kind: Schema.Literal("quiz"),
    ...block,
    pass_percent: Schema.Int,
    questions: Schema.Array(AskedQuestion),
    last_attempt: Schema.NullOr(LastAttempt)
  }),
  Schema.Struct({
    kind: Schema.Literal("assignment"),
    ...block,
    body: Schema.String,
    last_submission: Schema.NullOr(Submission)
  })
]).annotate({ identifier: "ClassroomBlock" })
export type ClassroomBlock = typeof ClassroomBlock.Type

/** Whether the student has completed a lesson. `first_completed_at` stays when a completion is undone. */
const completion = { completed: Schema.Boolean, completed_at: Moment, first_completed_at: Moment }

/** A live lesson of a course that the student has. The lessons beside it are those of the course, across its modules. */
export const ClassroomLesson = Schema.Struct({
  id: LessonId,
  public_id: Schema.String,
  title: Schema.String,
  module: Schema.Struct({ id: ModuleId, title: Schema.String }),
  course: ClassroomCourse,
  blocks: Schema.Array(ClassroomBlock),
  ...completion,
  previous_lesson_public_id: Schema.NullOr(Schema.String),
  next_lesson_public_id: Schema.NullOr(Schema.String)
}).annotate({ identifier: "ClassroomLesson" })
export type ClassroomLesson = typeof ClassroomLesson.Type

/** A lesson that is completed, the course as it stands with it, and the points that this request earned. */
export const LessonCompletion = Schema.Struct({
  lesson: Schema.Struct({ id: LessonId, public_id: Schema.String, title: Schema.String }),
  ...completion,
  course: ClassroomCourse,
  points_awarded: Schema.Int
}).annotate({ identifier: "LessonCompletion" })
export type LessonCompletion = typeof LessonCompletion.Type
