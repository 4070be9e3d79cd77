import { Schema } from "effect"
import { LessonId } from "../../learning/content/Lesson.ts"
import { PostId } from "../community/Post.ts"

/** Where a comment is. */
export const CommentPlace = Schema.Union([
  Schema.Struct({ lesson_id: LessonId, post_id: Schema.Null }),
  Schema.Struct({ lesson_id: Schema.Null, post_id: PostId })
])
export type CommentPlace = typeof CommentPlace.Type
