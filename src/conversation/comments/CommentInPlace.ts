import { Schema } from "effect"
import { PublicId } from "../../learning/content/PublicId.ts"
import { field } from "../../platform/http/Field.ts"
import { PostId } from "../community/Post.ts"
import { Comment } from "./Comment.ts"

/** A comment with its thread and its lesson or post. */
export const CommentInPlace = Schema.Struct({
  comment: Comment.pipe(field("The comment that was asked for")),
  thread: Schema.NullOr(Comment)
    .pipe(field("The first comment of its thread, with its first 3 replies; null if the comment is that one")),
  lesson_public_id: Schema.NullOr(PublicId)
    .pipe(field("The lesson that it is on; null if it is on a post", "respirar")),
  post_id: Schema.NullOr(PostId).pipe(field("The post that it is on; null if it is on a lesson", null))
}).annotate({ identifier: "CommentInPlace", description: "A comment, the beginning of its thread, and where they are" })
export type CommentInPlace = typeof CommentInPlace.Type
