import { Schema } from "effect"
import { ApiError } from "../../platform/http/ApiError.ts"
import { field } from "../../platform/http/Field.ts"
import { sentId, text } from "../../platform/http/Text.ts"
import { brandedId } from "../../platform/schema/brandedId.ts"
import { Instant } from "../../platform/schema/Instant.ts"
import { MediaId } from "../media/Media.ts"
import { LessonId } from "./Lesson.ts"
import { Position } from "./Position.ts"
import { Question, Questions } from "./Question.ts"
import { imageHint } from "./TextImage.ts"
import { Title } from "./Title.ts"

/** UUIDv7. */
export const BlockId = brandedId("BlockId")
export type BlockId = typeof BlockId.Type

/** The kinds of blocks in a lesson. */
export const BlockKind = Schema.Literals(["text", "video", "quiz", "assignment", "file"])
export type BlockKind = typeof BlockKind.Type

const PassPercent = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 }))

const about = {
  title: "The block's title; null: no title",
  body: "The words of a text, or the text of an assignment, in Markdown, as they were sent",
  media_id: "The media record of the library that the block shows: of the kind `video` for a video, any for a file",
  questions: "The questions of a quiz, in the order in which they are asked",
  pass_percent: "How many percent of the questions have to be answered correctly to pass the quiz"
}

const words = "Respire fundo e solte o ar devagar, sem levantar os ombros."

/** A part of a lesson, with the fields of its kind. */
export class Block extends Schema.Class<Block>("Block")(Schema.Struct({
  id: BlockId.pipe(field("Names the block on the dashboard's routes, and to students quizzes and assignments")),
  lesson_id: LessonId.pipe(field("The lesson that it is a part of; this never changes")),
  kind: BlockKind.pipe(field("The block's kind, which decides its fields; it never changes")),
  title: Schema.NullOr(Schema.String).pipe(field(about.title, "Uma respiração por vez")),
  position: Position.pipe(field("Orders the blocks of the lesson, the lowest first; there may be gaps", 1)),
  body: Schema.NullOr(Schema.String).pipe(field(`${about.body}; null for other kinds`, words)),
  media_id: Schema.NullOr(MediaId).pipe(field(`${about.media_id}; null for other kinds`, null)),
  questions: Schema.NullOr(Schema.Array(Question)).pipe(field(`${about.questions}; null for other kinds`, null)),
  pass_percent: Schema.NullOr(PassPercent).pipe(field(`${about.pass_percent}; null for other kinds`, null)),
  created_at: Instant.pipe(field("When the block was added"))
}).annotate({
  description:
    "A part of a lesson. Texts and assignments have a `body`, videos and files a `media_id`, quizzes `questions` and `pass_percent`"
})) {}

const Body = text(1, 100_000)

const title = Schema.optionalKey(Schema.NullOr(Title))
  .pipe(field(`${about.title}, also if absent`, "Uma respiração por vez"))

/** The fields of each kind. The block comes after the other blocks of its lesson. */
export const CreateBlock = Schema.Union([
  Schema.Struct({
    kind: Schema.Literals(["text", "assignment"])
      .pipe(field("A text to read, or an assignment that students submit to")),
    title,
    body: Body.pipe(field(`${about.body}. ${imageHint}`, words))
  }),
  Schema.Struct({
    kind: Schema.Literals(["video", "file"]).pipe(field("A video to watch, or a file to open")),
    title,
    media_id: sentId(MediaId).pipe(field(`${about.media_id}. It has to be ready`))
  }),
  Schema.Struct({
    kind: Schema.Literal("quiz").pipe(field("A quiz to answer")),
    title,
    questions: Questions.pipe(field(about.questions)),
    pass_percent: PassPercent.pipe(field(about.pass_percent, 70))
  })
])

/** Absent is unchanged; the kind does not change. */
export const BlockPatch = Schema.Struct({
  title: Schema.optionalKey(Schema.NullOr(Title)).pipe(field(about.title, "Uma respiração por vez")),
  body: Schema.optionalKey(Body).pipe(field(`${about.body}; of these kinds alone. ${imageHint}`, words)),
  media_id: Schema.optionalKey(sentId(MediaId))
    .pipe(field(`${about.media_id}. It has to be ready; of these kinds alone`)),
  questions: Schema.optionalKey(Questions)
    .pipe(field(`${about.questions}: the whole list, which replaces the one before; of a quiz alone`)),
  pass_percent: Schema.optionalKey(PassPercent).pipe(field(`${about.pass_percent}; of a quiz alone`, 70))
}).pipe(Schema.annotateEncoded({ examples: [{ title: "Uma respiração por vez", body: words }] }))

const ownFields = {
  text: ["body"],
  assignment: ["body"],
  video: ["media_id"],
  file: ["media_id"],
  quiz: ["questions", "pass_percent"]
} as const satisfies Record<BlockKind, ReadonlyArray<keyof typeof BlockPatch.Type>>

/** A field of the patch that blocks of this kind do not have; undefined if all fit. */
export const strayField = (kind: BlockKind, patch: typeof BlockPatch.Type): string | undefined => {
  const own = new Set<string>(["title", ...ownFields[kind]])
  return Object.keys(patch).find((field) => !own.has(field))
}

/** The most blocks of a lesson. */
export const blockLimit = 50

/**
 * The most bytes of text and questions in the blocks of a lesson, because its readers get all of them at
 * once.
 */
export const lessonBytes = 512 * 1024

/** The lesson has as many blocks, or bytes in them, as it may. Deleted blocks do not count. */
export class BlockLimitReached extends ApiError<BlockLimitReached>()("BlockLimitReached", {
  status: 409,
  code: "block_limit_reached",
  message: {
    en: `A lesson has at most ${blockLimit} blocks and 512 KiB of text and questions: delete or shorten one first`,
    "pt-BR": "A aula chegou ao máximo de blocos, ou de texto e perguntas: exclua ou encurte um antes."
  }
}) {}
