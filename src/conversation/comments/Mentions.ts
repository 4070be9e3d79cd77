import type { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"

/** The people named in the comment of the row `comment`, as JSON. Omits removed ones. */
export const mentionsOf = (sql: SqlClient.SqlClient, comment: Fragment): Fragment =>
  sql`
    coalesce((
      select jsonb_agg(
        jsonb_build_object(
          'id', coalesce(s.id, u.id), 'name', coalesce(s.name, u.name),
          'role', case when s.id is null then 'staff' else 'student' end
        ) order by m.position
      )
      from comment_mentions m
      left join students s on s.club_id = m.club_id and s.id = m.student_id
      left join users u on u.id = m.user_id
      where m.club_id = ${comment}.club_id and m.comment_id = ${comment}.id and s.removed_at is null
    ), '[]')`
