import type { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { hasLesson } from "../../../learning/content/AccessibleLessons.ts"
import type { ItemHolder } from "../../../membership/access/ItemAccess.ts"

/**
 * The citations of the row `m` of `messages` as `ClassroomCitation` has them, in their order. Most cite the lesson
 * that was asked about: `own` is its id if the student is known to have it, or null. Answers of version 0.3.0 have no
 * `seconds`.
 */
export const citationsJson = (sql: SqlClient.SqlClient, holder: ItemHolder, own: Fragment): Fragment =>
  sql`
    (select coalesce(jsonb_agg('{"seconds":null}'::jsonb || cited.of || jsonb_build_object('lesson_public_id', (
      select l.public_id from lessons l
      where l.club_id = ${holder.club_id} and l.id = (cited.of ->> 'lesson_id')::uuid
        and (l.id = ${own} or ${hasLesson(sql, holder, sql`(cited.of ->> 'lesson_id')::uuid`)})
    )) order by cited.place), '[]')
    from jsonb_array_elements(m.citations) with ordinality as cited (of, place))`
