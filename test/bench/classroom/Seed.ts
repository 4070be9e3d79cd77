import { DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { OrganizationId } from "../../../src/identity/ids/ClubId.ts"
import { PointBoards } from "../../../src/learning/gamification/PointBoards.ts"
import { actors, spare } from "./Scale.ts"
import { seedBystanders } from "./SeedBystanders.ts"
import { seedContent } from "./SeedContent.ts"
import { seedConversations, seedDeeds, seedStudents } from "./SeedStudents.ts"
import { withoutIndexes } from "./WithoutIndexes.ts"

const Token = Schema.Struct({ access_token: Schema.String })

const Actor = Schema.Struct({
  ...Token.fields,
  number: Schema.Int,
  id: Schema.String,
  /** How many lessons of their delivery they have completed, from the first one on. */
  completed: Schema.Int
})
/** A student with a session. */
export type Actor = typeof Actor.Type

const Seeded = Schema.Struct({
  club_id: Schema.String,
  organization_id: OrganizationId,
  /** A club that the actors do not belong to. */
  other_organization_id: OrganizationId,
  /** The owner's token. */
  staff: Token,
  /** The students of all connections, connection by connection. */
  students: Schema.Array(Actor),
  /** The first two have the same courses and the same history, and so have the last two. */
  spare: Schema.Tuple([Actor, Actor, Actor, Actor]),
  /** Rows of the ledger, and completed lessons. */
  entries: Schema.Int,
  completions: Schema.Int
})
/** The club with everything that is measured in it. */
export type Seeded = typeof Seeded.Type

const decodeSeeded = Schema.decodeUnknownEffect(Schema.Tuple([Seeded]))

/** `uid` makes an id of a kind and a number, `uid7` a UUIDv7 of a millisecond, `token` a person's session token. */
const makeFunctions = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create function pg_temp.uid(kind integer, number bigint) returns uuid language sql immutable strict return
      ('01900000-00' || lpad(to_hex(kind), 2, '0') || '-7000-8000-' || lpad(to_hex(number), 12, '0'))::uuid`
  yield* sql`
    create function pg_temp.uid7(millis bigint, number bigint) returns uuid language sql immutable strict return
      (lpad(to_hex(millis), 12, '0') || '70008000' || lpad(to_hex(number), 12, '0'))::uuid`
  yield* sql`
    create function pg_temp.token(id uuid) returns text language sql immutable strict return
      rtrim(translate(encode(sha256(id::text::bytea), 'base64'), '+/', '-_'), '=')`
})

const seedClub = Effect.fnUntraced(function*(club_id: string, user_id: string, at: Date) {
  const sql = yield* SqlClient.SqlClient
  const now = sql`${at}::timestamptz`
  yield* sql`
    insert into clubs (id, organization_id, name, slug, time_zone, locale, sign_up_open, created_at)
    values (${club_id}, pg_temp.uid(2, 0), 'Violão Fácil', 'violao', 'America/Sao_Paulo', 'pt-BR', true, ${now})`
  yield* sql`
    insert into users (id, email, name, password_hash, verified_at, created_at)
    values (${user_id}, 'ana@user.example', 'Ana Souza', 'unusable', ${now}, ${now})`
  yield* sql`
    insert into members (club_id, user_id, role, created_at) values (${club_id}, ${user_id}, 'owner', ${now})`
  yield* sql`
    insert into user_sessions (id, token_hash, user_id, created_at, last_seen_at, expires_at)
    values (pg_temp.uid(20, 0), sha256(pg_temp.token(${user_id}::uuid)::bytea), ${user_id}, ${now}, ${now},
      ${now} + interval '30 days')`
  yield* sql`
    insert into agents (club_id, id, name, enabled, daily_limit, monthly_budget, created_at)
    values (${club_id}, pg_temp.uid(14, 0), 'Assistente', true, 10, 100000, ${now})`
  yield* sql`insert into gamification (club_id, enabled, ranking_visible) values (${club_id}, true, true)`
  yield* sql`
    insert into gamification_rules (club_id, action, points)
    values (${club_id}, 'lesson_completed', 10), (${club_id}, 'course_completed', 100), (${club_id}, 'comment_posted', 5)`
  yield* sql`
    insert into levels (club_id, id, name, min_points)
    select ${club_id}::uuid, pg_temp.uid(18, n), 'Level ' || n, n * n * 20 from generate_series(0, 5) n`
})

/** Fills everything in one transaction. It skips foreign keys and triggers, which is several times faster. */
const fill = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const at = DateTime.toDateUtc(yield* DateTime.now)
  yield* sql`set local session_replication_role = replica`
  yield* makeFunctions
  const [{ club_id, user_id }] = yield* sql`select pg_temp.uid(1, 0) as club_id, pg_temp.uid(19, 0) as user_id`
    .pipe(Effect
      .flatMap(Schema
        .decodeUnknownEffect(Schema.Tuple([Schema.Struct({ club_id: Schema.String, user_id: Schema.String })]))))
  yield* withoutIndexes(
    ["enrollments", "lesson_completions", "messages", "point_days", "point_entries", "students"],
    Effect.gen(function*() {
      yield* seedBystanders(at)
      yield* seedClub(club_id, user_id, at)
      yield* seedContent(club_id, at)
      yield* seedStudents(club_id, at)
      yield* seedDeeds(club_id, user_id, at)
      yield* seedConversations(club_id, at)
    })
  )
  const rows = yield* sql`
    with actor as materialized (
      select n, json_build_object(
        'number', n, 'id', id, 'access_token', pg_temp.token(id),
        'completed', (select count(*) from lesson_completions where club_id = ${club_id} and student_id = id)
      ) as actor
      from generate_series(0, ${actors}::int - 1) n cross join lateral pg_temp.uid(3, n) id
    )
    select ${club_id}::text as club_id, pg_temp.uid(2, 0)::text as organization_id,
      pg_temp.uid(109, 1)::text as other_organization_id,
      json_build_object('access_token', pg_temp.token(${user_id}::uuid)) as staff,
      (select json_agg(actor.actor order by n) from actor where n < ${actors - spare}::int) as students,
      (select json_agg(actor.actor order by n) from actor where n >= ${actors - spare}::int) as spare,
      (select count(*)::int from point_entries where club_id = ${club_id}) as entries,
      (select count(*)::int from lesson_completions where club_id = ${club_id}) as completions`
  return yield* decodeSeeded(rows)
})

/** Fills a migrated database, computes the boards of the ranking as the worker does, and answers the actors. */
export const seed = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const boards = yield* PointBoards
  const [seeded] = yield* sql.withTransaction(fill)
  yield* sql`vacuum (analyze)`
  yield* Effect.repeat(boards.tick, { until: (worked) => worked === 0 })
  yield* sql`vacuum (analyze) point_board_rows, point_days, point_totals, point_boards`
  yield* sql`checkpoint`
  return seeded
}).pipe(Effect.provide(Layer.fresh(PointBoards.layer)))
