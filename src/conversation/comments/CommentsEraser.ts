import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { ErasureSubject, StudentEraser } from "../../identity/erasure/StudentErasers.ts"

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

    // Locked in one order, because two people who mentioned each other may be removed at once.
    const forgetMentions = ({ club_id, student_id }: ErasureSubject) =>
      sql`
        with known as materialized (
          select m.club_id, m.comment_id, m.position from comment_mentions m
          where m.club_id = ${club_id} and (m.comment_id, m.position) in (
            select own.comment_id, own.position from comment_mentions own
            where own.club_id = ${club_id} and own.student_id = ${student_id}
            union all
            select said.comment_id, said.position
            from comments c join comment_mentions said on said.club_id = c.club_id and said.comment_id = c.id
            where c.club_id = ${club_id} and c.student_id = ${student_id}
          )
          order by m.comment_id, m.position for update
        )
        delete from comment_mentions m using known
        where m.club_id = known.club_id and m.comment_id = known.comment_id and m.position = known.position
        returning 1`

    // The rows that belong to their comments, and mentions of the person in comments of others.
    const forget = (person: ErasureSubject) => {
      const { club_id, student_id } = person
      const theirs = sql`select id from comments where club_id = ${club_id} and student_id = ${student_id}`
      return Effect.all([
        forgetMentions(person),
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
