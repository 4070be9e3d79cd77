import { Schema } from "effect"
import { StudentId } from "../../identity/ids/StudentId.ts"
import { LessonId } from "../../learning/content/Lesson.ts"
import { Count } from "../../platform/http/Count.ts"
import { field } from "../../platform/http/Field.ts"
import { Instant } from "../../platform/schema/Instant.ts"
import { SpaceId } from "../community/Community.ts"
import { PostId } from "../community/Post.ts"
import { Comment } from "./Comment.ts"

/** The number of reports that an answer has for a comment, the newest first. */
export const toldReports = 10

const Place = Schema.Struct({
  lesson: Schema.NullOr(Schema.Struct({
    id: LessonId.pipe(field("Names the lesson on the dashboard's routes")),
    title: Schema.String.pipe(field("What it is called", "Respirar"))
  })).pipe(field("The lesson that it is on; null where it is on a post", null)),
  post: Schema.NullOr(Schema.Struct({
    id: PostId.pipe(field("Names the post on routes")),
    title: Schema.NullOr(Schema.String).pipe(field("Its title; null: no title", "Boas-vindas")),
    space: Schema.Struct({
      id: SpaceId.pipe(field("Names the space on routes")),
      name: Schema.String.pipe(field("What it is called", "Sala de ensaio"))
    }).pipe(field("The space that the post is in"))
  })).pipe(field("The post that it is on; null where it is on a lesson, and once the post was deleted"))
})

/** A student's report of a comment to the staff. */
const Report = Schema.Struct({
  student: Schema.Struct({
    id: StudentId.pipe(field("Names the student on routes")),
    name: Schema.String.pipe(field("The student's name now", "Rita"))
  }).pipe(field("Who told")),
  reason: Schema.NullOr(Schema.String)
    .pipe(field("The problem, in the student's words; null without words", "Propaganda")),
  created_at: Instant.pipe(field("When the student reported it"))
})

const place = Place.pipe(field("The place of the comment"))
const reports_count = Count.pipe(field("How many students told the staff of it", 1))

/** A comment with the fields for moderators. */
export const ModeratedComment = Schema.Struct({
  comment: Comment.pipe(field("The comment, as in the list of comments")),
  place,
  reports_count,
  reports: Schema.Array(Report).pipe(field(`Their reports, the newest ${toldReports}, the newest first`))
}).annotate({ identifier: "ModeratedComment", description: "A comment with its place and the students' reports" })
export type ModeratedComment = typeof ModeratedComment.Type

/** As JSON of a statement has it: times are text there. */
export const ModeratedRow = Schema.Struct({
  id: Comment.fields.id,
  place,
  reports_count,
  reports: Schema.Array(Schema.Struct({ ...Report.fields, created_at: Schema.DateTimeUtcFromString }))
})
