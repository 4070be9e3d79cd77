import { Schema } from "effect"
import { LessonId } from "../../learning/content/Lesson.ts"
import { PostId } from "../community/Post.ts"

/** The lesson or the post that a comment is on. */
export const CommentPlace = Schema.Union([
  Schema.Struct({ lesson_id: LessonId, post_id: Schema.Null }),
  Schema.Struct({ lesson_id: Schema.Null, post_id: PostId })
])
export type CommentPlace = typeof CommentPlace.Type
