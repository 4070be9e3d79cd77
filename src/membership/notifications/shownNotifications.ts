import type { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"

/** The beginning of a statement, up to its `where`: notifications `n` as their students see them, with their actors. */
export const shownNotifications = (sql: SqlClient.SqlClient): Fragment =>
  sql`
    select n.id, n.kind, n.title, n.excerpt, n.created_at, n.read_at,
      coalesce(s.name, u.name, a.name) as actor_name,
      case
        when n.actor_student_id is not null then 'student'
        when n.actor_user_id is not null then 'staff'
        when n.kind = 'assistant_answer' then 'assistant'
      end as actor_role,
      jsonb_build_object(
        'lesson_public_id', n.lesson_public_id, 'comment_id', n.comment_id, 'post_id', n.post_id,
        'conversation_id', n.conversation_id, 'live_id', n.live_id
      ) as target
    from notifications n
    left join students s on s.club_id = n.club_id and s.id = n.actor_student_id
    left join users u on u.id = n.actor_user_id
    left join agents a on n.kind = 'assistant_answer' and a.club_id = n.club_id`
