import { Effect, Schema } from "effect"
import { ApiError } from "../../platform/http/ApiError.ts"
import { sentId, text } from "../../platform/http/Text.ts"
import { MediaId } from "../media/Media.ts"
import { LessonId } from "./Lesson.ts"
import { Question, Questions } from "./Question.ts"
import { Title } from "./Title.ts"

/** UUIDv7. */
export const BlockId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("BlockId"))
export type BlockId = typeof BlockId.Type

/** What a lesson is made of. */
export const BlockKind = Schema.Literals(["text", "video", "quiz", "assignment", "file"])
export type BlockKind = typeof BlockKind.Type

/**
 * A part of a lesson. Text and assignments have a `body`, videos and files a `media_id`, quizzes `questions` and
 * `pass_percent`; fields of other kinds are null. `position` orders the blocks of a lesson, from 1, with gaps.
 */
export class Block extends Schema.Class<Block>("Block")({
  id: BlockId,
  lesson_id: LessonId,
  kind: BlockKind,
  title: Schema.NullOr(Schema.String),
  position: Schema.Int,
  body: Schema.NullOr(Schema.String),
  media_id: Schema.NullOr(MediaId),
  questions: Schema.NullOr(Schema.Array(Question)),
  /** How many percent of the questions have to be answered correctly to pass the quiz. */
  pass_percent: Schema.NullOr(Schema.Int),
  created_at: Schema.DateTimeUtcFromDate
}) {}

const Body = text(1, 100_000)
const PassPercent = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 }))

const title = Schema.NullOr(Title).pipe(Schema.withDecodingDefaultKey(Effect.succeed(null)))

/** The fields of each kind. The block comes after the other blocks of its lesson. */
export const CreateBlock = Schema.Union([
  Schema.Struct({ kind: Schema.Literals(["text", "assignment"]), title, body: Body }),
  Schema.Struct({ kind: Schema.Literals(["video", "file"]), title, media_id: sentId(MediaId) }),
  Schema.Struct({ kind: Schema.Literal("quiz"), title, questions: Questions, pass_percent: PassPercent })
])

/**
 * Absent is unchanged; the kind does not change. `questions` replaces the whole list; those sent with their `id` stay.
 */
export const BlockPatch = Schema.Struct({
  title: Schema.optionalKey(Schema.NullOr(Title)),
  body: Schema.optionalKey(Body),
  media_id: Schema.optionalKey(sentId(MediaId)),
  questions: Schema.optionalKey(Questions),
  pass_percent: Schema.optionalKey(PassPercent)
})

const ownFields = {
  text: ["body"],
  assignment: ["body"],
  video: ["media_id"],
  file: ["media_id"],
  quiz: ["questions", "pass_percent"]
} as const satisfies Record<BlockKind, ReadonlyArray<keyof typeof BlockPatch.Type>>

/** A field of the patch that blocks of this kind do not have; undefined if there is none. */
export const strayField = (kind: BlockKind, patch: typeof BlockPatch.Type): string | undefined => {
  const own = new Set<string>(["title", ...ownFields[kind]])
  return Object.keys(patch).find((field) => !own.has(field))
}

/** How many blocks a lesson has at most. */
export const blockLimit = 50

/**
 * How many bytes of text and questions the blocks of a lesson have at most, because its readers get all of them at
 * once.
 */
export const lessonBytes = 512 * 1024

/** The lesson has as many blocks, or bytes in them, as it may. Deleted blocks do not count. */
export class BlockLimitReached extends ApiError<BlockLimitReached>()("BlockLimitReached", {
  status: 409,
  code: "block_limit_reached",
  message: `A lesson has at most ${blockLimit} blocks and 512 KiB of text and questions: delete or shorten one first`
}) {}
