import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Partitions } from "../../../src/platform/sql/Partitions.ts"
import { webhookTables } from "../../../src/webhooks/model/WebhookTables.ts"
import type { Actor } from "../requests.ts"
import { sized } from "../sized.ts"

/** Rows of a club in every table that grows with its people. */
export const size = sized(100_000, 300)

const endpoints = 5

/** Seconds between the moments of two rows, so that all rows fall in the last 20 days. */
const secondsApart = 17
const daysBack = 20

const endpointsOf = `('00000000-0000-7000-9000-' || lpad(to_hex(n), 12, '0'))::uuid`

/** Statements that fill one club; `club`, `owner` and `now` are columns of `c`. The n-th rows belong together. */
const statements = {
  students: `
    insert into students (club_id, id, email, name, verified_at, created_at)
    select club, pg_temp.uuid_at(at, 'a', n), n || '@many.example',
      (array['Ana', 'Bia', 'Caio', 'Dora', 'Eva', 'Gil', 'Íris', 'João', 'Lia', 'Rui'])[1 + n % 10] || ' ' ||
      (array['Silva', 'Souza', 'Lima', 'Melo', 'Reis', 'Rocha', 'Nunes', 'Araújo'])[1 + n % 8] || ' ' || n, at, at
    from moments`,
  deliveries: `
    insert into deliveries (club_id, id, name, free, created_at)
    select club, gen_random_uuid(), 'Violão', false, now from c`,
  enrollments: `
    insert into enrollments (club_id, id, student_id, delivery_id, source, starts_at, expires_at, created_at)
    select club, pg_temp.uuid_at(at, 'b', n), pg_temp.uuid_at(at, 'a', n), (select id from deliveries where club_id = club), 'grant', at,
      case when n % 3 = 0 then at + interval '1 day' end, at
    from moments`,
  points: `
    insert into point_entries (club_id, id, student_id, action, origin_id, points, created_at)
    select club, pg_temp.uuid_at(at, 'c', n), pg_temp.uuid_at(at, 'a', n), 'quiz_passed', gen_random_uuid(), 1 + n % 900, at from moments`,
  purchases: `
    insert into purchases (club_id, id, student_id, platform, external_id, status, product_external_id, amount_cents,
      currency, paid_at, created_at)
    select club, pg_temp.uuid_at(at, 'd', n), pg_temp.uuid_at(at, 'a', n), 'hotmart', n::text, 'paid', 'p' || n % 40, 9700, 'BRL', at, at
    from moments`,
  addresses: `
    insert into inbound_webhooks (club_id, id, platform, name, enabled, token_only, token, token_hash, created_at, updated_at)
    select club, gen_random_uuid(), 'hotmart', 'Hotmart', true, true, '\\x00', sha256('x'), now, now from c`,
  sales: `
    insert into inbound_events (club_id, id, inbound_webhook_id, platform, event_name, body_hash, order_key, product_ids,
      offer_ids, raw, received_at, outcome, finished_at)
    select club, pg_temp.uuid_at(at, 'e', n), (select id from inbound_webhooks where club_id = club), 'hotmart', 'PURCHASE_APPROVED',
      sha256(convert_to(n::text, 'UTF8')), n::text, array['p' || n % 40], array[null], convert_to('{}', 'UTF8'), at,
      case when n % 50 = 0 then 'unmapped' when n % 977 = 0 then 'failed' else 'processed' end, at
    from moments`,
  audit: `
    insert into audit_log (club_id, id, at, user_id, operation, student_id, targets, outcome)
    select club, pg_temp.uuid_at(at, 'f', n), at, owner, case when n % 100 = 0 then 'students.remove' else 'students.update' end,
      pg_temp.uuid_at(at, 'a', n), '{}', case when n % 500 = 0 then 'refused' else 'done' end
    from moments`,
  endpoints: `
    insert into webhook_endpoints (club_id, id, slot, url, description, event_types, status, secret, created_at, updated_at)
    select club, ${endpointsOf}, n, 'https://receiver.example/' || n, 'Number ' || n, array['student.created'],
      case when n = ${endpoints} then 'paused' else 'enabled' end, '\\x00', now, now
    from c, generate_series(1, ${endpoints}) n`,
  lanes:
    `insert into webhook_lanes (club_id, endpoint_id) select club, ${endpointsOf} from c, generate_series(1, ${endpoints}) n`,
  messages: `
    insert into webhook_messages (club_id, id, type, student_id, occurred_at, created_at, body)
    select club, pg_temp.uuid_at(at, '1', n), 'lesson.completed', pg_temp.uuid_at(at, 'a', n), at, at,
      convert_to('{"type":"lesson.completed","data":{"n":' || n || '}}', 'UTF8')
    from moments`,
  webhooks: `
    insert into webhook_deliveries (club_id, endpoint_id, id, event_id, event_type, student_id, status, cancel_reason, trigger,
      created_at, finished_at, attempts_count, last_attempt_at, last_status_code, last_error, last_duration_ms)
    select club, ('00000000-0000-7000-9000-' || lpad(to_hex(case when n % 10 = 0 then 2 + n % 4 else 1 end), 12, '0'))::uuid,
      pg_temp.uuid_at(at, '2', n), pg_temp.uuid_at(at, '1', n),
      case when n = 70000 then 'purchase.refunded' else 'lesson.completed' end, pg_temp.uuid_at(at, 'a', n),
      case when n % 400 = 0 then 'failed' when n % 401 = 0 then 'canceled' else 'succeeded' end,
      case when n % 400 <> 0 and n % 401 = 0 then 'expired' end, 'schedule', at, at, 1, at,
      case when n % 400 = 0 then 500 else 200 end, case when n % 400 = 0 then 'http_status' end, 20 + n % 300
    from moments`,
  waiting: `
    insert into webhook_deliveries (club_id, endpoint_id, id, event_id, event_type, student_id, status, trigger, next_attempt_at,
      created_at)
    select club, '00000000-0000-7000-9000-00000000000${endpoints}', pg_temp.uuid_at(at, 'b', n), pg_temp.uuid_at(at, '1', n),
      'student.updated', pg_temp.uuid_at(at, 'a', n), 'pending', 'schedule', at, at
    from moments where n % 2 = 0`,
  attempts: `
    insert into webhook_attempts (club_id, delivery_id, id, number, trigger, started_at, duration_ms, status_code, error)
    select club, pg_temp.uuid_at(at, '2', n), pg_temp.uuid_at(at, '3', n), 1, 'schedule', at, 20 + n % 300,
      case when n % 400 = 0 then 500 else 200 end, case when n % 400 = 0 then 'http_status' end
    from moments`,
  counts: `
    insert into webhook_counts (club_id, endpoint_id, at, accepted, failed, given_up, under_20, under_240)
    select club, ${endpointsOf}, date_bin('15 minutes', now, timestamptz '2000-01-01 00:00:00Z') - q * interval '15 minutes',
      40, 2, 0, 30, 12
    from c, generate_series(1, ${endpoints}) n, generate_series(0, ${daysBack * 96}) q`,
  course: `
    insert into courses (club_id, id, public_id, title, position, created_at)
    select club, gen_random_uuid(), 'violao', 'Violão', 1, now from c`,
  modules: `
    insert into modules (club_id, id, course_id, title, position, created_at)
    select club, gen_random_uuid(), (select id from courses where club_id = club), 'Módulo ' || n, n, now
    from c, generate_series(1, 30) n`,
  lessons: `
    insert into lessons (club_id, id, course_id, module_id, public_id, title, position, published_at, created_at)
    select m.club_id, gen_random_uuid(), m.course_id, m.id, 'l' || m.position || '-' || n, 'Aula ' || n, n, now, now
    from c, modules m, generate_series(1, 20) n where m.club_id = club`,
  blocks: `
    insert into blocks (club_id, id, lesson_id, kind, position, body, created_at)
    select club, gen_random_uuid(), (select id from lessons where club_id = club order by id limit 1), 'assignment', 1, 'Toque',
      now
    from c`,
  submissions: `
    insert into submissions (club_id, id, student_id, block_id, body, status, reviewer_user_id, reviewed_at, created_at)
    select club, pg_temp.uuid_at(at, '9', n), pg_temp.uuid_at(at, 'a', n), (select id from blocks where club_id = club),
      'Aqui', case when n % 100 = 0 then 'pending' else 'approved' end, case when n % 100 <> 0 then owner end,
      case when n % 100 <> 0 then at end, at
    from moments`,
  completions: `
    insert into lesson_completions (club_id, student_id, lesson_id, first_completed_at, completed_at)
    select club, pg_temp.uuid_at(at, 'a', n), (select id from lessons where club_id = club order by id limit 1), at, at
    from moments`,
  comments: `
    insert into comments (club_id, id, lesson_id, author, student_id, body, pending, created_at)
    select club, pg_temp.uuid_at(at, '0', n), (select id from lessons where club_id = club order by id limit 1), 'student',
      pg_temp.uuid_at(at, 'a', n), 'Que aula', n % 300 = 0, at
    from moments`,
  conversations: `
    insert into conversations (club_id, id, student_id, lesson_id, title, created_at, last_message_at)
    select club, pg_temp.uuid_at(at, '4', n), pg_temp.uuid_at(at, 'a', n), l.id, 'Como?', at, at
    from moments, lateral (select id from lessons where club_id = club order by id limit 1) l`,
  questions: `
    insert into messages (club_id, id, conversation_id, student_id, role, content, status, created_at, completed_at)
    select club, pg_temp.uuid_at(at, '5', n), pg_temp.uuid_at(at, '4', n), pg_temp.uuid_at(at, 'a', n), 'user', 'Como?', 'completed', at, at
    from moments`,
  answers: `
    insert into messages (club_id, id, conversation_id, student_id, role, content, status, reply_to, day, month, created_at,
      completed_at)
    select club, pg_temp.uuid_at(at, '6', n), pg_temp.uuid_at(at, '4', n), pg_temp.uuid_at(at, 'a', n), 'assistant', repeat('Assim. ', 40),
      'completed', pg_temp.uuid_at(at, '5', n), at::date, date_trunc('month', at)::date, at, at
    from moments`,
  support: `
    insert into support_conversations (club_id, id, student_id, subject, status, activity, last_number, student_unread,
      student_read_number, created_at, last_message_at)
    select club, pg_temp.uuid_at(at, '7', n), pg_temp.uuid_at(at, 'a', n), 'Não abre', case when n % 20 = 0 then 'open' else 'closed' end, n,
      1, 0, 1, at, at
    from moments where n % 5 = 0`,
  supportMessages: `
    insert into support_messages (club_id, conversation_id, number, id, student_id, body, created_at)
    select club, pg_temp.uuid_at(at, '7', n), 1, pg_temp.uuid_at(at, '8', n), pg_temp.uuid_at(at, 'a', n), 'Socorro', at from moments where n % 5 = 0`
}

/** UUIDv7 ids of a moment. The digit of a kind and the number tell them apart. */
const helpers = `
  create function pg_temp.uuid_at(at timestamptz, kind text, n integer) returns uuid language sql immutable as $$
    select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || kind || '008' || lpad(to_hex(n), 15, '0'))::uuid
  $$`

/** Fills the actor's club with 100,000 students and as many rows of each other kind. */
export const seedLargeClub = Effect.fn("seedLargeClub")(function*({ organization_id, user_id }: Actor) {
  const sql = yield* SqlClient.SqlClient
  const now = yield* DateTime.now
  const partitions = yield* Partitions
  yield* partitions.ensure(webhookTables, DateTime.subtract(now, { days: daysBack }))
  yield* sql.withTransaction(Effect.gen(function*() {
    yield* sql.unsafe(helpers)
    yield* sql`
      create temporary table c on commit drop as
      select id as club, ${user_id}::uuid as owner, ${DateTime.toDateUtc(now)}::timestamptz as now
      from clubs where organization_id = ${organization_id}`
    yield* sql`
      create temporary table moments on commit drop as
      select club, owner, n, date_trunc('milliseconds', now) - (${size}::int - n) * interval '1 second' * ${secondsApart}::int
        as at
      from c, generate_series(1, ${size}::int) n`
    // Analyzes at once: foreign keys would otherwise keep plans for empty tables, which scan everything.
    yield* Effect.forEach(
      Object.values(statements),
      (statement) =>
        Effect.andThen(sql.unsafe(statement), sql.unsafe(`analyze ${/insert into (\w+)/.exec(statement)?.[1]}`)),
      { discard: true }
    )
  }))
  yield* sql`vacuum (analyze)`
  yield* sql`checkpoint`
}, Effect.orDie)
