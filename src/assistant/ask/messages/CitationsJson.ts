import type { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { hasLesson } from "../../../learning/content/AccessibleLessons.ts"
import type { ItemHolder } from "../../../membership/access/ItemAccess.ts"

/** A lesson that the student is known to have, as columns of a statement. */
export interface OwnLesson {
  readonly id: Fragment
  readonly public_id: Fragment
}

// An array is read in its order, and most messages cite nothing.
const citationsWith = (sql: SqlClient.SqlClient, lesson_public_id: Fragment): Fragment =>
  sql`
    case when m.citations = '[]' then '[]'::json else (
      select json_agg('{"seconds":null}'::jsonb || cited.of || jsonb_build_object('lesson_public_id', ${lesson_public_id}))
      from jsonb_array_elements(m.citations) cited (of)
    ) end`

/**
 * The citations of the row `m` of `messages` as `ClassroomCitation` has them. Answers of the version before have no
 * `seconds`.
 */
export const citationsJson = (sql: SqlClient.SqlClient, holder: ItemHolder): Fragment =>
  citationsWith(
    sql,
    sql`(
      select l.public_id from lessons l
      where l.club_id = ${holder.club_id} and l.id = (cited.of ->> 'lesson_id')::uuid
        and ${hasLesson(sql, holder, sql`(cited.of ->> 'lesson_id')::uuid`)}
    )`
  )

/** The same with the key of this lesson alone, and so without a look at the student's access to others. */
export const ownCitationsJson = (sql: SqlClient.SqlClient, { id, public_id }: OwnLesson): Fragment =>
  citationsWith(sql, sql`case when cited.of ->> 'lesson_id' = ${id}::text then ${public_id} end`)

/** True if the row `m` of `messages` cites another lesson than this one. */
export const citesOthers = (sql: SqlClient.SqlClient, { id }: OwnLesson): Fragment =>
  sql`
    m.citations <> '[]' and exists (
      select from jsonb_array_elements(m.citations) cited (of) where cited.of ->> 'lesson_id' <> ${id}::text
    )`
