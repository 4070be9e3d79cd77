import { Duration } from "effect"
import type { SqlClient } from "effect/sql"
import type { Fragment, Statement } from "effect/sql/Statement"
import { slowest } from "../../platform/storage/local/UploadPace.ts"
import { uploadLifetime } from "../../platform/storage/Storage.ts"

/** An address begins an upload within its lifetime, which then may take as long as the slowest line takes for it. */
const shortest = Duration.toSeconds(Duration.sum(uploadLifetime, slowest.allowance))

/** When nothing can come any more by the address of the upload of a record `m`. */
export const openUntil = (sql: SqlClient.SqlClient): Fragment =>
  sql`m.created_at + make_interval(secs => ${shortest}::float8 + ceil(m.size_bytes / ${slowest.bytesPerSecond}::float8))`

/** Whether the file of a record `m` that is not removed is nobody's to delete yet. That of a failed upload has been queued. */
export const hasFile = (sql: SqlClient.SqlClient): Fragment => sql`m.storage_key is not null and m.status <> 'failed'`

/** The columns of `removed_files` that say of a record `m` which file is to be deleted. */
export const removedFileColumns = (sql: SqlClient.SqlClient): Fragment =>
  sql`club_id, storage_key, size_bytes, student_id, open_until, removed_at`

/** Their values for a record `m` that goes now. */
export const removedFile = (sql: SqlClient.SqlClient, now: Date): Fragment =>
  sql`
    m.club_id, m.storage_key, coalesce(m.size_bytes, 0), m.student_id, ${openUntil(sql)}, ${now}::timestamptz`

/** Where the file of a record `m` was put before keys said nothing of whose a file is. `media_old_places_idx` says the same. */
export const oldPlace = (sql: SqlClient.SqlClient): Fragment => sql`m.club_id::text || '/' || m.id::text`

/**
 * Old places of records `m` that go now, as the files that have moved away from there. After the statement that waits for
 * the records, since that one does not see what whoever moved them has left meanwhile.
 */
export const deleteOldPlace = (sql: SqlClient.SqlClient, from: Fragment, now: Date): Statement<object> =>
  sql`
    update removed_files r set removed_at = ${now}::timestamptz from ${from} m
    where r.club_id = m.club_id and r.storage_key = ${oldPlace(sql)} and r.removed_at > ${now}::timestamptz`
