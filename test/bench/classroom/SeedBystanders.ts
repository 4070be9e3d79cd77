import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { scale } from "./Scale.ts"

/**
 * Clubs with one student, who has a course, a repository, a session and a conversation, and in some clubs points.
 * `pg_temp.uid` makes an id from a kind and a number. Runs in the caller's transaction.
 */
export const seedBystanders = Effect.fn("seedBystanders")(function*(at: Date) {
  const sql = yield* SqlClient.SqlClient
  const now = sql`${at}::timestamptz`
  yield* sql`
    create temporary table other on commit drop as
    select n, pg_temp.uid(101, n) as club_id, pg_temp.uid(102, n) as student_id, pg_temp.uid(103, n) as course_id,
      pg_temp.uid(104, n) as module_id, pg_temp.uid(105, n) as delivery_id, pg_temp.uid(106, n) as repository_id,
      pg_temp.uid(107, n) as conversation_id, pg_temp.uid(108, n) as user_id
    from generate_series(1, ${scale.bystanders}::int) n`
  yield* sql`
    insert into clubs (id, organization_id, name, slug, time_zone, locale, sign_up_open, created_at)
    select club_id, pg_temp.uid(109, n), 'Club ' || n, 'other-' || n, 'UTC', 'en', true, ${now} from other`
  yield* sql`
    insert into users (id, email, name, password_hash, verified_at, created_at)
    select user_id, 'user' || n || '@other.example', 'User', 'unusable', ${now}, ${now} from other`
  yield* sql`
    insert into members (club_id, user_id, role, created_at) select club_id, user_id, 'owner', ${now} from other`
  yield* sql`
    insert into user_sessions (id, token_hash, user_id, created_at, last_seen_at, expires_at)
    select pg_temp.uid(110, n), sha256(user_id::text::bytea), user_id, ${now}, ${now}, ${now} + interval '30 days'
    from other`
  yield* sql`
    insert into students (club_id, id, email, name, verified_at, created_at)
    select club_id, student_id, 'student' || n || '@other.example', 'Student', ${now}, ${now} from other`
  yield* sql`
    insert into student_sessions (id, token_hash, club_id, student_id, created_at, last_seen_at, expires_at)
    select pg_temp.uid(111, n), sha256(student_id::text::bytea), club_id, student_id, ${now}, ${now},
      ${now} + interval '30 days'
    from other`
  yield* sql`
    insert into agents (club_id, id, name, enabled, daily_limit, created_at)
    select club_id, pg_temp.uid(112, n), 'Assistant', true, 10, ${now} from other`
  yield* seedWhatTheyHave(at)
  yield* seedWhatTheyDid(at)
})

const seedWhatTheyHave = Effect.fnUntraced(function*(at: Date) {
  const sql = yield* SqlClient.SqlClient
  const now = sql`${at}::timestamptz`
  yield* sql`
    insert into courses (club_id, id, public_id, title, position, created_at)
    select club_id, course_id, 'course', 'Course', 1, ${now} from other`
  yield* sql`
    insert into modules (club_id, id, course_id, title, position, created_at)
    select club_id, module_id, course_id, 'Module', 1, ${now} from other`
  yield* sql`
    insert into lessons (club_id, id, course_id, module_id, public_id, title, position, published_at, created_at)
    select club_id, pg_temp.uid(113, n * 10 + place), course_id, module_id, 'lesson-' || place, 'Lesson', place, ${now},
      ${now}
    from other, generate_series(1, 5) place`
  yield* sql`
    insert into repositories (club_id, id, public_id, title, published_at, created_at)
    select club_id, repository_id, 'repository', 'Repository', ${now}, ${now} from other`
  yield* sql`
    insert into deliveries (club_id, id, name, free, created_at)
    select club_id, delivery_id, 'Delivery', false, ${now} from other`
  yield* sql`
    insert into delivery_items (club_id, delivery_id, kind, item_id, position)
    select club_id, delivery_id, 'course', course_id, 1 from other
    union all
    select club_id, delivery_id, 'repository', repository_id, 2 from other`
  yield* sql`
    insert into enrollments (club_id, id, student_id, delivery_id, source, starts_at, created_at)
    select club_id, pg_temp.uid(114, n), student_id, delivery_id, 'grant', ${now}, ${now} from other`
})

const seedWhatTheyDid = Effect.fnUntraced(function*(at: Date) {
  const sql = yield* SqlClient.SqlClient
  const now = sql`${at}::timestamptz`
  yield* sql`
    insert into gamification (club_id, enabled, ranking_visible) select club_id, true, true from other`
  yield* sql`
    insert into gamification_rules (club_id, action, points)
    select club_id, action, 10 from other, unnest(array['lesson_completed', 'course_completed', 'quiz_passed']) action`
  yield* sql`
    insert into levels (club_id, id, name, min_points)
    select club_id, pg_temp.uid(115, n * 10 + place), 'Level ' || place, place * 100
    from other, generate_series(0, 4) place`
  yield* sql`
    insert into lesson_completions (club_id, student_id, lesson_id, first_completed_at, completed_at)
    select club_id, student_id, pg_temp.uid(113, n * 10 + place), ${now}, ${now} from other, generate_series(1, 3) place`
  yield* sql`
    insert into conversations (club_id, id, student_id, lesson_id, title, created_at, last_message_at)
    select club_id, conversation_id, student_id, pg_temp.uid(113, n * 10 + 1), 'Why', ${now}, ${now} from other`
  yield* sql`
    insert into messages (club_id, id, conversation_id, student_id, role, content, status, created_at, completed_at)
    select club_id, pg_temp.uid(116, n), conversation_id, student_id, 'user', 'Why?', 'completed', ${now}, ${now}
    from other`
  yield* sql`
    insert into point_entries (club_id, id, student_id, action, origin_id, points, created_at)
    select club_id, pg_temp.uid(117, n * 10 + place), student_id, 'lesson_completed', pg_temp.uid(113, n * 10 + place),
      10, ${now}
    from other, generate_series(1, 3) place
    where n <= ${scale.bystandersWithPoints}::int`
  yield* sql`
    insert into point_totals (club_id, student_id, total)
    select club_id, student_id, 30 from other where n <= ${scale.bystandersWithPoints}::int`
  yield* sql`
    insert into point_days (club_id, student_id, day, points)
    select club_id, student_id, (${now} at time zone 'UTC')::date, 30 from other
    where n <= ${scale.bystandersWithPoints}::int`
})
