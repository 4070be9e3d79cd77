import type { Sql } from "postgres"
import type { Student } from "./Asks.ts"

/** The live repositories that a student has, in one statement. */
export const makeRepositories = (sql: Sql) => ({
  list: ({ club_id, student_id }: Student) => {
    const now = new Date()
    return sql`
      select r.public_id, r.title, r.instructor_name, r.cover_url, (
        select count(*)::int from repository_files f where f.club_id = r.club_id and f.repository_id = r.id
      ) as file_count
      from repositories r
      where r.club_id = ${club_id} and r.deleted_at is null and r.published_at <= ${now} and r.id = any (array(
        select i.item_id from enrollments e
        join delivery_items i on i.club_id = e.club_id and i.delivery_id = e.delivery_id
        where e.club_id = ${club_id} and e.student_id = ${student_id} and e.revoked_at is null and e.starts_at <= ${now}
          and (e.expires_at is null or e.expires_at > ${now}) and i.kind = 'repository'
      ))
      order by r.id`
  }
})
