import type { WorkQueue } from "../../../platform/jobs/WorkQueue.ts"

/** Changed lessons, and those whose lease ends. One search finds each club, as in the query that claims them. */
export const changedLessons: WorkQueue = {
  name: "material",
  waiting: (sql) => sql`from material_queue`,
  nextDue: (sql) =>
    sql`
      (with recursive waiting as (
        (select club_id, due_at from material_queue order by club_id, due_at limit 1)
        union all
        select next.club_id, next.due_at from waiting cross join lateral (
          select q.club_id, q.due_at from material_queue q
          where q.club_id > waiting.club_id order by q.club_id, q.due_at limit 1
        ) next
      )
      select min(due_at) from waiting)`
}
