import type { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import type { Viewer } from "./Viewer.ts"

// `row` is the alias of a row with `club_id`, `student_id` and `user_id`.

/** The row's author as JSON (contract, Comment, `author`): a student, a member, or with neither the club's assistant. */
export const authorOf = (sql: SqlClient.SqlClient, row: Fragment): Fragment =>
  sql`
    case
      when ${row}.student_id is not null then (
        select jsonb_build_object('id', s.id, 'name', s.name, 'role', 'student', 'anonymized', s.removed_at is not null)
        from students s where s.club_id = ${row}.club_id and s.id = ${row}.student_id
      )
      when ${row}.user_id is not null then (
        select jsonb_build_object('id', u.id, 'name', u.name, 'role', 'staff', 'anonymized', false)
        from users u where u.id = ${row}.user_id
      )
      else (
        select jsonb_build_object('id', a.id, 'name', a.name, 'role', 'assistant', 'anonymized', false)
        from agents a where a.club_id = ${row}.club_id
      )
    end`

/** True if the viewer wrote the row. */
export const isMine = (sql: SqlClient.SqlClient, viewer: Viewer, row: Fragment): Fragment =>
  viewer.role === "student"
    ? sql`coalesce(${row}.student_id = ${viewer.student_id}, false)`
    : sql`coalesce(${row}.user_id = ${viewer.user_id}::uuid, false)`
