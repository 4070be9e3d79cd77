import { Effect, Schema } from "effect"
import { StudentId } from "../../identity/ids/StudentId.ts"
import { ApiError } from "../../platform/http/ApiError.ts"
import { PageQuery } from "../../platform/http/Page.ts"
import { Level } from "./Ladder.ts"

/** The period of a ranking: today and the 6 or 29 days before, in the club's time zone, or all time. */
export const RankingPeriod = Schema.Literals(["7d", "30d", "all"])
export type RankingPeriod = typeof RankingPeriod.Type

/** Of all time unless said otherwise. */
export const RankingQuery = {
  ...PageQuery,
  period: RankingPeriod.pipe(Schema.withDecodingDefaultKey(Effect.succeed("all")))
}

/**
 * A student with points in the period. Students with equal points have the same position, and the next fewer points
 * have the next one. `level` is that of all the student's points, whatever the period.
 */
export const RankingEntry = Schema.Struct({
  student: Schema.Struct({ id: StudentId, name: Schema.String }),
  points: Schema.Int,
  level: Level,
  position: Schema.Int
}).annotate({ identifier: "RankingEntry" })
export type RankingEntry = typeof RankingEntry.Type

/** The student who asks: their points in the period, and their position, `null` without points that count. */
export const OwnRank = Schema.Struct({
  points: Schema.Int,
  level: Level,
  position: Schema.NullOr(Schema.Int)
}).annotate({ identifier: "OwnRank" })
export type OwnRank = typeof OwnRank.Type

/** A page of the ranking, with the student who asks, the same on every page. */
export const RankingPage = Schema.Struct({
  data: Schema.Array(RankingEntry),
  me: OwnRank,
  next_cursor: Schema.NullOr(Schema.String)
})
export type RankingPage = typeof RankingPage.Type

/** A student in the ranking of a period, with the position, after whom the next page begins. */
export const RankingCursor = Schema.Struct({
  period: RankingPeriod,
  points: Schema.Int.check(Schema.isGreaterThan(0)),
  id: StudentId,
  position: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 2_147_483_647 }))
})
export type RankingCursor = typeof RankingCursor.Type

/** The club does not show the ranking, or has gamification switched off (contract, Gamification). */
export class RankingHidden extends ApiError<RankingHidden>()("RankingHidden", {
  status: 404,
  code: "ranking_hidden",
  message: "The ranking is not shown to students"
}) {}
