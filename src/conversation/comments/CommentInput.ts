import { Effect, Schema } from "effect"
import { MediaId } from "../../learning/media/Media.ts"
import { ApiError } from "../../platform/http/ApiError.ts"
import { sentId, text } from "../../platform/http/Text.ts"
import { PersonId } from "../authors/Author.ts"
import { CommentId } from "./Comment.ts"

const Body = text(1, 5000)

// Each id at most once.
const idsOf = <Id extends string>(id: Schema.Codec<Id, string>, most: number) =>
  Schema.Array(sentId(id)).check(Schema.isMaxLength(most), Schema.isUnique()).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed<ReadonlyArray<string>>([]))
  )

const reply = { body: Body, mentions: idsOf(PersonId, 20), media_ids: idsOf(MediaId, 5) }

/** What the staff answers. `mentions` names students and members of the club, `media_ids` images of the library. */
export const CreateReply = Schema.Struct(reply)
export type CreateReply = typeof CreateReply.Type

/** What somebody comments; `parent_id` is what it replies to. A student's images are those they uploaded for comments. */
export const CreateComment = Schema.Struct({
  ...reply,
  parent_id: Schema.optionalKey(Schema.NullOr(sentId(CommentId)))
})
export type CreateComment = typeof CreateComment.Type

/** New words for a comment. */
export const CommentEdit = Schema.Struct({ body: Body })

/** Absent is unchanged. Only the author changes `body`. */
export const CommentPatch = Schema.Struct({
  body: Schema.optionalKey(Body),
  hidden: Schema.optionalKey(Schema.Boolean),
  pinned: Schema.optionalKey(Schema.Boolean),
  answered: Schema.optionalKey(Schema.Boolean),
  spam: Schema.optionalKey(Schema.Boolean),
  pending: Schema.optionalKey(Schema.Boolean)
})
export type CommentPatch = typeof CommentPatch.Type

/** A student's report of a comment to the staff. */
export const CommentReport = Schema.Struct({ reason: Schema.optionalKey(Schema.NullOr(text(1, 500))) })

/** Which comments the staff lists. `unanswered` are first comments of students. */
export const CommentState = Schema.Literals(["all", "pending", "spam", "hidden", "unanswered", "reported"])
export type CommentState = typeof CommentState.Type

/** A person who is mentioned is unknown, of another club, or removed. */
export class MentionUnknown extends ApiError<MentionUnknown>()("MentionUnknown", {
  status: 422,
  code: "mention_unknown",
  message: "mentions must be students or members of this club"
}) {}

/** The comment that is replied to is deleted, unknown, or on another lesson or post. */
export class ParentUnknown extends ApiError<ParentUnknown>()("ParentUnknown", {
  status: 422,
  code: "parent_unknown",
  message: "parent_id must be a comment of the same place that is not deleted"
}) {}

/**
 * This person has given the comment as many different reactions as one person may, or it has as many as it may have.
 */
export class ReactionLimitReached extends ApiError<ReactionLimitReached>()("ReactionLimitReached", {
  status: 409,
  code: "reaction_limit_reached",
  message: "The comment has as many different reactions as it may have, from this person or from all"
}) {}

/** It is not one emoji. */
export class ReactionInvalid extends ApiError<ReactionInvalid>()("ReactionInvalid", {
  status: 422,
  code: "reaction_invalid",
  message: "emoji must be exactly one emoji"
}) {}
