import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { ErasureSubject, StudentEraser } from "../../identity/erasure/StudentErasers.ts"

/** Keeps the points, deletes the reasons written about the person, and takes the person out of the rankings. */
export const pointsEraser: Effect.Effect<StudentEraser, never, SqlClient.SqlClient> = Effect.map(
  SqlClient.SqlClient,
  (sql) => ({
    erase: Effect.fn("PointsEraser.erase")(function*({ club_id, student_id }: ErasureSubject) {
      // Locks the total first, as laying a board does.
      yield* sql`update point_totals set ranked = false where club_id = ${club_id} and student_id = ${student_id}`
      yield* sql`delete from point_days where club_id = ${club_id} and student_id = ${student_id}`
      yield* sql`
        delete from point_board_rows
        where club_id = ${club_id} and student_id = ${student_id}
          and day in (select day from point_boards where club_id = ${club_id} and closed_at is null)`
      const emptied = yield* sql`
        update point_entries set reason = null
        where club_id = ${club_id} and student_id = ${student_id} and reason is not null returning 1`
      return { point_reasons: emptied.length }
    }, Effect.orDie)
  })
)
