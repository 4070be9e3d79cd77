import { Schema } from "effect"
import { ApiError } from "../../platform/http/ApiError.ts"
import { field } from "../../platform/http/Field.ts"
import { sentId } from "../../platform/http/Text.ts"
import { Instant } from "../../platform/schema/Instant.ts"
import { BlockId } from "../content/Block.ts"

/** A day: longer than any video or audio of a lesson. */
const mostSeconds = 86_400

const Seconds = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: mostSeconds }))

const about = {
  seconds: "How far the student is in the video or audio, in seconds from its beginning",
  block_id: "The block whose video or audio it is; null if the client does not say"
}

/** Where a student is in a lesson. */
export const LessonPosition = Schema.Struct({
  seconds: Seconds.pipe(field(about.seconds, 312)),
  block_id: Schema.NullOr(BlockId).pipe(field(about.block_id)),
  updated_at: Instant.pipe(field("When the student was there"))
}).annotate({ identifier: "LessonPosition", description: "Where a student is in a lesson, to go on from there" })
export type LessonPosition = typeof LessonPosition.Type

/** A position to keep. */
export const SavePosition = Schema.Struct({
  seconds: Seconds.pipe(field(about.seconds, 312)),
  block_id: Schema.optionalKey(Schema.NullOr(sentId(BlockId))).pipe(field(`${about.block_id}, or is absent`))
})
export type SavePosition = typeof SavePosition.Type

/** The lesson has no such block. */
export class BlockUnknown extends ApiError<BlockUnknown>()("BlockUnknown", {
  status: 422,
  code: "block_unknown",
  message: {
    en: "The lesson has no such block",
    "pt-BR": "A aula não tem esse bloco."
  }
}) {}
