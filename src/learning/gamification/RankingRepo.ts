import { Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { StudentId } from "../../identity/ids/StudentId.ts"
import { MadeJson } from "../../platform/http/json/MadeJson.ts"
import { mostOnPage, usualPage } from "../../platform/http/Page.ts"
import { one } from "../../platform/sql/Rows.ts"
import { levelArrays, levelAt } from "./GamificationRepo.ts"
import type { RankingCursor } from "./Ranking.ts"
import { type RankingChoice, rankingSource } from "./RankingSource.ts"

const RankedPage = Schema.Struct({
  enabled: Schema.Boolean,
  ranking_visible: Schema.Boolean,
  /** True if the source of the page existed. */
  is_ready: Schema.Boolean,
  entries: MadeJson,
  /** The last entry's place, if more come after it. */
  last: Schema.NullOr(Schema.Struct({ points: Schema.Int, id: StudentId, position: Schema.Int })),
  me: MadeJson
})
const decodePage = one(RankedPage)

interface RankingPageRequest extends RankingChoice {
  readonly after: Option.Option<RankingCursor>
  readonly limit: number
  /** The student whose own rank is read too; null for nobody. */
  readonly own: StudentId | null
}

/** Reads what the trigger `count_points` maintains, with the names of `students`. */
export class RankingRepo extends Context.Service<RankingRepo, {
  /**
   * A page with the data that it needs of its club, in one statement. `entries` is the JSON of a list of
   * `RankingEntry`. `me` is the JSON of the student's `OwnRank`, `null` without a student.
   */
  page(request: RankingPageRequest): Effect.Effect<typeof RankedPage.Type>
}>()("turma/learning/gamification/RankingRepo") {
  static readonly layer = Layer.effect(
    RankingRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      // With the limit as a parameter, each statement would be planned anew, which takes as long as running it. With a
      // text for each limit, the server would keep a plan for each. So pages are read in two sizes and shortened.
      const readRows = (limit: number) => sql.literal(String((limit <= usualPage ? usualPage : mostOnPage) + 1))

      /** The rows of the ranking after the cursor. Equal points have the same position, and the next fewer the next one. */
      const placed = ({ after, limit }: RankingPageRequest) => {
        const { before, below } = Option.match(after, {
          onNone: () => ({ below: sql`true`, before: sql`0` }),
          onSome: ({ id, points, position }) => ({
            below: sql`(points, student_id) < (${points}::bigint, ${id}::uuid)`,
            before: sql`
              ${position}::bigint - (first_value(points) over (order by points desc) = ${points}::bigint)::int`
          })
        })
        return sql`
          select student_id, points, row_number() over (order by points desc, student_id desc) as place,
            dense_rank() over (order by points desc) + ${before} as position
          from (
            select student_id, points from ranking where points > 0 and ${below}
            order by points desc, student_id desc limit ${readRows(limit)}
          ) page`
      }

      /**
       * The number of different points from the student's own upwards, in parts; no row for a student who does not
       * count. An index leads from each number of points to the next, past all students with the same points. The more
       * different points a step has found, the more rows the next step reads. So a club without equal points takes few
       * steps.
       */
      const upwards = (isOrdered: boolean): Statement.Fragment =>
        isOrdered
          ? sql`
            select points, 1::bigint as different from own where points > 0
            union all
            select next.points, next.different
            from upwards cross join lateral (
              select max(above.points) as points, count(distinct above.points) as different
              from (
                select r.points from ranking r where r.points > 0 and r.points > upwards.points
                order by r.points limit least(16 * upwards.different, 512)
              ) above
            ) next
            where next.points is not null`
          : sql`
            select own.points, 1 + (
              select count(distinct r.points) from ranking r where r.points > own.points
            ) as different
            from own where own.points > 0`

      const meOf = ({ club: { id: club_id }, own }: RankingPageRequest) => {
        if (own === null) return sql`'null'`
        const total = sql`coalesce((
              select t.total from point_totals t where t.club_id = ${club_id} and t.student_id = ${own}::uuid
            ), 0)`
        const level = levelAt(sql, total)
        return sql`(
            select concat('{"points":', coalesce((select points from own), 0), ',"level":', ${level},
              ',"position":', coalesce((select sum(different) from upwards)::text, 'null'), '}')
            from ladder
          )`
      }

      // Names and totals are looked up row by row: with a join, a generic plan would read all of them in a large club.
      const entryOf = (club_id: ClubId) => {
        const name = sql`(
                  select to_json(s.name) from students s where s.club_id = ${club_id} and s.id = placed.student_id
                )`
        const total = sql`(
                  select t.total from point_totals t where t.club_id = ${club_id} and t.student_id = placed.student_id
                )`
        const level = levelAt(sql, total)
        return sql`
                concat('{"student":{"id":"', placed.student_id, '","name":', ${name}, '},"points":', placed.points,
                  ',"level":', ${level}, ',"position":', placed.position, '}')`
      }

      const page: RankingRepo["Service"]["page"] = (request) => {
        const { club: { id: club_id }, limit, own } = request
        const { isOrdered, isReady, ranking } = rankingSource(sql, request)
        return sql`
          with recursive ranking as ${ranking}, ladder as (${levelArrays(sql, club_id)}), placed as (
          ${placed(request)}),
          own as (select points from ranking where student_id = ${own}::uuid), upwards as (${upwards(isOrdered)})
          select g.enabled, g.ranking_visible, ${isReady} as is_ready, listed.entries, listed.last,
            ${meOf(request)} as me
          from gamification g cross join (
            select
              concat('[', string_agg(${entryOf(club_id)}, ',' order by placed.place)
                filter (where placed.place <= ${limit}::bigint), ']') as entries,
              case when count(*) > ${limit}::bigint then json_agg(
                json_build_object('points', placed.points, 'id', placed.student_id, 'position', placed.position)
              ) filter (where placed.place = ${limit}::bigint) -> 0 end as last
            from placed cross join ladder where placed.place <= ${limit}::bigint + 1
          ) listed
          where g.club_id = ${club_id}`.pipe(decodePage)
      }

      return RankingRepo.of({ page })
    })
  )
}
