import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { ReplyCounter } from "./ReplyCounter.ts"

/** The contradictions in a club's data, by kind. Each list must be empty once no work is due. */
export const contradictions = Effect.fnUntraced(function*({ club_id }: { readonly club_id: string }) {
  const thought = (yield* ReplyCounter).replies.filter((club) => club === club_id).length
  const sql = yield* SqlClient.SqlClient
  const here = sql`s.club_id = ${club_id} and s.removed_at is null`
  const paid = (action: string, origin: string) =>
    sql`(
      select count(*) from point_entries p where p.club_id = s.club_id and p.student_id = s.id
        and p.action = ${action} and p.origin_id = ${sql.literal(origin)}
    )`
  const told = (type: string, what: string, id: string) =>
    sql`(
      select count(*) from event_outbox o where o.club_id = s.club_id and o.student_id = s.id and o.type = ${type}
        and o.subject ->> ${what} = ${sql.literal(id)}::text
    )`
  // A message that was canceled after its start counts as paid, too.
  const kept = sql`
    m.role = 'assistant' and (m.status = 'completed' or m.content <> '' or m.status = 'canceled' and m.tries > 0)`
  return {
    "a total is not that of the ledger": yield* sql`
      select s.id from students s where s.club_id = ${club_id}
        and coalesce((select sum(points) from point_entries p where p.club_id = s.club_id and p.student_id = s.id), 0)
          <> coalesce((select total from point_totals t where t.club_id = s.club_id and t.student_id = s.id), 0)`,
    "days are not those of the ledger": yield* sql`
      select s.id from students s where ${here}
        and coalesce((select sum(points) from point_entries p where p.club_id = s.club_id and p.student_id = s.id), 0)
          <> coalesce((select sum(points) from point_days d where d.club_id = s.club_id and d.student_id = s.id), 0)`,
    "a board is not that of the days": yield* sql`
      select s.id, b.day from students s join point_boards b on b.club_id = s.club_id and b.laid_at is not null
      cross join lateral (
        select coalesce(sum(points), 0) as points from point_days d
        where d.club_id = s.club_id and d.student_id = s.id and d.day > b.day - 30
      ) days
      left join point_board_rows r on r.club_id = s.club_id and r.day = b.day and r.student_id = s.id
      where ${here} and (coalesce(r.points_7d, 0), coalesce(r.points_30d, 0)) <> (days.points, days.points)`,
    "a removed student is ranked": yield* sql`
      select s.id from students s where s.club_id = ${club_id} and s.removed_at is not null and (
        exists (select from point_totals t where t.club_id = s.club_id and t.student_id = s.id and t.ranked)
        or exists (select from point_board_rows r where r.club_id = s.club_id and r.student_id = s.id)
        or exists (select from point_days d where d.club_id = s.club_id and d.student_id = s.id)
      )`,
    "a completion has not one event and one award": yield* sql`
      select s.id, c.lesson_id from students s
      join lesson_completions c on c.club_id = s.club_id and c.student_id = s.id
      where ${here}
        and (${paid("lesson_completed", "c.lesson_id")}, ${
      told("lesson.completed", "lesson_id", "c.lesson_id")
    }) <> (1, 1)`,
    "a finished course has not one event and one award": yield* sql`
      select s.id, c.course_id from students s
      join course_completions c on c.club_id = s.club_id and c.student_id = s.id
      where ${here}
        and (${paid("course_completed", "c.course_id")}, ${
      told("course.completed", "course_id", "c.course_id")
    }) <> (1, 1)`,
    "something is told or paid that did not happen": yield* sql`
      select p.id from point_entries p where p.club_id = ${club_id} and (
        p.action = 'lesson_completed' and not exists (
          select from lesson_completions c
          where c.club_id = p.club_id and c.student_id = p.student_id and c.lesson_id = p.origin_id
        )
        or p.action = 'course_completed' and not exists (
          select from course_completions c
          where c.club_id = p.club_id and c.student_id = p.student_id and c.course_id = p.origin_id
        )
        or p.action = 'quiz_passed' and not exists (
          select from quiz_attempts a
          where a.club_id = p.club_id and a.student_id = p.student_id and a.block_id = p.origin_id and a.passed
        )
        or p.action = 'assignment_approved' and not exists (
          select from submissions a
          where a.club_id = p.club_id and a.student_id = p.student_id and a.block_id = p.origin_id
            and a.status = 'approved'
        )
        or p.action = 'live_attended' and not exists (
          select from live_attendances a
          where a.club_id = p.club_id and a.student_id = p.student_id and a.live_id = p.origin_id
        )
      )`,
    "what passed, was approved or attended is not paid once": yield* sql`
      select s.id from students s join quiz_attempts a on a.club_id = s.club_id and a.student_id = s.id and a.passed
      where ${here} and ${paid("quiz_passed", "a.block_id")} <> 1
      union all
      select s.id from students s
      join submissions a on a.club_id = s.club_id and a.student_id = s.id and a.status = 'approved'
      where ${here} and ${paid("assignment_approved", "a.block_id")} <> 1
      union all
      select s.id from students s join live_attendances a on a.club_id = s.club_id and a.student_id = s.id
      where ${here} and ${paid("live_attended", "a.live_id")} <> 1`,
    "an action is paid above its cap": yield* sql`
      select student_id from point_entries where club_id = ${club_id} and action in ('comment_posted', 'post_published')
      group by student_id, action, created_at::date having count(*) > 5`,
    "an answer has not ended": yield* sql`
      select id from messages where club_id = ${club_id} and status = 'generating'`,
    "a day has not as many units as answers": yield* sql`
      select s.id from students s where ${here}
        and coalesce((select sum(used) from assistant_days d where d.club_id = s.club_id and d.student_id = s.id), 0)
          <> (select count(*) from messages m where m.club_id = s.club_id and m.student_id = s.id and ${kept})`,
    "a month has not as many units as answers, those of removed students among them, and thoughts about replies":
      yield* sql`
      select used, kept, forgotten from (
        select
          coalesce((select sum(used) from assistant_months where club_id = ${club_id}), 0) as used,
          (select count(*) from messages m where m.club_id = ${club_id} and ${kept})
            + ${thought}::int as kept,
          coalesce((
            select sum((counts ->> 'ask_messages')::int / 2) from student_erasures where club_id = ${club_id}
          ), 0) as forgotten
      ) months where used not between kept and kept + forgotten`,
    "more replies are written than were thought about": yield* sql`
      select count(*) from comments where club_id = ${club_id} and author = 'assistant'
      having count(*) > ${thought}::int`,
    // A deleted reply keeps its tombstone, and another reply may follow.
    "a comment has two replies of the assistant": yield* sql`
      select parent_id from comments where club_id = ${club_id} and author = 'assistant' and deleted_at is null
      group by parent_id having count(*) > 1`,
    "of a removed student something is left": yield* sql`
      select s.id, left_over.what from students s cross join lateral (
        select 'comment' from comments c where c.club_id = s.club_id and c.student_id = s.id and c.body <> ''
        union all
        select 'post' from posts c where c.club_id = s.club_id and c.student_id = s.id and c.body <> ''
        union all
        select 'submission' from submissions c
        where c.club_id = s.club_id and c.student_id = s.id and (c.body <> '' or c.feedback is not null)
        union all
        select 'attempt' from quiz_attempts c where c.club_id = s.club_id and c.student_id = s.id and c.answers <> '[]'
        union all
        select 'message' from messages c where c.club_id = s.club_id and c.student_id = s.id
        union all
        select 'conversation' from conversations c where c.club_id = s.club_id and c.student_id = s.id
        union all
        select 'day' from assistant_days c where c.club_id = s.club_id and c.student_id = s.id
        union all
        select 'reaction' from comment_reactions c where c.club_id = s.club_id and c.student_id = s.id
        union all
        select 'mention' from comment_mentions c where c.club_id = s.club_id and c.student_id = s.id
        union all
        select 'mention' from post_mentions c where c.club_id = s.club_id and c.student_id = s.id
        union all
        select 'report' from comment_reports c where c.club_id = s.club_id and c.student_id = s.id
        union all
        select 'media' from media c where c.club_id = s.club_id and c.student_id = s.id and c.title <> ''
        union all
        select 'reason' from point_entries c where c.club_id = s.club_id and c.student_id = s.id and c.reason is not null
        union all
        select o.type from event_outbox o where o.club_id = s.club_id and o.student_id = s.id and o.type <> 'student.removed'
      ) left_over (what) where s.club_id = ${club_id} and s.removed_at is not null`,
    "material waits": yield* sql`select lesson_id from material_queue where club_id = ${club_id}`,
    "material is not what lessons show": yield* sql`
      select b.id from blocks b join lessons l on l.club_id = b.club_id and l.id = b.lesson_id
      where b.club_id = ${club_id} and b.kind = 'text' and (
        (b.deleted_at is null and l.deleted_at is null) <> exists (
          select from material_chunks c where c.club_id = b.club_id and c.source_id = b.id and c.body = b.body
        )
      )`
  }
})
