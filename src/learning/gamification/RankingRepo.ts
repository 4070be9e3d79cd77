import { Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { StudentId } from "../../identity/ids/StudentId.ts"
import { one } from "../../platform/sql/Rows.ts"
import { Gamification } from "./Gamification.ts"
import { ladderColumn } from "./GamificationRepo.ts"
import type { RankingCursor, RankingPeriod } from "./Ranking.ts"

const RankedPage = Schema.Struct({
  enabled: Schema.Boolean,
  ranking_visible: Schema.Boolean,
  levels: Gamification.fields.levels,
  /** Whether there was what the page was to be read from. */
  is_ready: Schema.Boolean,
  rows: Schema.Array(Schema.Struct({
    student: Schema.Struct({ id: StudentId, name: Schema.String }),
    points: Schema.Int,
    total: Schema.Int
  })),
  own: Schema.Struct({ points: Schema.Int, total: Schema.Int, above: Schema.Int })
})
const decodePage = one(RankedPage)

interface RankingPageRequest {
  readonly period: RankingPeriod
  readonly now: Date
  /** Whether the points of 7 and 30 days are today's board, which is ready once it is laid, or the days added up. */
  readonly from: "board" | "days"
  readonly after: Option.Option<RankingCursor>
  readonly limit: number
  /** The student whose own points are read too; null for nobody. */
  readonly own: StudentId | null
}

const days = { "7d": 7, "30d": 30 } as const

/** The tables that the trigger `count_points` maintains. Reads the names of `students`. */
export class RankingRepo extends Context.Service<RankingRepo, {
  /**
   * A page with what it needs of its club, in one statement. The club's day is `now` in its time zone. `own.above`: how many
   * different numbers of points are above the student's, if any of theirs count.
   */
  page(
    club: { readonly id: ClubId; readonly time_zone: string },
    request: RankingPageRequest
  ): Effect.Effect<typeof RankedPage.Type>
}>()("turma/learning/gamification/RankingRepo") {
  static readonly layer = Layer.effect(
    RankingRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      /** What the points of a period are read from, and whether that is there. */
      const sourceOf = (
        { id: club_id, time_zone }: { readonly id: ClubId; readonly time_zone: string },
        { from, now, period }: RankingPageRequest
      ): { readonly ranking: Statement.Fragment; readonly isReady: Statement.Fragment } => {
        if (period === "all") {
          return {
            ranking: sql`not materialized (
              select student_id, total as points from point_totals where club_id = ${club_id} and ranked
            )`,
            isReady: sql`true`
          }
        }
        const today = sql`(${now}::timestamptz at time zone ${time_zone})::date`
        if (from === "days") {
          return {
            ranking: sql`materialized (
              select student_id, sum(points)::bigint as points from point_days
              where club_id = ${club_id} and day > ${today} - ${days[period]}::int group by student_id
            )`,
            isReady: sql`true`
          }
        }
        const points = period === "7d" ? sql`points_7d` : sql`points_30d`
        return {
          ranking: sql`not materialized (
            select student_id, ${points} as points from point_board_rows where club_id = ${club_id} and day = ${today}
          )`,
          isReady: sql`exists (
            select from point_boards b
            where b.club_id = g.club_id and b.day = ${today} and b.laid_at is not null and b.closed_at is null
          )`
        }
      }

      const page: RankingRepo["Service"]["page"] = (club, request) => {
        const { after, limit, own } = request
        const club_id = club.id
        const { isReady, ranking } = sourceOf(club, request)
        const below = Option.match(after, {
          onNone: () => sql`true`,
          onSome: ({ id, points }) => sql`(points, student_id) < (${points}::bigint, ${id}::uuid)`
        })
        const above = own === null ? sql`0` : sql`(
          select count(*) from (
            select from ranking where points > 0 and points > (select points from own where points > 0) group by points
          ) higher
        )`
        // Names and totals are looked up row by row: with a join, a generic plan would read all of them in a large
        // club.
        return sql`
          with ranking as ${ranking}, page as (
            select student_id, points from ranking where points > 0 and ${below}
            order by points desc, student_id desc limit ${limit}
          ), own as (
            select points from ranking where student_id = ${own}::uuid
          )
          select g.enabled, g.ranking_visible, ${ladderColumn(sql, sql`g.club_id`)} as levels, ${isReady} as is_ready,
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
            ) as own
          from gamification g where g.club_id = ${club_id}`.pipe(decodePage)
      }

      return RankingRepo.of({ page })
    })
  )
}
