import { Schema } from "effect"
import { ApiError } from "../../platform/http/ApiError.ts"
import { Count } from "../../platform/http/Count.ts"
import { field } from "../../platform/http/Field.ts"
import { sentId, text } from "../../platform/http/Text.ts"
import { brandedId } from "../../platform/schema/brandedId.ts"
import { Instant } from "../../platform/schema/Instant.ts"
import { MediaId } from "../media/Media.ts"
import { Position } from "./Position.ts"
import { PublicId } from "./PublicId.ts"
import { imageHint } from "./TextImage.ts"
import { Title } from "./Title.ts"

/** UUIDv7. */
export const CourseId = brandedId("CourseId")
export type CourseId = typeof CourseId.Type

const about = {
  public_id: "The course's key in addresses of the classroom, unique among the club's courses",
  title: "The course's title, for members and students",
  subtitle: "One line below the title",
  description: "The text about the course, in Markdown",
  instructor_name: "The name of the person who teaches it, to show beside the title",
  cover_media_id: "The cover, an image of the library",
  listed:
    "True if students without the course see that there is such a course: title, subtitle, instructor, cover and the titles of its lessons"
}

const example = {
  subtitle: "Do primeiro som à primeira música",
  description: "Em **quatro semanas** você toca a primeira música.",
  instructor_name: "Pixinguinha"
}

/** A course as members see it. */
export class Course extends Schema.Class<Course>("Course")(Schema.Struct({
  id: CourseId.pipe(field("Names the course on the dashboard's routes and as an item of deliveries")),
  public_id: Schema.String.pipe(field(about.public_id, "primeiro-sopro")),
  title: Schema.String.pipe(field(about.title, "Primeiro sopro")),
  subtitle: Schema.NullOr(Schema.String).pipe(field(`${about.subtitle}; null: no subtitle`, example.subtitle)),
  description: Schema.NullOr(Schema.String)
    .pipe(field(`${about.description}; null: no description`, example.description)),
  instructor_name: Schema.NullOr(Schema.String)
    .pipe(field(`${about.instructor_name}; null: no name`, example.instructor_name)),
  cover_media_id: Schema.NullOr(MediaId).pipe(field(`${about.cover_media_id}; null: no cover`, null)),
  listed: Schema.Boolean.pipe(field(about.listed, false)),
  position: Position.pipe(field("Orders the courses of the club, the lowest first; there may be gaps", 1)),
  live_lessons: Count.pipe(field("How many of its lessons are live now, for students who have the course", 12)),
  created_at: Instant.pipe(field("When the course was created"))
}).annotate({
  description: "A course as members see it. Students with a delivery that contains it see its live lessons"
})) {}

/** Fields that a person may enter or clear. */
const page = {
  subtitle: Schema.optionalKey(Schema.NullOr(text(1, 200))).pipe(field(about.subtitle, example.subtitle)),
  description: Schema.optionalKey(Schema.NullOr(text(1, 5000)))
    .pipe(field(`${about.description}, in at most 5000 characters. ${imageHint}`, example.description)),
  instructor_name: Schema.optionalKey(Schema.NullOr(text(1, 120)))
    .pipe(field(about.instructor_name, example.instructor_name)),
  cover_media_id: Schema.optionalKey(Schema.NullOr(sentId(MediaId)))
    .pipe(field(`${about.cover_media_id}. It has to be ready`, null)),
  listed: Schema.optionalKey(Schema.Boolean).pipe(field(`${about.listed}. False unless it is sent at creation`, false))
}

/** It comes after the other courses of the club. */
export const CreateCourse = Schema.Struct({
  title: Title.pipe(field(about.title, "Primeiro sopro")),
  public_id: Schema.optionalKey(PublicId)
    .pipe(field(`${about.public_id}; 12 random letters and digits unless it is sent`, "primeiro-sopro")),
  ...page
})

/** Absent is unchanged, null clears. */
export const CoursePatch = Schema.Struct({
  title: Schema.optionalKey(Title).pipe(field(about.title, "Primeiro sopro")),
  public_id: Schema.optionalKey(PublicId)
    .pipe(field(`${about.public_id}. Addresses with the key before lead nowhere from then on`, "primeiro-sopro")),
  ...page
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
