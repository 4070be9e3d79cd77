import { Duration } from "effect"
import type { SqlClient } from "effect/sql"
import type { Fragment, Statement } from "effect/sql/Statement"
import type { Backlog } from "../../platform/jobs/WorkQueue.ts"
import { slowest } from "../../platform/storage/local/UploadPace.ts"
import { uploadLifetime } from "../../platform/storage/Storage.ts"

/** The files that nothing names any more, and those that a removed student has left. */
export const waitingFiles: Backlog = {
  name: "removed_files",
  waiting: (sql) => sql`from removed_files`,
  nextDue: (sql) => sql`(select min(removed_at) from removed_files)`
}

/** An upload begins while its address is valid, and then may take as long as the slowest accepted connection takes. */
const uploadSeconds = Duration.toSeconds(Duration.sum(uploadLifetime, slowest.allowance))

/** When nothing can be uploaded any more to the address of a record `m`. */
export const openUntil = (sql: SqlClient.SqlClient): Fragment =>
  sql`m.created_at + make_interval(secs => ${uploadSeconds}::float8 + ceil(m.size_bytes / ${slowest.bytesPerSecond}::float8))`

/**
 * True if a record `m` that is not removed has a file to queue for deletion. The file of a failed upload is already
 * queued.
 */
export const hasFile = (sql: SqlClient.SqlClient): Fragment => sql`m.storage_key is not null and m.status <> 'failed'`

/** The columns of `removed_files` that name the file of a record `m` for deletion. */
export const removedFileColumns = (sql: SqlClient.SqlClient): Fragment =>
  sql`club_id, storage_key, size_bytes, student_id, open_until, removed_at`

/** The values of these columns for a record `m` that is removed now. */
export const removedFile = (sql: SqlClient.SqlClient, now: Date): Fragment =>
  sql`
    m.club_id, m.storage_key, coalesce(m.size_bytes, 0), m.student_id, ${openUntil(sql)}, ${now}::timestamptz`

/**
 * The key of the file of a record `m` from when keys held the ids of the club and the record. The index
 * `media_old_places_idx` has the same expression.
 */
export const legacyKey = (sql: SqlClient.SqlClient): Fragment => sql`m.club_id::text || '/' || m.id::text`

/**
 * Deletes the old files of records `m` that are removed now, if they were moved to new keys. Runs after the statement
 * that waits for the records, because that one does not see files that a migration has queued during the wait.
 */
export const deleteLegacyFile = (sql: SqlClient.SqlClient, from: Fragment, now: Date): Statement<object> =>
  sql`
    update removed_files r set removed_at = ${now}::timestamptz from ${from} m
    where r.club_id = m.club_id and r.storage_key = ${legacyKey(sql)} and r.removed_at > ${now}::timestamptz`
