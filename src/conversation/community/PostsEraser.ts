import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { ErasureSubject, StudentEraser } from "../../identity/erasure/StudentErasers.ts"

/** A person's posts become tombstones, so that the comments on them stay. Their marks are deleted. Counts `posts` and `space_marks`. */
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
      return { posts: emptied.length, space_marks: marks.length }
    }, Effect.orDie)
  })
)
