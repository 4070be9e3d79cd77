import type { Sql } from "postgres"
import { Refusal } from "./Refusal.ts"

export type Period = "7d" | "30d" | "all"

/** A place in the ranking of a period, with its position. */
interface Rung {
  readonly period: Period
  readonly points: number
  readonly id: string
  readonly position: number
}

interface Level {
  readonly id: string
  readonly name: string
  readonly min_points: number
}

interface Row {
  readonly enabled: boolean
  readonly ranking_visible: boolean
  readonly levels: ReadonlyArray<Level>
  readonly laid: boolean
  readonly rows: ReadonlyArray<{
    readonly student: { readonly id: string; readonly name: string }
    readonly points: number
    readonly total: number
  }>
  readonly own_points: number
  readonly own_total: number
  readonly above: number
}

interface Asked {
  readonly club_id: string
  readonly time_zone: string
  readonly period: Period
  readonly limit: number
  readonly cursor: string | undefined
  /** The student to look up in the ranking, too. */
  readonly own: string | null
}

const badCursor = () =>
  new Refusal(400, "invalid_cursor", "cursor must be the next_cursor of an earlier answer: leave it out to begin anew")
const hidden = () => new Refusal(404, "ranking_hidden", "The ranking is not shown to students")
const notLaid = () => new Refusal(503, "temporarily_unavailable", "The ranking of today is not ready")

const rungOf = ({ cursor, period }: Asked): Rung | undefined => {
  if (cursor === undefined) return undefined
  try {
    const rung: Rung = JSON.parse(Buffer.from(cursor, "base64url").toString())
    if (rung.period === period) return rung
  } catch {
    throw badCursor()
  }
  throw badCursor()
}

const levelOf = (levels: ReadonlyArray<Level>, total: number) =>
  levels.findLast(({ min_points }) => min_points <= Math.max(0, total))

const cursorAt = (rung: Rung) => Buffer.from(JSON.stringify(rung)).toString("base64url")

/** Numbers the rows densely from the place before on. */
const numbered = ({ levels, rows }: Row, before: Rung | undefined) => {
  let { points, position } = before ?? { points: Number.POSITIVE_INFINITY, position: 0 }
  return rows.map(({ total, ...row }) => {
    if (row.points !== points) position += 1
    points = row.points
    return { ...row, position, level: levelOf(levels, total) }
  })
}

/** Reads a page of the ranking in one statement, from the totals and boards that Turma maintains. */
export const makeRankings = (sql: Sql) => {
  const source = ({ club_id, period, time_zone }: Asked, now: Date) => {
    if (period === "all") {
      return sql`select student_id, total as points from point_totals where club_id = ${club_id} and ranked`
    }
    const points = period === "7d" ? sql`points_7d` : sql`points_30d`
    return sql`
      select student_id, ${points} as points from point_board_rows
      where club_id = ${club_id} and day = (${now}::timestamptz at time zone ${time_zone})::date`
  }

  // Looks up names and totals row by row: with a join, a plan for any club scans all rows of a large club.
  const read = async (asked: Asked, after: Rung | undefined) => {
    const { club_id, limit, own, period, time_zone } = asked
    const now = new Date()
    const below = after === undefined
      ? sql`true`
      : sql`(points, student_id) < (${after.points}::bigint, ${after.id}::uuid)`
    const [row] = await sql<Array<Row>>`
      with ranking as not materialized (${source(asked, now)}), page as (
        select student_id, points from ranking where points > 0 and ${below}
        order by points desc, student_id desc limit ${limit + 1}
      ), own as (select points from ranking where student_id = ${own}::uuid and points > 0)
      select g.enabled, g.ranking_visible, (
          select json_agg(json_build_object('id', l.id, 'name', l.name, 'min_points', l.min_points) order by l.min_points)
          from levels l where l.club_id = g.club_id
        ) as levels,
        exists (
          select from point_boards b
          where b.club_id = ${club_id} and b.day = (${now}::timestamptz at time zone ${time_zone})::date
            and b.laid_at is not null and b.closed_at is null
        ) as laid,
        coalesce((
          select json_agg(
            json_build_object(
              'student', json_build_object(
                'id', page.student_id,
                'name', (select s.name from students s where s.club_id = ${club_id} and s.id = page.student_id)
              ),
              'points', page.points,
              'total', (
                select t.total from point_totals t where t.club_id = ${club_id} and t.student_id = page.student_id
              )
            ) order by page.points desc, page.student_id desc
          )
          from page
        ), '[]') as rows,
        coalesce((select points from own), 0)::float8 as own_points,
        coalesce((select total from point_totals where club_id = ${club_id} and student_id = ${own}::uuid), 0)::float8
          as own_total,
        (select count(distinct points) from ranking where points > 0 and points > (select points from own))::int as above
      from gamification g where g.club_id = ${club_id}`
    if (row === undefined) throw new Error("A club has no gamification")
    if (period !== "all" && !row.laid) throw notLaid()
    return row
  }

  const pageOf = (row: Row, { limit, period }: Asked, after: Rung | undefined) => {
    const data = numbered({ ...row, rows: row.rows.slice(0, limit) }, after)
    const last = row.rows.length > limit ? data.at(-1) : undefined
    const next_cursor = last === undefined
      ? null
      : cursorAt({ period, points: last.points, id: last.student.id, position: last.position })
    return { data, next_cursor }
  }

  return {
    page: async (asked: Asked) => {
      const after = rungOf(asked)
      return pageOf(await read(asked, after), asked, after)
    },
    pageFor: async (asked: Asked) => {
      const after = rungOf(asked)
      const row = await read(asked, after)
      if (!row.enabled || !row.ranking_visible) throw hidden()
      const position = row.own_points > 0 ? row.above + 1 : null
      const me = { points: row.own_points, level: levelOf(row.levels, row.own_total), position }
      return { ...pageOf(row, asked, after), me }
    }
  }
}
