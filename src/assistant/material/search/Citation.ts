import { Schema } from "effect"
import { LessonId } from "../../../learning/content/Lesson.ts"
import { MediaId } from "../../../learning/media/Media.ts"

const Uuid = Schema.String.check(Schema.isUUID())

/**
 * The place in the course material that supports an answer (contract, Citation). `cited_text` stands word for word in the
 * source: a block of a lesson (`lesson`), or the transcript or a page of a media record (`media`). Pages count from 1, both
 * ends included; null where the source has no pages.
 */
export const Citation = Schema.Struct({
  cited_text: Schema.String,
  source_id: Uuid,
  source_kind: Schema.Literals(["lesson", "media"]),
  source_title: Schema.String,
  media_id: Schema.NullOr(MediaId),
  lesson_id: LessonId,
  page_from: Schema.NullOr(Schema.Int),
  page_to: Schema.NullOr(Schema.Int)
}).annotate({ identifier: "Citation" })
export type Citation = typeof Citation.Type
