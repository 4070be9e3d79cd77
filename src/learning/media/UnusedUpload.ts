import type { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"

/** A condition on a student's upload `m`: nothing that the student wrote refers to it. */
export const isUnusedUpload = (sql: SqlClient.SqlClient): Fragment =>
  sql`
    not exists (select from comment_images u where u.club_id = m.club_id and u.media_id = m.id)
    and not exists (select from submission_media u where u.club_id = m.club_id and u.media_id = m.id)
    and not exists (select from message_images u where u.club_id = m.club_id and u.media_id = m.id)`
