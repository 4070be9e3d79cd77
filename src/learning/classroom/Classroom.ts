import { Schema } from "effect"
import { Count } from "../../platform/http/Count.ts"
import { field } from "../../platform/http/Field.ts"
import { Instant, InstantOrNull } from "../../platform/schema/Instant.ts"
import { BlockId, BlockKind } from "../content/Block.ts"
import { CourseId } from "../content/Course.ts"
import { LessonId } from "../content/Lesson.ts"
import { ModuleId } from "../content/Module.ts"
import { Question, QuizOption } from "../content/Question.ts"
import { MediaId, ShownMedia } from "../media/Media.ts"
import { LessonPosition } from "./LessonPosition.ts"
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

const course = {
  id: CourseId.pipe(field("The course's id, which events and the dashboard name it by")),
  public_id: Schema.String.pipe(field("The course's key in addresses of the classroom", "primeiro-sopro")),
  title: Schema.String.pipe(field("The course's title", "Primeiro sopro")),
  progress: Progress.pipe(field("How far the student is in it"))
}

/** The course of a lesson, and the student's progress in it. */
export const LessonCourse = Schema.Struct(course)
  .annotate({ identifier: "LessonCourse", description: "The course of a lesson, and how far the student is in it" })
export type LessonCourse = typeof LessonCourse.Type

const CourseLock = Schema.Struct({
  reason: Schema.Literals(["ended", "not_included"])
    .pipe(field("`ended`: the student had the course. `not_included`: they never had it")),
  since: InstantOrNull.pipe(field("When the last access to it ended; null if the student never had it"))
}).annotate({ identifier: "CourseLock", description: "Why a student does not get into a course" })

/** A course as students see it, and their progress in it. */
export const ClassroomCourse = Schema.Struct({
  ...course,
  subtitle: Schema.NullOr(Schema.String)
    .pipe(field("One line below the title; null: no subtitle", "Do primeiro som à primeira música")),
  description: Schema.NullOr(Schema.String).pipe(field(
    "The text about the course, in Markdown; null: no description, or the course is locked",
    "Em **quatro semanas** você toca a primeira música."
  )),
  instructor_name: Schema.NullOr(Schema.String)
    .pipe(field("The name of the person who teaches it; null: no name", "Pixinguinha")),
  cover_media_id: Schema.NullOr(MediaId).pipe(field("The id of the cover's media record; null: no cover", null)),
  cover: Schema.NullOr(ShownMedia).pipe(field("The cover, an image; null: no cover")),
  locked: Schema.NullOr(CourseLock).pipe(field("Why the student does not get in; null: they have the course"))
}).annotate({ identifier: "ClassroomCourse", description: "A course as students see it, and how far they are in it" })
export type ClassroomCourse = typeof ClassroomCourse.Type

const LessonLock = Schema.Struct({
  reason: Schema.Literals(["not_released", "ended", "not_included"])
    .pipe(field("`not_released`: the lesson opens later. The others are the reasons of its course")),
  opens_at: InstantOrNull.pipe(field("When the lesson opens; null if its course is locked"))
}).annotate({ identifier: "LessonLock", description: "Why a student does not get into a lesson" })

const locked = Schema.NullOr(LessonLock).pipe(field("Why the student does not get in; null: the lesson is open"))

const TextImage = Schema.Struct({
  media_id: MediaId.pipe(field("The id by which the text names it: `![what it shows](media:…)`")),
  media: ShownMedia.pipe(field("The image to show"))
}).annotate({ identifier: "TextImage", description: "An image that a text names" })

const images = (description: string) => Schema.Array(TextImage).pipe(field(description))

/** The same with its live lessons in their modules, in order. */
export const ClassroomOutline = Schema.Struct({
  ...ClassroomCourse.fields,
  images: images("The images that the description names, without removed ones"),
  modules: Schema.Array(Schema.Struct({
    ...module,
    lessons: Schema.Array(Schema.Struct({
      ...lesson,
      completed: Schema.Boolean.pipe(field("True if the student has completed it and not undone that")),
      locked,
      kinds: Schema.Array(BlockKind)
        .pipe(field("The kinds of its blocks, each once, in their order; empty if its course is locked", ["video"])),
      duration_seconds: Schema.NullOr(Count).pipe(field(
        "How long its videos play together, in seconds; null if nobody said so, or its course is locked",
        372
      ))
    })).pipe(field("Its live lessons, in their order"))
  })).pipe(field("The modules that have live lessons, in their order"))
}).annotate({
  identifier: "ClassroomOutline",
  description: "A course as students see it, with its live lessons in their modules"
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
      .pipe(field("The words of the text, in Markdown", "Respire fundo e solte o ar devagar, sem levantar os ombros.")),
    images: images("The images that the text names, without removed ones")
  }),
  Schema.Struct({
    kind: Schema.Literals(["video", "file"]).pipe(field("A video to watch, or a file to open")),
    ...block,
    media_id: Schema.NullOr(MediaId)
      .pipe(field("Which media record it shows, as citations of the assistant name it; null if it was removed")),
    media: Schema.NullOr(ShownMedia).pipe(field("The media record to show; null if it was removed")),
    embed_url: Schema.NullOr(Schema.String.annotate({ format: "uri" })).pipe(field(
      "The address of a provider's video for a frame in a page; null for a file in the platform's storage",
      "https://www.youtube-nocookie.com/embed/Fl4utaDoce0"
    ))
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
    body: Schema.String.pipe(field("The assignment's text, in Markdown", "Grave uma respiração de dez segundos.")),
    images: images("The images that the text names, without removed ones"),
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

const Neighbour = Schema.NullOr(Schema.Struct({ public_id: lesson.public_id, title: lesson.title, locked })
  .annotate({ identifier: "NeighbourLesson", description: "A lesson beside another one" }))

/** A live lesson of a course that the student has. */
export const ClassroomLesson = Schema.Struct({
  ...lesson,
  module: Schema.Struct(module).pipe(field("The module that the lesson is in")),
  course: LessonCourse.pipe(field("The course that the lesson is in")),
  blocks: Schema.Array(ClassroomBlock).pipe(field("The lesson's blocks, in their order")),
  ...completion,
  previous: Neighbour
    .pipe(field("The live lesson before it in the course, across modules; null for the first one")),
  next: Neighbour.pipe(field("The live lesson after it in the course, across modules; null for the last one")),
  position: Schema.NullOr(LessonPosition)
    .pipe(field("Where the student is in its video or audio; null before a player has kept it")),
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
  course: LessonCourse.pipe(field("The course as it stands with it")),
  points_awarded: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)).pipe(field(
    "The points that this request earned, for the lesson and for the course; 0 if both were paid before or pay nothing",
    10
  ))
}).annotate({ identifier: "LessonCompletion", description: "The result of completing a lesson" })
export type LessonCompletion = typeof LessonCompletion.Type
