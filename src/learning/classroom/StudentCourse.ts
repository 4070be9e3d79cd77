import { Schema } from "effect"
import { personalData } from "../../identity/people/PersonalData.ts"
import { Count } from "../../platform/http/Count.ts"
import { field } from "../../platform/http/Field.ts"
import { InstantOrNull } from "../../platform/schema/Instant.ts"
import { CourseId } from "../content/Course.ts"

/** A student's progress in a course, as the staff sees it. */
export const StudentCourse = Schema.Struct({
  course: Schema.Struct({
    id: CourseId.pipe(field("Names the course")),
    title: Schema.String.pipe(field("The course's title", "Primeiro sopro"))
  }).pipe(field("Which course it is")),
  lessons_total: Count.pipe(field("How many lessons the course has that are live now", 4)),
  lessons_completed: Count.pipe(field("How many of them the student has completed", 1)),
  completed_at: InstantOrNull.pipe(field("When the course was finished for the first time; null before that", null)),
  last_completed_at: InstantOrNull
    .pipe(field("When the student last completed a lesson of it, live or not; null before the first"))
}).annotate({ identifier: "StudentCourse", description: "How far a student is in a course", ...personalData })
export type StudentCourse = typeof StudentCourse.Type
