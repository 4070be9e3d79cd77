import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { actors, lessons, lessonsOfDelivery, scale } from "./Scale.ts"

const last = scale.students - 1

/** The students, their enrollments, and the sessions of the actors. Runs in the caller's transaction. */
export const seedStudents = Effect.fn("seedStudents")(function*(club_id: string, at: Date) {
  const sql = yield* SqlClient.SqlClient
  const club = sql`${club_id}::uuid`
  const now = sql`${at}::timestamptz`
  yield* sql`
    insert into students (club_id, id, email, name, verified_at, created_at)
    select ${club}, pg_temp.uid(3, n), n || '@student.example',
      (array['Ana', 'Bia', 'Caio', 'Dora', 'Eva', 'Gil', 'Íris', 'João', 'Lia', 'Rui'])[1 + n % 10] || ' ' ||
      (array['Silva', 'Souza', 'Lima', 'Melo', 'Reis', 'Rocha', 'Nunes', 'Araújo'])[1 + n / 10 % 8], ${now}, ${now}
    from generate_series(0, ${last}::int) n`
  // One student in five had another delivery before.
  yield* sql`
    insert into enrollments (club_id, id, student_id, delivery_id, source, starts_at, expires_at, created_at, lapse_noted)
    select ${club}, pg_temp.uid(12, n), pg_temp.uid(3, n), pg_temp.uid(8, n / 2 % ${scale.deliveries}::int), 'grant',
      ${now} - interval '150 days', null, ${now}, false
    from generate_series(0, ${last}::int) n
    union all
    select ${club}, pg_temp.uid(12, ${scale.students}::int + n), pg_temp.uid(3, n),
      pg_temp.uid(8, (n / 2 + 3) % ${scale.deliveries}::int), 'grant', ${now} - interval '300 days',
      ${now} - interval '10 days', ${now}, true
    from generate_series(0, ${last}::int, 5) n`
  yield* sql`
    insert into student_sessions (id, token_hash, club_id, student_id, created_at, last_seen_at, expires_at)
    select pg_temp.uid(13, n), sha256(pg_temp.token(pg_temp.uid(3, n))::bytea), ${club}, pg_temp.uid(3, n), ${now},
      ${now}, ${now} + interval '30 days'
    from generate_series(0, ${actors}::int - 1) n`
})

/** Completions, and the ledger with the totals and days for rankings. Runs in the caller's transaction. */
export const seedDeeds = Effect.fn("seedDeeds")(function*(club_id: string, user_id: string, at: Date) {
  const sql = yield* SqlClient.SqlClient
  const club = sql`${club_id}::uuid`
  const now = sql`${at}::timestamptz`
  const some = (number: string, kind: string) => sql.literal(`(hashint8extended(${number}, ${kind}) & 2147483647)`)
  yield* sql`
    create temporary table deed on commit drop as
    select n, place, n * 64 + place as number, student_id, lesson_id, done_at,
      (extract(epoch from done_at) * 1000)::bigint as millis
    from (
      select n, pg_temp.uid(3, n) as student_id, n / 2 % ${scale.deliveries}::int * ${lessonsOfDelivery}::int as first,
        1 + ${some("n / 2", "2")} % ${scale.mostCompleted - 1}::int as last
      from generate_series(0, ${last}::int) n offset 0
    ) student
    cross join lateral generate_series(0, last) place
    join (
      select n as lesson, pg_temp.uid(6, n) as lesson_id from generate_series(0, ${lessons}::int - 1) n offset 0
    ) taught on lesson = first + place
    cross join lateral (
      select ${now} - ${some("n / 2 * 64 + place", "1")} % ${scale.days * 86_400}::int * interval '1 second' as done_at
    ) at`
  yield* sql`
    insert into lesson_completions (club_id, student_id, lesson_id, first_completed_at, completed_at)
    select ${club}, student_id, lesson_id, done_at, done_at from deed`
  yield* sql`
    insert into point_entries (club_id, id, student_id, action, origin_id, points, created_at)
    select ${club}, pg_temp.uid7(millis, number), student_id, 'lesson_completed', lesson_id, 10, done_at from deed`
  yield* sql`
    insert into point_entries (club_id, id, student_id, action, origin_id, points, created_at)
    select ${club}, pg_temp.uid7(millis, n * 64 + 62), student_id, 'comment_posted', pg_temp.uid(15, n), 5, done_at
    from deed where place = 0 and n / 2 % 3 = 0`
  yield* sql`
    insert into point_entries (club_id, id, student_id, action, origin_id, points, reason, actor_user_id, created_at)
    select ${club}, id, student_id, 'adjustment', id, 1 + n / 2 % 97, 'Helped others', ${user_id}::uuid, done_at
    from deed cross join lateral pg_temp.uid7(millis, n * 64 + 63) id where place = 1 and n / 2 % 4 = 0`
  // Totals and days as `count_points` keeps them, without the days that the computation of boards has cleared.
  yield* sql`
    insert into point_totals (club_id, student_id, total)
    select club_id, student_id, sum(points) from point_entries where club_id = ${club} group by 1, 2`
  yield* sql`
    insert into point_days (club_id, student_id, day, points)
    select p.club_id, p.student_id, (p.created_at at time zone c.time_zone)::date, sum(p.points)
    from point_entries p join clubs c on c.id = p.club_id
    where p.club_id = ${club} and p.created_at > ${now} - interval '40 days'
    group by 1, 2, 3`
})

/** Conversations of students about their first lesson: a short one, then the latest one. */
export const seedConversations = Effect.fn("seedConversations")(function*(club_id: string, at: Date) {
  const sql = yield* SqlClient.SqlClient
  const club = sql`${club_id}::uuid`
  const now = sql`${at}::timestamptz`
  const count = sql`${scale.conversations}::int`
  yield* sql`
    create temporary table talk on commit drop as
    select n, n % ${count} as student, n < ${count} as latest,
      n % ${count} / 2 % ${scale.deliveries}::int * ${lessonsOfDelivery}::int as lesson,
      ${now} - case when n < ${count} then interval '2 days' else interval '9 days' end as begun_at
    from generate_series(0, ${count} * 2 - 1) n`
  yield* sql`
    insert into conversations (club_id, id, student_id, lesson_id, title, created_at, last_message_at)
    select ${club}, pg_temp.uid(16, n), pg_temp.uid(3, student), pg_temp.uid(6, lesson), 'How do I tune the third string?',
      begun_at, begun_at + interval '10 minutes'
    from talk`
  yield* sql`
    insert into messages (club_id, id, conversation_id, student_id, role, content, status, citations, cited_public_id, reply_to, day,
      month, created_at, completed_at)
    select ${club}, pg_temp.uid(17, n * 16 + turn), pg_temp.uid(16, n), pg_temp.uid(3, student),
      case when turn % 2 = 0 then 'user' else 'assistant' end,
      case when turn % 2 = 0 then 'How do I tune the third string?' else repeat('Tune it a fourth above the last. ', 12) end,
      'completed',
      case when turn % 2 = 0 then '[]' else jsonb_build_array(citation, citation) end,
      case when turn % 2 = 1 then 'lesson-' || lesson end,
      case when turn % 2 = 1 then pg_temp.uid(17, n * 16 + turn - 1) end,
      case when turn % 2 = 1 then begun_at::date end, case when turn % 2 = 1 then date_trunc('month', begun_at)::date end,
      begun_at + turn * interval '1 minute', begun_at + turn * interval '1 minute'
    from talk
    cross join lateral generate_series(0, case when latest then ${scale.messagesOfConversation}::int else 2 end - 1) turn
    cross join lateral jsonb_build_object(
      'cited_text', repeat('Tune it a fourth above the last. ', 5), 'source_id', pg_temp.uid(7, lesson),
      'source_kind', 'lesson', 'source_title', 'How to tune string ' || lesson, 'media_id', null,
      'lesson_id', pg_temp.uid(6, lesson), 'page_from', null, 'page_to', null, 'seconds', null,
      'lesson_public_id', 'lesson-' || lesson
    ) citation`
  yield* sql`
    insert into assistant_days (club_id, student_id, day, used)
    select ${club}, pg_temp.uid(3, n), (${now} at time zone c.time_zone)::date, 3
    from clubs c, generate_series(0, ${actors}::int - 1) n where c.id = ${club}`
  yield* sql`
    insert into assistant_months (club_id, month, used)
    select c.id, date_trunc('month', ${now} at time zone c.time_zone)::date, 1000 from clubs c where c.id = ${club}`
})
