import { Schema } from "effect"
import { Notification } from "../../membership/notifications/Notification.ts"
import { field } from "../../platform/http/Field.ts"
import { Instant } from "../../platform/schema/Instant.ts"
import { BlockId } from "../content/Block.ts"
import { ClassroomLive } from "../lives/Live.ts"
import { ClassroomCourse } from "./Classroom.ts"
import { LessonPosition } from "./LessonPosition.ts"

/** The most new lessons, and the most things that are due. */
export const mostListed = 10

/** The most courses that the student does not have. */
export const mostLocked = 12

/** The most notifications. */
export const mostNotifications = 5

const lesson = {
  public_id: Schema.String.pipe(field("The lesson's key in addresses of the classroom", "respirar")),
  title: Schema.String.pipe(field("The lesson's title", "Respirar"))
}

/** Where a student goes on in a course. */
export const NextLesson = Schema.Struct({
  ...lesson,
  module_title: Schema.String.pipe(field("The title of the module that the lesson is in", "Antes da primeira nota")),
  position: Schema.NullOr(LessonPosition)
    .pipe(field("Where the student is in its video or audio; null before a player has kept it"))
})
export type NextLesson = typeof NextLesson.Type

/** A course on the home page. */
const HomeCourse = Schema.Struct({
  ...ClassroomCourse.fields,
  next_lesson: Schema.NullOr(NextLesson)
    .pipe(field("The first live lesson that is not completed, in the order of the course; null if all are completed"))
}).annotate({ identifier: "HomeCourse", description: "A course that the student has, and where they go on in it" })

/** A lesson that came while the student was away. */
export const NewLesson = Schema.Struct({
  ...lesson,
  course: Schema.Struct({
    public_id: Schema.String.pipe(field("The course's key in addresses of the classroom", "primeiro-sopro")),
    title: Schema.String.pipe(field("The course's title", "Primeiro sopro"))
  }).pipe(field("The course that the lesson is in")),
  published_at: Instant.pipe(field("Since when the lesson is live"))
})
export type NewLesson = typeof NewLesson.Type

/** Something that the student has begun and not brought to an end. */
export const DueBlock = Schema.Struct({
  kind: Schema.Literals(["assignment", "quiz"])
    .pipe(field("`assignment`: the staff rejected the latest submission. `quiz`: no attempt has passed")),
  block_id: BlockId.pipe(field("The quiz or assignment among the blocks of its lesson")),
  lesson: Schema.Struct(lesson).pipe(field("The lesson that it is in")),
  title: Schema.NullOr(Schema.String).pipe(field("The block's title; null: no title", "Seu acorde"))
})
export type DueBlock = typeof DueBlock.Type

/** The home page of a student: where they go on, and news. */
export const ClassroomHome = Schema.Struct({
  courses: Schema.Array(HomeCourse)
    .pipe(field("The courses that the student has now, in the club's order, with the progress in each")),
  locked_courses: Schema.Array(ClassroomCourse)
    .pipe(field(`The courses that the student had, or that are \`listed\`, and that they do not have now, in the club's order, at most ${mostLocked}. Each is \`locked\``)),
  new_lessons: Schema.Array(NewLesson)
    .pipe(field(`The lessons that came after the student was last in a lesson or completed one, the newest first, at most ${mostListed}; empty before that`)),
  due: Schema.Array(DueBlock)
    .pipe(field(`Quizzes and assignments to do again, the latest first, at most ${mostListed}`)),
  next_live: Schema.NullOr(ClassroomLive)
    .pipe(field("The live that is open, otherwise the one that is announced next; null without one")),
  notifications: Schema.Array(Notification)
    .pipe(field(`The unread notifications, the newest first, at most ${mostNotifications}`))
}).annotate({ identifier: "ClassroomHome", description: "Where a student goes on, and what is new and due" })
export type ClassroomHome = typeof ClassroomHome.Type
