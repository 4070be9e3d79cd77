import { Effect, Schema } from "effect"
import { StudentId } from "../../identity/ids/StudentId.ts"
import { ApiError } from "../../platform/http/ApiError.ts"
import { PageQuery } from "../../platform/http/Page.ts"
import { Level } from "./Ladder.ts"

/** What a ranking counts: today and the 6 or 29 days before, as days are in the club's time zone, or everything. */
export const RankingPeriod = Schema.Literals(["7d", "30d", "all"])
export type RankingPeriod = typeof RankingPeriod.Type

/** Of all time unless said otherwise. */
export const RankingQuery = {
  ...PageQuery,
  period: RankingPeriod.pipe(Schema.withDecodingDefaultKey(Effect.succeed("all")))
}

/**
 * A student with points in the period. Equal points are one position, and the next fewer points are the next one.
 * `level` is that of all the student's points, whatever the period.
 */
export const RankingEntry = Schema.Struct({
  student: Schema.Struct({ id: StudentId, name: Schema.String }),
  points: Schema.Int,
  level: Level,
  position: Schema.Int
}).annotate({ identifier: "RankingEntry" })
export type RankingEntry = typeof RankingEntry.Type

/** The student who asks: their points in the period, and `null` without any that count. */
export const OwnRank = Schema.Struct({
  points: Schema.Int,
  level: Level,
  position: Schema.NullOr(Schema.Int)
}).annotate({ identifier: "OwnRank" })
export type OwnRank = typeof OwnRank.Type

/** A page of the ranking with the student who asks beside it, the same on every page. */
export const RankingPage = Schema.Struct({
  data: Schema.Array(RankingEntry),
  me: OwnRank,
  next_cursor: Schema.NullOr(Schema.String)
})
export type RankingPage = typeof RankingPage.Type

/** A place in the order of one period's ranking, with its position, from which the next page goes on. */
export const Rung = Schema.Struct({
  period: RankingPeriod,
  points: Schema.Int,
  id: StudentId,
  position: Schema.Int
})
export type Rung = typeof Rung.Type

/** The club does not show it, or has gamification switched off (contract, Gamification). */
export class RankingHidden extends ApiError<RankingHidden>()("RankingHidden", {
  status: 404,
  code: "ranking_hidden",
  message: "The ranking is not shown to students"
}) {}

/** Numbers rows that are ordered by points, most first: densely, going on from the place before them. */
export const positioned = <Row extends { readonly points: number }>(
  rows: ReadonlyArray<Row>,
  before: { readonly points: number; readonly position: number } | undefined
): ReadonlyArray<Row & { readonly position: number }> => {
  let { points, position } = before ?? { points: Number.POSITIVE_INFINITY, position: 0 }
  return rows.map((row) => {
    if (row.points !== points) position += 1
    points = row.points
    return { ...row, position }
  })
}
