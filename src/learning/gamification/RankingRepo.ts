import { Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { StudentId } from "../../identity/ids/StudentId.ts"
import { Gamification } from "./Gamification.ts"
import { ladderColumn } from "./GamificationRepo.ts"
import type { RankingPeriod, Rung } from "./Ranking.ts"

/** What every page needs to know of its club. `today` is a date, `laid` whether its board is ready to be read. */
const Frame = Schema.Struct({
  enabled: Schema.Boolean,
  ranking_visible: Schema.Boolean,
  levels: Gamification.fields.levels,
  today: Schema.String,
  laid: Schema.Boolean
})
const decodeFrames = Schema.decodeUnknownEffect(Schema.Array(Frame))

const Ranked = Schema.Struct({
  rows: Schema.Array(Schema.Struct({
    student: Schema.Struct({ id: StudentId, name: Schema.String }),
    points: Schema.Int,
    total: Schema.Int
  })),
  own: Schema.Struct({ points: Schema.Int, total: Schema.Int, above: Schema.Int })
})
const decodeRanked = Schema.decodeUnknownEffect(Schema.Tuple([Ranked]))

interface Asked {
  readonly period: RankingPeriod
  readonly today: string
  readonly laid: boolean
  readonly after: Option.Option<Rung>
  readonly limit: number
  /** Whose own points are asked for, too. */
  readonly own: StudentId | null
}

const days = { "7d": 7, "30d": 30 } as const

/** The tables that `count_points` keeps. Of `students` it asks the names. */
export class RankingRepo extends Context.Service<RankingRepo, {
  /** One statement. `now` in the club's time zone is its day. */
  frame(club: { readonly id: ClubId; readonly time_zone: string }, now: Date): Effect.Effect<typeof Frame.Type>
  /** One statement. `own.above`: how many different numbers of points are above the student's, if any of theirs count. */
  page(club_id: ClubId, asked: Asked): Effect.Effect<typeof Ranked.Type>
}>()("turma/gamification/RankingRepo") {
  static readonly layer = Layer.effect(
    RankingRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const frame = Effect.fn("RankingRepo.frame")(
        function*({ id, time_zone }: { readonly id: ClubId; readonly time_zone: string }, now: Date) {
          const rows = yield* sql`
            select g.enabled, g.ranking_visible, ${ladderColumn(sql, sql`g.club_id`)} as levels, local.today::text,
              exists (
                select from point_boards b
                where b.club_id = g.club_id and b.day = local.today and b.laid_at is not null and b.closed_at is null
              ) as laid
            from gamification g cross join (select (${now}::timestamptz at time zone ${time_zone})::date as today) local
            where g.club_id = ${id}`
          const [found] = yield* decodeFrames(rows)
          return found ?? (yield* Effect.die(new Error("A club without gamification")))
        },
        Effect.orDie
      )

      // Until today's board is laid, the days themselves are added up, once: the same numbers, only slower.
      const ranking = (club_id: ClubId, { laid, period, today }: Asked): Statement.Fragment => {
        if (period === "all") {
          return sql`not materialized (
            select student_id, total as points from point_totals where club_id = ${club_id} and ranked
          )`
        }
        if (!laid) {
          return sql`materialized (
            select student_id, sum(points)::bigint as points from point_days
            where club_id = ${club_id} and day > ${today}::date - ${days[period]}::int group by student_id
          )`
        }
        const points = period === "7d" ? sql`points_7d` : sql`points_30d`
        return sql`not materialized (
          select student_id, ${points} as points from point_board_rows where club_id = ${club_id} and day = ${today}::date
        )`
      }

      const page = Effect.fn("RankingRepo.page")(function*(club_id: ClubId, asked: Asked) {
        const { after, limit, own } = asked
        const below = Option.match(after, {
          onNone: () => sql`true`,
          onSome: ({ id, points }) => sql`(points, student_id) < (${points}::bigint, ${id}::uuid)`
        })
        const above = own === null ? sql`0` : sql`(
          select count(*) from (
            select from ranking where points > 0 and points > (select points from own where points > 0) group by points
          ) higher
        )`
        // Names and totals are looked up row by row: joined, a plan made for any club would scan all of a large one.
        const rows = yield* sql`
          with ranking as ${ranking(club_id, asked)}, page as (
            select student_id, points from ranking where points > 0 and ${below}
            order by points desc, student_id desc limit ${limit}
          ), own as (
            select points from ranking where student_id = ${own}::uuid
          )
          select
            coalesce((
              select json_agg(
                json_build_object(
                  'student', json_build_object('id', page.student_id, 'name', (
                    select s.name from students s where s.club_id = ${club_id} and s.id = page.student_id
                  )),
                  'points', page.points,
                  'total', (
                    select t.total from point_totals t where t.club_id = ${club_id} and t.student_id = page.student_id
                  )
                ) order by page.points desc, page.student_id desc
              )
              from page
            ), '[]') as rows,
            json_build_object(
              'points', coalesce((select points from own), 0),
              'total', coalesce(
                (select total from point_totals where club_id = ${club_id} and student_id = ${own}::uuid), 0
              ),
              'above', ${above}
            ) as own`
        const [found] = yield* decodeRanked(rows)
        return found
      }, Effect.orDie)

      return RankingRepo.of({ frame, page })
    })
  )
}
