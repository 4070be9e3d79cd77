import { randomUUIDv7 } from "node:crypto"
import type { ISql, Sql } from "postgres"
import { type Level, planLadder, type SentLevel } from "./Ladder.ts"

const actions = [
  "lesson_completed",
  "course_completed",
  "quiz_passed",
  "assignment_approved",
  "comment_posted",
  "post_published",
  "live_attended"
]

const dailyCaps: Record<string, number> = { comment_posted: 5, post_published: 5 }

interface Row {
  readonly enabled: boolean
  readonly ranking_visible: boolean
  readonly rules: ReadonlyArray<{ readonly action: string; readonly points: number }>
  readonly levels: ReadonlyArray<Level>
}

const bodyOf = ({ enabled, levels, ranking_visible, rules }: Row) => {
  const points = new Map(rules.map((rule) => [rule.action, rule.points]))
  return {
    enabled,
    ranking_visible,
    rules: actions.map((action) => ({
      action,
      points: points.get(action) ?? 0,
      daily_cap: dailyCaps[action] ?? null
    })),
    levels
  }
}

const read = async (sql: ISql, club_id: string): Promise<Row> => {
  const [row] = await sql<Array<Row>>`
    select g.enabled, g.ranking_visible,
      coalesce((
        select json_agg(json_build_object('action', r.action, 'points', r.points))
        from gamification_rules r where r.club_id = g.club_id
      ), '[]') as rules,
      (
        select json_agg(
          json_build_object('id', l.id, 'name', l.name, 'min_points', l.min_points) order by l.min_points
        )
        from levels l where l.club_id = g.club_id
      ) as levels
    from gamification g where g.club_id = ${club_id}`
  if (row === undefined) throw new Error("A club has no gamification")
  return row
}

const write = (sql: ISql, club_id: string, levels: ReadonlyArray<Level>) => {
  const ids = levels.map(({ id }) => id)
  return sql`
    with gone as (delete from levels where club_id = ${club_id} and id <> all(${ids}::uuid[]))
    insert into levels (club_id, id, name, min_points)
    select ${club_id}::uuid, sent.id, sent.name, sent.min_points
    from unnest(
      ${ids}::uuid[], ${levels.map(({ name }) => name)}::text[], ${levels.map(({ min_points }) => min_points)}::int[]
    ) as sent (id, name, min_points)
    on conflict (club_id, id) do update set name = excluded.name, min_points = excluded.min_points`
}

/** Reads in one statement. Writes in one transaction that locks the club's row. */
export const makeGamifications = (sql: Sql) => ({
  read: async (club_id: string) => bodyOf(await read(sql, club_id)),
  replaceLevels: (club_id: string, sent: ReadonlyArray<SentLevel>) =>
    sql.begin(async (transaction) => {
      await transaction`select club_id from gamification where club_id = ${club_id} for update`
      const current = await read(transaction, club_id)
      const levels = planLadder(current.levels, sent, randomUUIDv7)
      await write(transaction, club_id, levels)
      return bodyOf({ ...current, levels })
    })
})
