import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { ErasureSubject, StudentEraser } from "../../identity/erasure/StudentErasers.ts"
import { forgetMentions } from "../authors/Mentions.ts"
import { commentMentions } from "./CommentMentions.ts"

/**
 * A person's comments become tombstones, so that replies to them stay. Their reactions, saves, reports and images are
 * deleted, and so are mentions of them. Counts `comments`, and `comment_marks` for the rest.
 */
export const commentsEraser: Effect.Effect<StudentEraser, never, SqlClient.SqlClient> = Effect.map(
  SqlClient.SqlClient,
  (sql) => {
    const empty = ({ club_id, student_id }: ErasureSubject, now: Date) =>
      sql`
        update comments set body = '', deleted_at = coalesce(deleted_at, ${now})
        where club_id = ${club_id} and student_id = ${student_id} returning 1`

    // The rows that belong to their comments, and mentions of the person in comments of others.
    const forget = (person: ErasureSubject) => {
      const { club_id, student_id } = person
      const theirs = sql`select id from comments where club_id = ${club_id} and student_id = ${student_id}`
      return Effect.all([
        forgetMentions(sql, commentMentions, person),
        sql`delete from comment_images where club_id = ${club_id} and comment_id in (${theirs}) returning 1`,
        sql`delete from comment_reactions where club_id = ${club_id} and student_id = ${student_id} returning 1`,
        sql`delete from comment_saves where club_id = ${club_id} and student_id = ${student_id} returning 1`,
        sql`delete from comment_reports where club_id = ${club_id} and student_id = ${student_id} returning 1`
      ])
    }

    return {
      erase: Effect.fn("CommentsEraser.erase")(function*(person: ErasureSubject) {
        const comments = yield* empty(person, DateTime.toDateUtc(yield* DateTime.now))
        const marks = yield* forget(person)
        return { comments: comments.length, comment_marks: marks.flat().length }
      }, Effect.orDie)
    }
  }
)
