import { Effect, Schema } from "effect"
import { MediaId } from "../../learning/media/Media.ts"
import { ApiError } from "../../platform/http/ApiError.ts"
import { field } from "../../platform/http/Field.ts"
import { sentId, text } from "../../platform/http/Text.ts"
import { mentions } from "../authors/Mention.ts"
import { CommentId } from "./Comment.ts"

const Body = text(1, 5000)

const question = "Como respiro sem levantar os ombros?"
const answer = "Deite-se, ponha um livro na barriga e respire."

const media_ids = Schema.optionalKey(Schema.Array(sentId(MediaId)).check(Schema.isMaxLength(5), Schema.isUnique()))

/** The body of the staff's answer. */
export const CreateReply = Schema.Struct({
  body: Body.pipe(field("The words", answer)),
  mentions,
  media_ids: media_ids
    .pipe(field("Images of the library, in the order in which they are shown, each at most once; no images if absent"))
})
export type CreateReply = typeof CreateReply.Type

/** The body of a new comment. */
export const CreateComment = Schema.Struct({
  body: Body.pipe(field("The words", question)),
  mentions,
  media_ids: media_ids
    .pipe(field("Images in the order in which they are shown, each at most once; no images if absent. A student sends images that they uploaded for comments and confirmed, the staff images of the library")),
  parent_id: Schema.optionalKey(Schema.NullOr(sentId(CommentId)))
    .pipe(field("The comment of the same lesson or post that it replies to; null, as when it is absent, for a first comment"))
})
export type CreateComment = typeof CreateComment.Type

/** Only the pinned first comments, or all. */
export const CommentFilter = {
  pinned: Schema.Literals(["true", "false"]).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed("false" as const)),
    field("`true`: only the pinned ones. Unless it is sent, or with `false`: all")
  )
}

/** New words for a comment. */
export const CommentEdit = Schema.Struct({ body: Body.pipe(field("The new words", question)) })

/** Absent is unchanged. */
export const CommentPatch = Schema.Struct({
  body: Schema.optionalKey(Body).pipe(field("The new words, which are the author's alone to change", answer)),
  hidden: Schema.optionalKey(Schema.Boolean).pipe(field("True if students see it without its text")),
  pinned: Schema.optionalKey(Schema.Boolean).pipe(field("A mark; students can list such comments alone")),
  answered: Schema.optionalKey(Schema.Boolean)
    .pipe(field("`true` takes it from the unanswered; `false` puts it back, and lets the assistant answer again")),
  spam: Schema.optionalKey(Schema.Boolean).pipe(field("`true` keeps it from everybody but its author and the staff")),
  pending: Schema.optionalKey(Schema.Boolean)
    .pipe(field("`false` lets it through to students, `true` has it wait for the staff"))
}).pipe(Schema.annotateEncoded({
  examples: [{ hidden: false, pinned: true, answered: true, spam: false, pending: false }]
}))
export type CommentPatch = typeof CommentPatch.Type

/** A student's report of a comment to the staff. */
export const CommentReport = Schema.Struct({
  reason: Schema.optionalKey(Schema.NullOr(text(1, 500)))
    .pipe(field("The problem, for the staff; null or absent: no words", "Propaganda"))
})

/** Which comments the staff lists. `unanswered` are first comments of students. */
export const CommentState = Schema.Literals(["all", "pending", "spam", "hidden", "unanswered", "reported"])
export type CommentState = typeof CommentState.Type

/** The comment that is replied to is deleted, unknown, or on another lesson or post. */
export class ParentUnknown extends ApiError<ParentUnknown>()("ParentUnknown", {
  status: 422,
  code: "parent_unknown",
  message: {
    en: "parent_id must be a comment of the same place that is not deleted",
    "pt-BR": "O comentário respondido não existe mais."
  }
}) {}

/**
 * This person has given the comment as many different reactions as one person may, or it has as many as it may have.
 */
export class ReactionLimitReached extends ApiError<ReactionLimitReached>()("ReactionLimitReached", {
  status: 409,
  code: "reaction_limit_reached",
  message: {
    en: "The comment has as many different reactions as it may have, from this person or from all",
    "pt-BR": "O comentário já tem o máximo de reações diferentes."
  }
}) {}

/** It is not one emoji. */
export class ReactionInvalid extends ApiError<ReactionInvalid>()("ReactionInvalid", {
  status: 422,
  code: "reaction_invalid",
  message: {
    en: "emoji must be exactly one emoji",
    "pt-BR": "A reação precisa ser um único emoji."
  }
}) {}
