// npm run bench:students: the cost of a page of a club's students as the club grows.
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Console, DateTime, Effect, Layer, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { SqlClient } from "effect/sql"
import { ClubId } from "../../src/identity/ids/ClubId.ts"
import { DeliveryId } from "../../src/membership/catalog/Delivery.ts"
import { type StudentQuery, StudentsRepo } from "../../src/membership/students/StudentsRepo.ts"
import { connectionsLayer } from "../../src/platform/sql/Connections.ts"
import { migrate } from "../../src/platform/sql/Migrations.ts"
import { floorOf } from "../../src/platform/sql/Uuid7.ts"
import { newDatabase } from "./newDatabase.ts"
import { PlatformLayer } from "./platformLayer.ts"
import { sized } from "./sized.ts"
import { met, percentile, spaced, table } from "./webhooks/tables.ts"

const aim = 1.5

/** The moment of every row. */
const begun = DateTime.makeUnsafe("2026-03-02T12:00:00.000Z")

/** Rounds that do not count: caches fill, and connections prepare statements. */
const warmUp = sized(20, 1)

/** A club with this many students. `digit` marks the ids of its rows. */
interface Sized {
  readonly club_id: ClubId
  readonly digit: string
  readonly size: number
}

const clubOf = (digit: string, size: number): Sized => ({
  club_id: ClubId.make(`00000000-0000-7000-${digit}000-000000000000`),
  digit,
  size
})

const clubs: readonly [Sized, Sized] = [clubOf("8", sized(10_000, 100)), clubOf("9", sized(1_000_000, 1_000))]

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

/** Fills both clubs. The search index comes last, which is several times faster. */
const seed = Effect.fn("seed")(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`drop index students_search_idx`
  yield* Effect.forEach(clubs, fill, { discard: true })
  yield* sql`create index students_search_idx on students using gin (club_id, search gin_trgm_ops)`
  yield* sql`vacuum (analyze) students`
  yield* sql`vacuum (analyze) enrollments`
  yield* sql`checkpoint`
}, Effect.orDie)

/** The id of a club's student, by number. */
const idOf = ({ digit }: Sized, now: DateTime.Utc) => (number: string) =>
  `('${floorOf(now).slice(0, 13)}-7000-${digit}000-' || lpad(to_hex(${number}), 12, '0'))::uuid`

const fill = Effect.fn("fill")(function*(club: Sized) {
  const { club_id, digit, size } = club
  const sql = yield* SqlClient.SqlClient
  const at = sql`${DateTime.toDateUtc(begun)}::timestamptz`
  const id = (number: string) => sql.literal(idOf(club, begun)(number))
  yield* sql`
    insert into clubs (id, organization_id, name, slug, time_zone, locale, sign_up_open, created_at)
    values (${club_id}, gen_random_uuid(), 'Club', ${`club-${digit}`}, 'UTC', 'en', true, ${at})`
  yield* sql`
    insert into students (club_id, id, email, name, created_at)
    select ${club_id}::uuid, ${id("n")},
      n || '@' || (array['gmail.com', 'hotmail.com', 'uol.com.br'])[1 + n % 3],
      case when n % 250000 = 7 then 'Zoroastro' when n % 300 = 5 then 'Antônia'
        else (array['Ana', 'Bia', 'Caio', 'Dora', 'Eva', 'Gil', 'Íris', 'João', 'Lia', 'Rui'])[1 + (n / 7) % 10] end
      || ' ' || (array['Silva', 'Souza', 'Lima', 'Melo', 'Reis', 'Rocha', 'Nunes', 'Araújo'])[1 + (n / 3) % 8], ${at}
    from generate_series(0, ${size}::int - 1) n`
  yield* sql`
    insert into deliveries (club_id, id, name, free, created_at)
    select ${club_id}::uuid, id, 'Delivery', false, ${at} from unnest(array[${everybodys}::uuid, ${few}::uuid]) id`
  // The enrollments with an end have expired.
  yield* sql`
    insert into enrollments (club_id, id, student_id, delivery_id, source, starts_at, expires_at, created_at)
    select ${club_id}::uuid, gen_random_uuid(), ${id("n")}, ${everybodys}::uuid, 'grant', ${at} - interval '2 days',
      case when n % 2 = 0 then ${at} - interval '1 day' end, ${at}
    from generate_series(0, ${size}::int - 1) n
    union all
    select ${club_id}::uuid, gen_random_uuid(), ${id("n")}, ${few}::uuid, 'grant', ${at}, null, ${at}
    from generate_series(0, ${size}::int - 1, 1000) n`
})

/** The p99 of each work. They take turns. */
const timed = Effect.fnUntraced(function*<A>(works: ReadonlyArray<Effect.Effect<A>>, rounds: number) {
  yield* Effect.forEach(works, (work) => Effect.replicateEffect(work, warmUp))
  const times = works.map((): Array<number> => [])
  for (let round = 0; round < rounds; round++) {
    for (const [index, work] of works.entries()) {
      const started = performance.now()
      yield* work
      times[index]?.push(performance.now() - started)
    }
  }
  return times.map((all) => percentile(all, 0.99))
})

/** The page nine tenths down a club's list. */
const deepOf = Effect.fnUntraced(function*(club: Sized) {
  const sql = yield* SqlClient.SqlClient
  const [cursor] = yield* sql<{ id: string }>`
    select ${sql.literal(idOf(club, begun)(String(Math.floor(club.size / 10))))} as id`
  return Option.fromNullishOr(cursor?.id)
})

/** The p99 of the first page and of a deep page of each club, for each kind of list. */
const measureLists = Effect.fn("measureLists")(function*(rounds: number) {
  const repo = yield* StudentsRepo
  yield* seed()
  const pages = (yield* Effect.forEach(
    clubs,
    (club) =>
      Effect.map(deepOf(club), (deep) => [{ ...club, before: Option.none<string>() }, { ...club, before: deep }])
  )).flat()
  return yield* Effect.forEach(listed, ([, query]) =>
    timed(
      pages.map(({ before, club_id }) => repo.list(club_id, query, before)),
      rounds
    ))
})

const report = (measured: ReadonlyArray<ReadonlyArray<number>>) =>
  table(
    [
      "list",
      ...clubs.flatMap(({ size }) => [`first, ${spaced(size)}`, `deep, ${spaced(size)}`]),
      "first ×",
      "deep ×",
      "aim"
    ],
    listed.map(([name], n) => {
      const [first = 0, deep = 0, largeFirst = 0, largeDeep = 0] = measured[n] ?? []
      const ratios = [largeFirst / first, largeDeep / deep]
      return [
        name,
        ...[first, deep, largeFirst, largeDeep].map((time) => time.toFixed(2)),
        ...ratios.map((ratio) => ratio.toFixed(2)),
        met(Math.max(...ratios) <= aim)
      ]
    })
  )

/** Room to fill tables fast. All other settings have their defaults. */
const roomy = { fsync: "off", max_wal_size: "16GB", maintenance_work_mem: "512MB" }

const measure = Effect.fn("measure")(function*({ rounds }: { readonly rounds: number }) {
  yield* Console.log(`p99 milliseconds of ${rounds} pages of 25 students.\n`)
  const { database } = yield* newDatabase(roomy)
  const DatabaseLayer = Layer.effectDiscard(migrate())
    .pipe(Layer.provideMerge(connectionsLayer({ url: database, connections: 3 })))
  const measured = yield* Effect.provide(
    measureLists(rounds),
    StudentsRepo.layer.pipe(Layer.provideMerge(DatabaseLayer))
  )
  yield* Console.log(report(measured))
}, Effect.scoped)

Command.make("bench:students", {
  rounds: Flag.Int("rounds").pipe(
    Flag.withDefault(sized(200, 1)),
    Flag.withDescription("Pages of each kind that are timed")
  )
}, measure).pipe(Command.run({ version: "1" }), Effect.provide(PlatformLayer), NodeRuntime.runMain)
