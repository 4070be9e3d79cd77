import { Schema } from "effect"
import { LessonId } from "../../../learning/content/Lesson.ts"
import { PublicId } from "../../../learning/content/PublicId.ts"
import { MediaId } from "../../../learning/media/Media.ts"
import { field } from "../../../platform/http/Field.ts"
import { Uuid } from "../../../platform/schema/brandedId.ts"

const Page = Schema.NullOr(Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)))

/** The place in the course material that supports an answer (contract, Citation). */
export const Citation = Schema.Struct({
  cited_text: Schema.String
    .pipe(field("Words that stand so in the source", "Respire fundo e solte o ar devagar, sem levantar os ombros.")),
  source_id: Uuid.pipe(field("The block of the lesson, or the media record, that was quoted")),
  source_kind: Schema.Literals(["lesson", "media"])
    .pipe(field("`lesson`: a text of a lesson; `media`: the transcript or a page of a media record")),
  source_title: Schema.String
    .pipe(field("The title of the block, otherwise of its lesson, or of the media record", "Respirar")),
  media_id: Schema.NullOr(MediaId)
    .pipe(field("The media record that was quoted; null where it was a lesson's text", null)),
  lesson_id: LessonId.pipe(field("The lesson that has the text, or shows the media record")),
  page_from: Page.pipe(field("The first page that was quoted, from 1 on; null where the source has no pages", null, 3)),
  page_to: Page
    .pipe(field("The last page that was quoted, itself included; null where the source has no pages", null, 3))
}).annotate({
  identifier: "Citation",
  description: "The place in the course's material that supports what the assistant says"
})
export type Citation = typeof Citation.Type

const second = Schema.NullOr(Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))).pipe(field(
  "The second at which a video or sound says the words; null if its transcript has no times, and of other sources",
  null,
  95
))

/** A citation as an answer keeps it. */
export const StoredCitation = Schema.Struct({ ...Citation.fields, seconds: second })
export type StoredCitation = typeof StoredCitation.Type

/** A citation with its place, for the student who asked. */
export const ClassroomCitation = Schema.Struct({
  ...StoredCitation.fields,
  lesson_public_id: Schema.NullOr(PublicId)
    .pipe(field("Names the lesson in the classroom; null once it is not live", "respirar"))
}).annotate({
  identifier: "ClassroomCitation",
  description: "The place in the course's material that supports an answer, and where a student opens it"
})
export type ClassroomCitation = typeof ClassroomCitation.Type
