import type { SqlClient, Statement } from "effect/sql"
import type { ItemHolder } from "../../membership/access/ItemAccess.ts"

/**
 * The blocks that a student has tried without success, as rows of `block_id` and `at`, the time of the latest try. These are
 * assignments whose latest submission was rejected, and quizzes without a passed attempt.
 *
 * Steps from block to block in an index: a student may have any number of attempts at a quiz.
 */
export const triedBlocks = (sql: SqlClient.SqlClient, { club_id, student_id }: ItemHolder): Statement.Fragment => {
  const own = sql`club_id = ${club_id} and student_id = ${student_id}`
  const inOrder = sql`order by block_id, id desc limit 1`
  // Without the offset, PostgreSQL may read all passed attempts of the student for a join.
  return sql`
    with recursive submitted as (
      (select block_id, status, created_at from submissions where ${own} ${inOrder})
      union all
      select next.* from submitted cross join lateral (
        select block_id, status, created_at from submissions where ${own} and block_id > submitted.block_id ${inOrder}
      ) next
    ),
    attempted as (
      (select block_id, created_at from quiz_attempts where ${own} ${inOrder})
      union all
      select next.* from attempted cross join lateral (
        select block_id, created_at from quiz_attempts where ${own} and block_id > attempted.block_id ${inOrder}
      ) next
    )
    select block_id, created_at as at from submitted where status = 'rejected'
    union all
    select block_id, created_at from attempted
    where not exists (select from quiz_attempts where ${own} and block_id = attempted.block_id and passed offset 0)`
}
