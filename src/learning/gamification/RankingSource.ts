import type { SqlClient, Statement } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { RankingPeriod } from "./Ranking.ts"

/** Which ranking of a club is read. The club's day is `now` in its time zone. */
export interface RankingChoice {
  readonly club: { readonly id: ClubId; readonly time_zone: string }
  readonly period: RankingPeriod
  readonly now: Date
  /** The source of the points of 7 and 30 days: today's board, once it is ready, or the sum of the days. */
  readonly from: "board" | "days"
}

/** The source of a ranking. */
interface RankingSource {
  /** A common table expression of `student_id` and `points`, from `as` on. */
  readonly ranking: Statement.Fragment
  /** True if the source exists, in a statement where `g` is the club's `gamification`. */
  readonly isReady: Statement.Fragment
  /** True if an index has it in the order of points. */
  readonly isOrdered: boolean
}

const days = { "7d": 7, "30d": 30 } as const

/** The tables that the trigger `count_points` maintains. */
export const rankingSource = (
  sql: SqlClient.SqlClient,
  { club: { id: club_id, time_zone }, from, now, period }: RankingChoice
): RankingSource => {
  if (period === "all") {
    return {
      ranking: sql`not materialized (
        select student_id, total as points from point_totals where club_id = ${club_id} and ranked
      )`,
      isReady: sql`true`,
      isOrdered: true
    }
  }
  const today = sql`(${now}::timestamptz at time zone ${time_zone})::date`
  if (from === "days") {
    return {
      ranking: sql`materialized (
        select student_id, sum(points)::bigint as points from point_days
        where club_id = ${club_id} and day > ${today} - ${days[period]}::int group by student_id
      )`,
      isReady: sql`true`,
      isOrdered: false
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
    )`,
    isOrdered: true
  }
}
