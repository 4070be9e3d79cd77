import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { ErasureSubject, StudentEraser } from "../../identity/erasure/StudentErasers.ts"
import { forgetMentions } from "../authors/Mentions.ts"
import { postMentions } from "./PostMentions.ts"

/** A person's posts become tombstones, so that the comments on them stay. Their marks are deleted, and so are mentions of them. Counts `posts`, `space_marks` and `post_mentions`. */
export const postsEraser: Effect.Effect<StudentEraser, never, SqlClient.SqlClient> = Effect.map(
  SqlClient.SqlClient,
  (sql) => ({
    erase: Effect.fn("PostsEraser.erase")(function*({ club_id, student_id }: ErasureSubject) {
      const now = DateTime.toDateUtc(yield* DateTime.now)
      const emptied = yield* sql`
        update posts set title = null, body = '', deleted_at = coalesce(deleted_at, ${now})
        where club_id = ${club_id} and student_id = ${student_id} returning 1`
      const marks = yield* sql`
        delete from space_marks where club_id = ${club_id} and student_id = ${student_id} returning 1`
      const mentions = yield* forgetMentions(sql, postMentions, { club_id, student_id })
      return { posts: emptied.length, space_marks: marks.length, post_mentions: mentions.length }
    }, Effect.orDie)
  })
)
