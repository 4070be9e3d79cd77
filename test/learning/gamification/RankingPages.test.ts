import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Gamifications } from "../../../src/learning/gamification/Gamifications.ts"
import { levelOf } from "../../../src/learning/gamification/Ladder.ts"
import { RankingPeriod } from "../../../src/learning/gamification/Ranking.ts"
import { uuids } from "../../../src/platform/sql/Arrays.ts"
import { makeStudent } from "../../harness/Makers.ts"
import { touchedBy } from "../../harness/PagesRead.ts"
import { vacuumed } from "../../harness/Vacuumed.ts"
import {
  type AskedClub,
  layBoards,
  modelled,
  openClassroom,
  ownRankingPage,
  rankingPage,
  RankingsLayer,
  wholeRanking
} from "./Classroom.ts"
import { ladderOf } from "./OpenClub.ts"
import { ownRankIn, rankedBy, type Scored } from "./RankingModel.ts"

/** Levels up to the highest possible start. */
const minPoints = [0, 40, 90, 2_147_483_647]
const Sum = Schema.Literals([
  -3_000_000_000,
  -1,
  0,
  1,
  39,
  40,
  40,
  41,
  89,
  90,
  90,
  90,
  91,
  2_147_483_646,
  2_147_483_647,
  2_147_483_648,
  9_007_199_254_740_991
])
const Sums = Schema.Struct({ "7d": Sum, "30d": Sum, all: Sum })

/** Gives students these points: writes the totals and boards that a ledger with them would have. */
const give = Effect.fnUntraced(function*(
  { id: club_id }: AskedClub,
  given: ReadonlyArray<{ readonly id: string; readonly sums: typeof Sums.Type }>
) {
  const sql = yield* SqlClient.SqlClient
  const sent = sql`
    unnest(
      ${uuids(given.map(({ id }) => id))},
      ${given.map(({ sums }) => String(sums["7d"]))}::text[]::bigint[],
      ${given.map(({ sums }) => String(sums["30d"]))}::text[]::bigint[],
      ${given.map(({ sums }) => String(sums.all))}::text[]::bigint[]
    ) as sent (id, week, month, total)`
  yield* sql`
    insert into point_totals (club_id, student_id, total) select ${club_id}::uuid, sent.id, sent.total from ${sent}`
  yield* layBoards
  yield* sql`
    insert into point_board_rows (club_id, day, student_id, points_7d, points_30d)
    select b.club_id, b.day, sent.id, sent.week, sent.month from point_boards b cross join ${sent}
    where b.club_id = ${club_id}`
})

layer(RankingsLayer)("A page of the ranking, which PostgreSQL writes,", (it) => {
  it.effect.prop(
    "is what the rules of positions and levels make of any points, for each who asks",
    {
      all: Schema.Array(Sums).check(Schema.isBetweenLength(1, 8)),
      limit: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 4 }))
    },
    Effect.fnUntraced(function*({ all, limit }) {
      const { club, students } = yield* openClassroom({ students: all.length + 1 })
      yield* Gamifications.use((gamifications) => gamifications.replaceLevels(club.id, ladderOf(...minPoints)))
      // The last student has no points, and so no row.
      const given = all.map((sums, n) => ({ id: students[n]?.id ?? "", sums }))
      yield* give(club, given)
      for (const period of RankingPeriod.literals) {
        const scored = given.map(({ id, sums }): Scored => ({ id, points: sums[period], total: sums.all }))
        const entries = yield* wholeRanking(club, period, limit)
        assert.deepStrictEqual<unknown>(entries.map(modelled), rankedBy(scored, minPoints), period)
        const first = yield* rankingPage(club, { period, limit })
        for (const { id } of students) {
          const { me, ...page } = yield* ownRankingPage(club, id, { period, limit })
          assert.deepStrictEqual(page, first)
          const own = { ...me, level: me.level.min_points }
          assert.deepStrictEqual<unknown>(own, ownRankIn(scored, minPoints, id), period)
        }
      }
    }),
    { arbitrary: { runs: 60 } }
  )

  it.effect("has the level that the rule has, whatever is said in its name or a student's", () =>
    Effect.gen(function*() {
      const odd = "\"\\\t\u0001\u007f\u2028 </script> 'é' \u{1F3B8},"
      const { club, owner, student } = yield* openClassroom()
      const sql = yield* SqlClient.SqlClient
      yield* sql`update students set name = ${odd} where club_id = ${club.id} and id = ${student.id}`
      const levels = yield* Gamifications.use((gamifications) =>
        Effect.andThen(
          gamifications.replaceLevels(club.id, [{ name: odd, min_points: 0 }, { name: `${odd}!`, min_points: 40 }]),
          gamifications.read(club.id)
        )
      ).pipe(Effect.map((gamification) => gamification.levels))
      yield* sql`
        insert into point_entries (club_id, id, student_id, action, origin_id, points, reason, actor_user_id, created_at)
        values (${club.id}, gen_random_uuid(), ${student.id}, 'adjustment', gen_random_uuid(), 41, 'a', ${owner.id},
          ${new Date(0)})`
      const level = levelOf(levels, 41)
      const entry = { student: { id: student.id, name: odd }, points: 41, level, position: 1 }
      const asked = { period: "all", limit: 25 } as const
      assert.deepStrictEqual(yield* rankingPage(club, asked), { data: [entry], next_cursor: null })
      const me = { points: 41, level, position: 1 }
      assert.deepStrictEqual(yield* ownRankingPage(club, student.id, asked), { data: [entry], me, next_cursor: null })
    }))
})

/** Many students with the same points, then few with the same, then all with different points, in turn. */
const pointsOf = (n: number) => {
  if (n < 700) return 5
  if (n < 760) return n % 2 === 0 ? 6 : 7
  if (n < 1400) return n
  if (n < 1500) return 2000 + Math.floor(n / 17)
  return 3000 + Math.floor(n / 8)
}

layer(RankingsLayer)("A student's position", (it) => {
  it.effect("is right however many are above, with equal points or with others, from boards, totals and days", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { club, owner } = yield* openClassroom()
      const students = yield* Effect.replicateEffect(makeStudent(club), 1800)
      const scored = students.map(({ id }, n): Scored => ({ id, points: pointsOf(n), total: pointsOf(n) }))
      yield* sql`
        insert into point_entries (club_id, id, student_id, action, origin_id, points, reason, actor_user_id, created_at)
        select ${club.id}::uuid, gen_random_uuid(), sent.id, 'adjustment', gen_random_uuid(), sent.points, 'a',
          ${owner.id}::uuid, ${new Date(0)}
        from unnest(${uuids(scored.map(({ id }) => id))}, ${scored.map(({ points }) => points)}::int[])
          as sent (id, points)`
      const asking = students.filter((_, n) => n % 71 === 0 || n % 100 === 99)
      const check = Effect.fnUntraced(function*(period: RankingPeriod) {
        for (const { id } of asking) {
          const { me } = yield* ownRankingPage(club, id, { period, limit: 1 })
          assert.deepStrictEqual<unknown>({ ...me, level: me.level.min_points }, ownRankIn(scored, [0, 100, 300], id))
        }
      })
      yield* check("all")
      yield* check("30d")
      yield* layBoards
      yield* check("30d")
    }))
})

/** A student below 40,000 others, who share a few values of points. */
const makeCrowd = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const { club, student } = yield* openClassroom()
  yield* sql`
    insert into students (club_id, id, email, name, created_at)
    select ${club.id}::uuid, gen_random_uuid(), 'm' || n || '@many.example', 'Many', ${new Date(0)}
    from generate_series(1, 40000) n`
  yield* sql`
    insert into point_totals (club_id, student_id, total)
    select club_id, id, case when name = 'Many' then 10 + ascii(id::text) % 3 else 5 end from students
    where club_id = ${club.id}`
  yield* vacuumed("point_totals")
  return ownRankingPage(club, student.id, { period: "all", limit: 1 })
})

layer(RankingsLayer)("A page with one's own rank, in a large club,", (it) => {
  it.effect("is read without a look at all who are above, by a plan that is made once", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const page = yield* makeCrowd
      const [{ me }, { indexPages, tablePages }] = yield* touchedBy(page, /upwards/)
      assert.strictEqual(me.position, 4)
      // All of their rows take more than 200 pages of the index.
      assert.isBelow(indexPages + tablePages, 160)
      // PostgreSQL plans the first five runs on a connection for their own values.
      const [made] = yield* sql.withTransaction(Effect.andThen(
        Effect.replicateEffect(page, 20),
        sql`
          select custom_plans <= 5 and generic_plans >= 15 as once from pg_prepared_statements
          where statement like '%recursive ranking%' and statement not like '%pg_prepared_statements%'`
      ))
      assert.deepStrictEqual<unknown>(made, { once: true })
    }))
})
