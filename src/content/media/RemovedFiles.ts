import { Duration } from "effect"
import type { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { uploadLifetime } from "../../storage/Storage.ts"
import { slowest } from "../../storage/UploadPace.ts"

/** An address begins an upload within its lifetime, which then may take as long as the slowest line takes for it. */
const shortest = Duration.toSeconds(Duration.sum(uploadLifetime, slowest.allowance))

/** The columns of `removed_files` that say of a record `m` which file is to be deleted. */
export const removedFileColumns = (sql: SqlClient.SqlClient): Fragment =>
  sql`club_id, storage_key, size_bytes, student_id, open_until, removed_at`

/** Their values for a record `m` that goes now. */
export const removedFile = (sql: SqlClient.SqlClient, now: Date): Fragment =>
  sql`
    m.club_id, m.storage_key, coalesce(m.size_bytes, 0), m.student_id,
    m.created_at + make_interval(secs => ${shortest}::float8 + ceil(m.size_bytes / ${slowest.bytesPerSecond}::float8)),
    ${now}::timestamptz`
