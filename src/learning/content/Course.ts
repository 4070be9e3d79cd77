import { Schema } from "effect"
import { ApiError } from "../../platform/http/ApiError.ts"
import { Count } from "../../platform/http/Count.ts"
import { field } from "../../platform/http/Field.ts"
import { brandedId } from "../../platform/schema/brandedId.ts"
import { Instant } from "../../platform/schema/Instant.ts"
import { Position } from "./Position.ts"
import { PublicId } from "./PublicId.ts"
import { Title } from "./Title.ts"

/** UUIDv7. */
export const CourseId = brandedId("CourseId")
export type CourseId = typeof CourseId.Type

const about = {
  public_id: "The course's key in addresses of the classroom, unique among the club's courses",
  title: "The course's title, for members and students"
}

/** A course as members see it. */
export class Course extends Schema.Class<Course>("Course")(Schema.Struct({
  id: CourseId.pipe(field("Names the course on the dashboard's routes and as an item of deliveries")),
  public_id: Schema.String.pipe(field(about.public_id, "primeiro-sopro")),
  title: Schema.String.pipe(field(about.title, "Primeiro sopro")),
  position: Position.pipe(field("Orders the courses of the club, the lowest first; there may be gaps", 1)),
  live_lessons: Count.pipe(field("How many of its lessons are live now, for students who have the course", 12)),
  created_at: Instant.pipe(field("When the course was created"))
}).annotate({
  description: "A course as members see it. Students with a delivery that contains it see its live lessons"
})) {}

/** It comes after the other courses of the club. */
export const CreateCourse = Schema.Struct({
  title: Title.pipe(field(about.title, "Primeiro sopro")),
  public_id: Schema.optionalKey(PublicId)
    .pipe(field(`${about.public_id}; 12 random letters and digits unless it is sent`, "primeiro-sopro"))
})

/** Absent is unchanged. */
export const CoursePatch = Schema.Struct({
  title: Schema.optionalKey(Title).pipe(field(about.title, "Primeiro sopro")),
  public_id: Schema.optionalKey(PublicId)
    .pipe(field(`${about.public_id}. Addresses with the key before lead nowhere from then on`, "primeiro-sopro"))
})

/** The most courses of a club. */
export const courseLimit = 1000

/** The club has `courseLimit` courses. Deleted ones do not count. */
export class CourseLimitReached extends ApiError<CourseLimitReached>()("CourseLimitReached", {
  status: 409,
  code: "course_limit_reached",
  message: {
    en: `A club has at most ${courseLimit} courses: delete one first`,
    "pt-BR": "O clube chegou ao máximo de cursos: exclua um antes."
  }
}) {}
