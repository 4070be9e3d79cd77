import { assert, layer } from "@effect/vitest"
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { type StudentQuery, StudentsRepo } from "../../../src/membership/students/StudentsRepo.ts"
import { afterCursor, pageOf } from "../../../src/platform/http/Page.ts"
import { floorOf } from "../../../src/platform/sql/Uuid7.ts"
import { makeCatalogDelivery, makeClub } from "../../harness/Makers.ts"
import { PostgresLayer } from "../../harness/Postgres.ts"
import { vacuumed } from "../../harness/Vacuumed.ts"

/** From the oldest to the newest. The newest 30 000 have no Prado among them, and all others are older. */
const people = [{ name: "Zoroastro", count: 3 }, { name: "Íris Prado", count: 10_500 }, {
  name: "Ana Silva",
  count: 30_000
}]

const makeLarge = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const now = yield* DateTime.now
  const at = DateTime.toDateUtc(now)
  const club = yield* makeClub()
  const [all, few] = [yield* makeCatalogDelivery(club), yield* makeCatalogDelivery(club)]
  const id = (number: string) =>
    sql.literal(`('${floorOf(now).slice(0, 13)}-7000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`)
  let total = 0
  for (const { count, name } of people) {
    yield* sql`
      insert into students (club_id, id, email, name, created_at)
      select ${club.id}::uuid, ${id("n")}, n || '@many.example', ${name}, ${at}
      from generate_series(${total}::int, ${total + count - 1}::int) n`
    total += count
  }
  // The three oldest have both deliveries. For all others, access to the first one has ended.
  yield* sql`
    insert into enrollments (club_id, id, student_id, delivery_id, source, starts_at, expires_at, created_at)
    select s.club_id, gen_random_uuid(), s.id, ${all.id}::uuid, 'grant', ${new Date(-2)},
      case when s.name <> 'Zoroastro' then ${new Date(-1)}::timestamptz end, ${at}
    from students s where s.club_id = ${club.id}
    union all
    select s.club_id, gen_random_uuid(), s.id, ${few.id}::uuid, 'grant', ${at}, null, ${at}
    from students s where s.club_id = ${club.id} and s.name = 'Zoroastro'`
  yield* vacuumed("students", "enrollments")
  return { club, all, few }
})

/** A club with 40 503 students. */
class Large extends Context.Service<Large, Effect.Success<typeof makeLarge>>()("test/Large") {
  static readonly layer = Layer.effect(Large, makeLarge).pipe(
    Layer.provideMerge(StudentsRepo.layer),
    Layer.provideMerge(PostgresLayer)
  )
}

type Filter = Omit<StudentQuery, "limit">

/** The page from this cursor on, and the number of rows that it read. */
const page = Effect.fnUntraced(function*(filter: Filter, cursor?: string) {
  const sql = yield* SqlClient.SqlClient
  const repo = yield* StudentsRepo
  const { club } = yield* Large
  const read = Effect.map(
    sql<{ read: string }>`
      select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::text as read from pg_stat_xact_user_tables
      where relname in ('students', 'enrollments')`,
    (rows) => Number(rows[0]?.read)
  )
  return yield* sql.withTransaction(Effect.gen(function*() {
    const before = yield* read
    const { read_to, students } = yield* repo.list(club.id, { ...filter, limit: 25 }, yield* afterCursor(cursor))
    return { ...pageOf(students, 25, read_to), rows: (yield* read) - before }
  }))
})

/** The names on all pages, the number of pages, and the most rows that one page read. */
const pages = Effect.fnUntraced(function*(filter: Filter, atMost = 6) {
  const names: Array<string> = []
  let [cursor, rows, count]: [string | undefined, number, number] = [undefined, 0, 0]
  do {
    const answer: Effect.Success<ReturnType<typeof page>> = yield* page(filter, cursor)
    names.push(...answer.data.map(({ name }) => name))
    rows = Math.max(rows, answer.rows)
    cursor = answer.next_cursor ?? undefined
    count++
  } while (cursor !== undefined && count < atMost)
  return { names, rows, count }
})

/** The cursor of the page after the first 30 000 students. */
const deep = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const { club } = yield* Large
  const [row] = yield* sql<{ id: string }>`
    select id from students where club_id = ${club.id} order by id desc offset 29999 limit 1`
  const { next_cursor } = pageOf([{ id: row?.id ?? "" }, { id: "" }], 1)
  return Option.getOrThrow(Option.fromNullishOr(next_cursor))
})

layer(Large.layer)("In a club with many students", (it) => {
  it.effect("a page of all reads its own rows, and a deep one no more", () =>
    Effect.gen(function*() {
      const [first, later] = [yield* page({}), yield* page({}, yield* deep)]
      assert.isAtMost(first.rows, 30)
      assert.isAtMost(later.rows, 30)
      assert.strictEqual(later.data[0]?.name, "Íris Prado")
    }))

  it.effect("common words are found among the newest", () =>
    Effect.gen(function*() {
      const { data, rows } = yield* page({ search: "silva ana" })
      assert.strictEqual(data.length, 25)
      assert.isAtMost(rows, 2100)
    }))

  it.effect("rare words are found by the index, wherever they stand", () =>
    Effect.gen(function*() {
      const { count, names, rows } = yield* pages({ search: "zóroastro" })
      assert.deepStrictEqual([names, count], [["Zoroastro", "Zoroastro", "Zoroastro"], 1])
      assert.isAtMost(rows, 2100)
    }))

  it.effect("a word that nobody has costs no more", () =>
    Effect.gen(function*() {
      const { count, names, rows } = yield* pages({ search: "xylofon" })
      assert.deepStrictEqual([names, count], [[], 1])
      assert.isAtMost(rows, 2100)
    }))

  it.effect("a word that too many have, none of them new, is found page by page, each of them bounded", () =>
    Effect.gen(function*() {
      const first = yield* page({ search: "iris" })
      assert.deepStrictEqual(first.data, [])
      const { names, rows } = yield* pages({ search: "iris" }, 4)
      assert.isAtLeast(names.length, 25)
      assert.deepStrictEqual(new Set(names), new Set(["Íris Prado"]))
      assert.isAtMost(rows, 23_000)
    }))

  it.effect("a short word is looked for page by page, each of them bounded", () =>
    Effect.gen(function*() {
      const { count, names, rows } = yield* pages({ search: "zo" })
      assert.deepStrictEqual([names, count], [["Zoroastro", "Zoroastro", "Zoroastro"], 5])
      assert.isAtMost(rows, 10_100)
    }))

  it.effect("many words are compared with the fewer students, and the page goes on from there", () =>
    Effect.gen(function*() {
      // Every word except the last is in every name or address of the newest students.
      const { data, next_cursor, rows } = yield* page({ search: "a i l n s v @ . m x p e y ~" })
      const many = yield* page({ search: [..."abcdefghijklmnopqrstuvwxyz0123456789@.~"].join(" ") })
      assert.deepStrictEqual([data, many.data], [[], []])
      assert.isNotNull(next_cursor)
      assert.isNotNull(many.next_cursor)
      assert.isAtMost(rows, 10_100)
      assert.isAtMost(many.rows, 2700)
    }))

  it.effect("who has a delivery is found by its own index, few or all of them", () =>
    Effect.gen(function*() {
      const { all, few } = yield* Large
      for (const filter of [{ delivery_id: all.id }, { delivery_id: few.id }]) {
        const [first, later] = [yield* page(filter), yield* page(filter, yield* deep)]
        assert.isAtMost(first.rows, 60)
        assert.isAtMost(later.rows, 60)
      }
      assert.strictEqual((yield* pages({ delivery_id: few.id })).names.length, 3)
    }))

  it.effect("who is active, or not, is found page by page, each of them bounded", () =>
    Effect.gen(function*() {
      const { all } = yield* Large
      for (const filter of [{ active: true }, { active: true, delivery_id: all.id }]) {
        const { count, names, rows } = yield* pages(filter, 12)
        assert.deepStrictEqual([names, count], [["Zoroastro", "Zoroastro", "Zoroastro"], 11])
        assert.isAtMost(rows, 16_000)
      }
      assert.isAtMost((yield* page({ active: false })).rows, 100)
    }))

  // With an index on ids alone, the planner would read a small club's students past those of all other clubs.
  it.effect("has no index of ids alone", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql<{ indexdef: string }>`select indexdef from pg_indexes where tablename = 'students'`
      assert.isAbove(rows.length, 1)
      for (const { indexdef } of rows) assert.match(indexdef, /\(club_id, /)
    }))
})
