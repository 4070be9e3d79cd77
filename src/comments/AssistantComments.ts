import { Context, type Effect, type Option, Schema } from "effect"
import type { ClubId } from "../clubs/Club.ts"
import { CourseId, LessonId } from "../content/Lesson.ts"
import type { NotFound } from "../http/errors.ts"
import type { Comment, CommentId } from "./Comment.ts"

/** A comment as the assistant looks at it. `lesson` is null for a comment on a post. */
export const AskedComment = Schema.Struct({
  body: Schema.String,
  author: Schema.Literals(["student", "staff", "assistant"]),
  lesson: Schema.NullOr(Schema.Struct({ id: LessonId, title: Schema.String, course_id: CourseId })),
  /** Hidden, deleted, spam, or waiting for the staff. */
  unavailable: Schema.Boolean,
  /** Marked as answered, or the assistant or the staff has replied. */
  answered: Schema.Boolean
})
export type AskedComment = typeof AskedComment.Type

/** What the assistant does with comments. */
export class AssistantComments extends Context.Service<AssistantComments, {
  find(club_id: ClubId, id: CommentId): Effect.Effect<AskedComment, NotFound>
  /**
   * Writes the assistant's reply below the comment, unless by now one of `unavailable` and `answered` holds: none, and
   * nothing is written. Of two at once, one writes.
   */
  reply(
    club_id: ClubId,
    id: CommentId,
    reply: { readonly body: string }
  ): Effect.Effect<Option.Option<Comment>>
}>()("turma/comments/AssistantComments") {}
