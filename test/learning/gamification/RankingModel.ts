import { DateTime } from "effect"

/** A line of the ledger with the fields that rankings need. */
export interface Line {
  readonly student_id: string
  readonly points: number
  /** The club's day at the time of the entry. */
  readonly day: string
}

/** The current day in a time zone. */
export const localDay = (now: DateTime.Utc, time_zone: string): string =>
  DateTime.formatIsoDate(DateTime.setZoneNamedUnsafe(now, time_zone))

const daysBefore = (day: string, days: number): string =>
  DateTime.formatIsoDateUtc(DateTime.subtract(DateTime.makeUnsafe(`${day}T00:00:00Z`), { days }))

const sumOf = (lines: ReadonlyArray<Line>, student_id: string) =>
  lines.filter((line) => line.student_id === student_id).reduce((sum, { points }) => sum + points, 0)

/** The level by its definition: the highest one whose `min_points` the total reaches, otherwise the first. */
const levelAt = (minPoints: ReadonlyArray<number>, total: number) =>
  Math.max(0, ...minPoints.filter((from) => from <= total))

/** A student with the points of a period and the total points. */
export interface Scored {
  readonly id: string
  readonly points: number
  readonly total: number
}

/** The ranking by its definition. `level` is the level's `min_points`. */
export const rankedBy = (students: ReadonlyArray<Scored>, minPoints: ReadonlyArray<number>) => {
  const ranked = students
    .filter(({ points }) => points > 0)
    .toSorted((a, b) => b.points - a.points || (a.id < b.id ? 1 : -1))
  const different = [...new Set(ranked.map(({ points }) => points))]
  return ranked.map(({ id, points, total }) => ({
    id,
    points,
    level: levelAt(minPoints, total),
    position: different.indexOf(points) + 1
  }))
}

/** A student's own rank, by its definition. */
export const ownRankIn = (students: ReadonlyArray<Scored>, minPoints: ReadonlyArray<number>, student_id: string) => {
  const { points, total } = students.find(({ id }) => id === student_id) ?? { points: 0, total: 0 }
  const position = rankedBy(students, minPoints).find(({ id }) => id === student_id)?.position ?? null
  return { points, level: levelAt(minPoints, total), position }
}

interface Counting {
  readonly period: "7d" | "30d" | "all"
  readonly today: string
  readonly removed: ReadonlySet<string>
}

/** The students with their points in the period, from the whole ledger. */
export const scoredIn = (lines: ReadonlyArray<Line>, { period, removed, today }: Counting): ReadonlyArray<Scored> => {
  const first = period === "all" ? "0000-00-00" : daysBefore(today, period === "7d" ? 6 : 29)
  const counted = lines.filter(({ day }) => day >= first)
  return [...new Set(lines.map(({ student_id }) => student_id))]
    .filter((id) => !removed.has(id))
    .map((id) => ({ id, points: sumOf(counted, id), total: sumOf(lines, id) }))
}
