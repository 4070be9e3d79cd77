import type { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { lockedFor } from "../../../learning/content/LessonOpening.ts"
import { hasItem, type ItemHolder } from "../../../membership/access/ItemAccess.ts"

/**
 * The citations of the row `m` of `messages` as `ClassroomCitation` has them, in their order. Answers of version 0.3.0
 * have no `seconds`.
 */
export const citationsJson = (sql: SqlClient.SqlClient, holder: ItemHolder): Fragment => {
  const rows = { module: sql`o`, lesson: sql`l`, course: sql`l.course_id` }
  return sql`
    (select coalesce(jsonb_agg('{"seconds":null}'::jsonb || cited.of || jsonb_build_object('lesson_public_id', (
      select l.public_id from lessons l
      join modules o on o.club_id = l.club_id and o.id = l.module_id and o.deleted_at is null
      join courses c on c.club_id = l.club_id and c.id = l.course_id and c.deleted_at is null
      where l.club_id = ${holder.club_id} and l.id = (cited.of ->> 'lesson_id')::uuid and l.deleted_at is null
        and l.published_at <= ${holder.now} and ${hasItem(sql, holder, "course", rows.course)}
        and ${lockedFor(sql, holder, rows)} is null
    )) order by cited.place), '[]')
    from jsonb_array_elements(m.citations) with ordinality as cited (of, place))`
}
