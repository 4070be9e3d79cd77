import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Forgotten, StudentEraser } from "../../identity/erasure/StudentErasers.ts"
import { isUnused } from "./MediaUses.ts"
import { deleteOldPlace, hasFile, removedFile, removedFileColumns } from "./RemovedFiles.ts"

/**
 * Deletes what the student uploaded, the files within moments. After the erasers of what the student wrote: a record that
 * still is referred to stays, without what they called it. Counts `media`.
 */
export const mediaEraser: Effect.Effect<StudentEraser, never, SqlClient.SqlClient> = Effect.map(
  SqlClient.SqlClient,
  (sql) => ({
    turn: "referred",
    erase: Effect.fn("MediaEraser.erase")(function*({ club_id, student_id }: Forgotten) {
      const at = DateTime.toDateUtc(yield* DateTime.now)
      const theirs = sql`m.club_id = ${club_id} and m.student_id = ${student_id} and m.removed_at is null`
      // The row before its file, as whoever clears away what nothing uses.
      const held = yield* sql`
        with held as materialized (
          select m.* from media m where ${theirs} and m.storage_key is not null
          order by m.id for update
        ), queued as (
          insert into removed_files (${removedFileColumns(sql)})
          select ${removedFile(sql, at)} from held m where ${hasFile(sql)} on conflict do nothing
        )
        select 1 from held`
      yield* deleteOldPlace(sql, sql`(select m.* from media m where ${theirs} and m.storage_key is not null)`, at)
      yield* sql`delete from media m where ${theirs} and ${isUnused(sql)}`
      yield* sql`update media m set title = '', file_name = null, removed_at = ${at} where ${theirs}`
      return { media: held.length }
    }, Effect.orDie)
  })
)
