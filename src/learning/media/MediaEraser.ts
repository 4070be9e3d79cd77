import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { ErasureSubject, StudentEraser } from "../../identity/erasure/StudentErasers.ts"
import { deleteLegacyFile, hasFile, removedFile, removedFileColumns } from "./RemovedFiles.ts"
import { isUnusedUpload } from "./UnusedUpload.ts"

/**
 * Deletes the student's uploads, and their files shortly after. Runs after the erasers of the student's texts. A record
 * that is still in use stays, without its title and file name. Counts `media`.
 */
export const mediaEraser: Effect.Effect<StudentEraser, never, SqlClient.SqlClient> = Effect.map(
  SqlClient.SqlClient,
  (sql) => ({
    turn: "referred",
    erase: Effect.fn("MediaEraser.erase")(function*({ club_id, student_id }: ErasureSubject) {
      const at = DateTime.toDateUtc(yield* DateTime.now)
      const theirs = sql`m.club_id = ${club_id} and m.student_id = ${student_id} and m.removed_at is null`
      // Locks the row before its file, as the cleanup of unused uploads does.
      const locked = yield* sql`
        with locked as materialized (
          select m.* from media m where ${theirs} and m.storage_key is not null
          order by m.id for update
        ), queued as (
          insert into removed_files (${removedFileColumns(sql)})
          select ${removedFile(sql, at)} from locked m where ${hasFile(sql)} on conflict do nothing
        )
        select 1 from locked`
      yield* deleteLegacyFile(sql, sql`(select m.* from media m where ${theirs} and m.storage_key is not null)`, at)
      yield* sql`delete from media m where ${theirs} and ${isUnusedUpload(sql)}`
      yield* sql`update media m set title = '', file_name = null, removed_at = ${at} where ${theirs}`
      return { media: locked.length }
    }, Effect.orDie)
  })
)
