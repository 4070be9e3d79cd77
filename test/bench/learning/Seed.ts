import { DateTime, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { Actor } from "../requests.ts"
import { sized } from "../sized.ts"

/** The measured club in numbers. */
export const size = {
  lessons: sized(1000, 40),
  blocksOfLesson: 10,
  /** Blocks of the longest lesson. */
  blocks: sized(200, 20),
  posts: sized(100_000, 50),
  comments: sized(2000, 20),
  students: sized(500, 5)
} as const

/** Addresses of the course, of a usual lesson and of the longest one. */
export const addresses = { course: "violao", lesson: "l2", long: "l1" } as const

const modules = 20

const paragraph =
  "Respire fundo, **solte os ombros** e toque a quarta corda bem devagar, com o polegar. Repita a mesma nota até que ela soe limpa e igual. "

const words = [
  "acorde",
  "ritmo",
  "escala",
  "pestana",
  "dedilhado",
  "batida",
  "afinador",
  "capotraste",
  "harmonia",
  "pausa"
]

/** Statements that fill the club; `club` and `now` are columns of `c`, which has one row. */
const statements = {
  students: `
    insert into students (club_id, id, email, name, verified_at, created_at)
    select club, pg_temp.uid('a', n), n || '@many.example', 'Bia ' || n, now, now from c, numbers`,
  sessions: `
    insert into student_sessions (id, token_hash, club_id, student_id, created_at, last_seen_at, expires_at)
    select pg_temp.uid('b', n), sha256(pg_temp.token(n)::bytea), club, pg_temp.uid('a', n), now, now, now + interval '30 days'
    from c, numbers`,
  deliveries: `
    insert into deliveries (club_id, id, name, free, created_at) select club, pg_temp.uid('c', 1), 'Violão', false, now from c`,
  enrollments: `
    insert into enrollments (club_id, id, student_id, delivery_id, source, starts_at, created_at)
    select club, pg_temp.uid('d', n), pg_temp.uid('a', n), pg_temp.uid('c', 1), 'grant', now - interval '90 days', now from c, numbers`,
  course: `
    insert into courses (club_id, id, public_id, title, position, created_at)
    select club, pg_temp.uid('e', 1), '${addresses.course}', 'Violão do zero', 1, now from c`,
  items: `
    insert into delivery_items (club_id, delivery_id, kind, item_id, position)
    select club, pg_temp.uid('c', 1), 'course', pg_temp.uid('e', 1), 1 from c`,
  modules: `
    insert into modules (club_id, id, course_id, title, position, created_at)
    select club, pg_temp.uid('f', n), pg_temp.uid('e', 1), 'Módulo ' || n, n, now from c, generate_series(1, ${modules}) n`,
  lessons: `
    insert into lessons (club_id, id, course_id, module_id, public_id, title, position, published_at, created_at)
    select club, pg_temp.uid('1', n), pg_temp.uid('e', 1), pg_temp.uid('f', 1 + (n - 1) * ${modules} / ${size.lessons}),
      'l' || n, 'Aula ' || n || ': ' || (array['${
    words.join("','")
  }'])[1 + n % ${words.length}], n, now - interval '90 days', now
    from c, generate_series(1, ${size.lessons}) n`,
  blocks: `
    insert into blocks (club_id, id, lesson_id, kind, position, title, body, created_at)
    select club, gen_random_uuid(), pg_temp.uid('1', n), 'text', p, case when p % 5 = 1 then 'Parte ' || p end,
      repeat('${paragraph}', 3), now
    from c, generate_series(1, ${size.lessons}) n,
      generate_series(1, case when n = 1 then ${size.blocks} else ${size.blocksOfLesson} end) p`,
  completions: `
    insert into lesson_completions (club_id, student_id, lesson_id, first_completed_at, completed_at)
    select club, pg_temp.uid('a', n), pg_temp.uid('1', 2 + p), now, now
    from c, numbers, generate_series(1, least(n, ${size.lessons - 2})) p`,
  pieces: `
    insert into material_chunks (club_id, lesson_id, id, course_id, source_kind, source_id, source_title, position, body)
    select club, pg_temp.uid('1', n), gen_random_uuid(), pg_temp.uid('e', 1), 'lesson', pg_temp.uid('1', n), 'Parte ' || p, p,
      'Aula ' || n || ' sobre ' || (array['${
    words.join("','")
  }'])[1 + (n + p) % ${words.length}] || '. ' || repeat('${paragraph}', 3)
    from c, generate_series(1, ${size.lessons}) n, generate_series(1, 4) p`,
  community: `update communities set published_at = (select now from c) where club_id = (select club from c)`,
  posts: `
    insert into posts (club_id, id, space_id, student_id, title, body, created_at)
    select club, pg_temp.uid('2', n), (select id from spaces where club_id = club order by position limit 1),
      pg_temp.uid('a', 1 + n % ${size.students}), 'Minha semana ' || n, repeat('${paragraph}', 1 + n % 3),
      now - interval '80 days' + n * interval '1 minute'
    from c, generate_series(1, ${size.posts}) n`,
  comments: `
    insert into comments (club_id, id, lesson_id, author, student_id, body, created_at)
    select club, pg_temp.uid('3', n), pg_temp.uid('1', 1 + n % 2), 'student', pg_temp.uid('a', 1 + n % ${size.students}),
      'Consegui!', now - interval '1 day' + n * interval '1 second'
    from c, generate_series(1, ${size.comments}) n`
}

/** Ids in the order of their numbers, and the token of a student's session. */
const helpers = [
  `create function pg_temp.uid(kind text, n integer) returns uuid language sql immutable return
    ('01900000-000' || kind || '-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`,
  `create function pg_temp.token(n integer) returns text language sql immutable return
    rtrim(translate(encode(sha256(n::text::bytea), 'base64'), '+/', '-_'), '=')`
]

const Seeded = Schema.Struct({ space: Schema.String, tokens: Schema.Array(Schema.String) })
const decodeSeeded = Schema.decodeUnknownEffect(Schema.Tuple([Seeded]))

/** Fills the actor's club. Answers the tokens of its students, and the space with the posts. */
export const seedSchool = Effect.fn("seedSchool")(function*({ organization_id }: Actor) {
  const sql = yield* SqlClient.SqlClient
  const now = DateTime.toDateUtc(yield* DateTime.now)
  const [seeded] = yield* sql.withTransaction(Effect.gen(function*() {
    for (const helper of helpers) yield* sql.unsafe(helper)
    yield* sql`
      create temporary table c on commit drop as
      select id as club, ${now}::timestamptz as now from clubs where organization_id = ${organization_id}`
    yield* sql`
      create temporary table numbers on commit drop as select n from generate_series(1, ${size.students}::int) n`
    for (const statement of Object.values(statements)) yield* sql.unsafe(statement)
    return yield* sql`
      select (select json_agg(pg_temp.token(n) order by n) from numbers) as tokens,
        (select id from spaces where club_id = club order by position limit 1) as space
      from c`.pipe(Effect.flatMap(decodeSeeded))
  }))
  yield* sql`vacuum (analyze)`
  yield* sql`checkpoint`
  return seeded
}, Effect.orDie)
