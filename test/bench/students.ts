// npm run bench:students: what a page of a club's students costs as the club grows.
import { NodeRuntime } from "@effect/platform-node"
import { PgClient } from "@effect/sql-pg"
import { Console, DateTime, Effect, Layer, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { SqlClient } from "effect/sql"
import { DeliveryId } from "../../src/catalog/Delivery.ts"
import { ClubId } from "../../src/clubs/Club.ts"
import { clientOptions } from "../../src/sql/Database.ts"
import { embeddedPostgres } from "../../src/sql/EmbeddedPostgres.ts"
import { migrate } from "../../src/sql/Migrations.ts"
import { floorOf } from "../../src/sql/Uuid7.ts"
import { type StudentQuery, StudentsRepo } from "../../src/students/StudentsRepo.ts"
import { postgresFolder } from "../support/Watchdog.ts"
import { PlatformLayer } from "./webhooks/Stand.ts"
import { met, percentile, spaced, table } from "./webhooks/tables.ts"

const sizes = [10_000, 1_000_000]
const aim = 1.5

/** Not counted: caches fill, statements are prepared. */
const warmUp = 20

const club_id = ClubId.make("00000000-0000-7000-8000-000000000001")
const everybodys = DeliveryId.make("00000000-0000-7000-9000-000000000001")
const few = DeliveryId.make("00000000-0000-7000-9000-000000000002")

const listed: ReadonlyArray<readonly [string, StudentQuery]> = [
  ["all", { limit: 25 }],
  ["search: common", { limit: 25, search: "silva" }],
  ["search: 1 of 300", { limit: 25, search: "antônia" }],
  ["search: rare", { limit: 25, search: "Zoroastro" }],
  ["search: nobody", { limit: 25, search: "xylofon" }],
  ["search: short", { limit: 25, search: "an" }],
  ["search: two words", { limit: 25, search: "silva bia" }],
  ["delivery of all", { limit: 25, delivery_id: everybodys }],
  ["delivery of 1 in 1000", { limit: 25, delivery_id: few }],
  ["active", { limit: 25, active: true }],
  ["not active", { limit: 25, active: false }],
  ["search and delivery", { limit: 25, search: "silva", delivery_id: few }]
]

/** Replaces everything by one club of this many students. The search index is made last, which is several times faster. */
const seed = Effect.fn("seed")(function*(count: number) {
  const sql = yield* SqlClient.SqlClient
  const now = yield* DateTime.now
  const at = sql`${DateTime.toDateUtc(now)}::timestamptz`
  const prefix = `${floorOf(now).slice(0, 13)}-7000-8000-`
  const id = (number: string) => sql.literal(`('${prefix}' || lpad(to_hex(${number}), 12, '0'))::uuid`)
  yield* sql`truncate clubs cascade`
  yield* sql`drop index if exists students_search_idx`
  yield* sql`
    insert into clubs (id, organization_id, name, slug, time_zone, locale, sign_up_open, created_at)
    values (${club_id}, gen_random_uuid(), 'Club', 'club', 'UTC', 'en', true, ${at})`
  yield* sql`
    insert into students (club_id, id, email, name, created_at)
    select ${club_id}::uuid, ${id("n")},
      n || '@' || (array['gmail.com', 'hotmail.com', 'uol.com.br'])[1 + n % 3],
      case when n % 250000 = 7 then 'Zoroastro' when n % 300 = 5 then 'Antônia'
        else (array['Ana', 'Bia', 'Caio', 'Dora', 'Eva', 'Gil', 'Íris', 'João', 'Lia', 'Rui'])[1 + (n / 7) % 10] end
      || ' ' || (array['Silva', 'Souza', 'Lima', 'Melo', 'Reis', 'Rocha', 'Nunes', 'Araújo'])[1 + (n / 3) % 8], ${at}
    from generate_series(0, ${count}::int - 1) n`
  yield* sql`create index students_search_idx on students using gin (club_id, search gin_trgm_ops)`
  yield* sql`
    insert into deliveries (club_id, id, name, free, created_at)
    select ${club_id}::uuid, id, 'Delivery', false, ${at} from unnest(array[${everybodys}::uuid, ${few}::uuid]) id`
  // Who has it for some time only has it no more.
  yield* sql`
    insert into enrollments (club_id, id, student_id, delivery_id, source, starts_at, expires_at, created_at)
    select ${club_id}::uuid, gen_random_uuid(), ${id("n")}, ${everybodys}::uuid, 'grant', ${at} - interval '2 days',
      case when n % 2 = 0 then ${at} - interval '1 day' end, ${at}
    from generate_series(0, ${count}::int - 1) n
    union all
    select ${club_id}::uuid, gen_random_uuid(), ${id("n")}, ${few}::uuid, 'grant', ${at}, null, ${at}
    from generate_series(0, ${count}::int - 1, 1000) n`
  yield* sql`vacuum (analyze) students`
  yield* sql`vacuum (analyze) enrollments`
  yield* sql`checkpoint`
  return id(String(Math.floor(count / 10)))
}, Effect.orDie)

const timed = Effect.fnUntraced(function*<A>(work: Effect.Effect<A>, rounds: number) {
  yield* Effect.replicateEffect(work, warmUp)
  const times: Array<number> = []
  for (let round = 0; round < rounds; round++) {
    const started = performance.now()
    yield* work
    times.push(performance.now() - started)
  }
  return percentile(times, 0.99)
})

/** p99 of the first page and of one that nine tenths of the students come before. */
const measureSize = Effect.fn("measureSize")(function*(count: number, rounds: number) {
  const repo = yield* StudentsRepo
  const sql = yield* SqlClient.SqlClient
  const deep = yield* seed(count)
  const [cursor] = yield* sql<{ id: string }>`select ${deep} as id`
  const before = Option.fromNullishOr(cursor?.id)
  return yield* Effect.forEach(listed, ([, query]) =>
    Effect.all([
      timed(repo.list(club_id, query, Option.none()), rounds),
      timed(repo.list(club_id, query, before), rounds)
    ]))
})

const report = (small: ReadonlyArray<readonly [number, number]>, large: typeof small) =>
  table(
    [
      "list",
      ...sizes.flatMap((size) => [`first, ${spaced(size)}`, `deep, ${spaced(size)}`]),
      "first ×",
      "deep ×",
      "aim"
    ],
    listed.map(([name], n) => {
      const [first, deep] = small[n] ?? [0, 0]
      const [largeFirst, largeDeep] = large[n] ?? [0, 0]
      const ratios = [largeFirst / first, largeDeep / deep]
      return [
        name,
        ...[first, deep, largeFirst, largeDeep].map((time) => time.toFixed(2)),
        ...ratios.map((ratio) => ratio.toFixed(2)),
        met(Math.max(...ratios) <= aim)
      ]
    })
  )

/** Room to fill tables fast. What is measured runs on the defaults otherwise. */
const roomy = { fsync: "off", max_wal_size: "16GB", maintenance_work_mem: "512MB" }

const measure = Effect.fn("measure")(function*({ rounds }: { readonly rounds: number }) {
  yield* Console.log(`p99 milliseconds of ${rounds} pages of 25 students.\n`)
  const database = yield* embeddedPostgres({ directory: `${yield* postgresFolder()}/postgres`, settings: roomy })
  const DatabaseLayer = Layer.effectDiscard(migrate()).pipe(
    Layer.provideMerge(PgClient.layer({ url: database, maxConnections: 2, ...clientOptions }))
  )
  const [small = [], large = []] = yield* Effect.forEach(sizes, (size) => measureSize(size, rounds)).pipe(
    Effect.provide(StudentsRepo.layer.pipe(Layer.provideMerge(DatabaseLayer)))
  )
  yield* Console.log(report(small, large))
}, Effect.scoped)

Command.make("bench:students", {
  rounds: Flag.Int("rounds").pipe(Flag.withDefault(200), Flag.withDescription("Pages of each kind that are timed"))
}, measure).pipe(Command.run({ version: "1" }), Effect.provide(PlatformLayer), NodeRuntime.runMain)
