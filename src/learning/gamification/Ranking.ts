import { Effect, Schema } from "effect"
import { StudentId } from "../../identity/ids/StudentId.ts"
import { ApiError } from "../../platform/http/ApiError.ts"
import { field } from "../../platform/http/Field.ts"
import { PageQuery } from "../../platform/http/Page.ts"
import { exampleLevels, Level } from "./Ladder.ts"

/** The period of a ranking. */
export const RankingPeriod = Schema.Literals(["7d", "30d", "all"])
export type RankingPeriod = typeof RankingPeriod.Type

/** The query of a ranking. The default period is all time. */
export const RankingQuery = {
  ...PageQuery,
  period: RankingPeriod.pipe(
    Schema.withDecodingDefaultKey(Effect.succeed("all")),
    field("Which points count: those of today and the 6 or 29 days before, in the club's time zone, or all; `all` unless sent")
  )
}

const Place = Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))

/** A student with points in the period. */
export const RankingEntry = Schema.Struct({
  student: Schema.Struct({
    id: StudentId.pipe(field("Names the student on the dashboard's routes")),
    name: Schema.String.pipe(field("The student's name now", "Noel Rosa"))
  }).pipe(field("Who it is")),
  points: Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)).pipe(field("The student's points in the period", 120)),
  level: Level.pipe(field("The level of all the student's points, whatever the period", exampleLevels.prata)),
  position: Place.pipe(field(
    "From 1 on. Students with equal points have the same position, and the next fewer points have the next one",
    1
  ))
}).annotate({ identifier: "RankingEntry", description: "A student in the ranking" })
export type RankingEntry = typeof RankingEntry.Type

/** The student who asks. */
const OwnRank = Schema.Struct({
  points: Schema.Int
    .pipe(field("The student's points in the period; 0 or fewer without points, or if the staff took as many", 120)),
  level: Level.pipe(field("The level of all the student's points, whatever the period", exampleLevels.prata)),
  position: Schema.NullOr(Place).pipe(field(
    "The place, shared with others of the same points; null without points above 0: then the student is in no ranking",
    1
  ))
}).annotate({ identifier: "OwnRank", description: "The place in the ranking of the student who asks" })
type OwnRank = typeof OwnRank.Type

/** A page of the ranking. */
export const RankingPage = Schema.Struct({
  data: Schema.Array(RankingEntry).pipe(field("The page's students, the most points first")),
  me: OwnRank.pipe(field("The student who asks, the same on every page")),
  next_cursor: Schema.NullOr(Schema.String).pipe(field(
    "Send it as `cursor` for the next page, with the same `period`; null on the last one",
    "eyJwZXJpb2QiOiJhbGwiLCJwb2ludHMiOjEyMCwiaWQiOiIwMTk4YTBjNC01YjFlLTdkNjItOGYzYS0yYzllNGI3ZDFhMGIiLCJwb3NpdGlvbiI6MX0"
  ))
})
export type RankingPage = typeof RankingPage.Type

/** The last student of a page in the ranking of a period, with the position. The next page begins after them. */
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
  message: {
    en: "The ranking is not shown to students",
    "pt-BR": "O ranking não é mostrado aos alunos."
  }
}) {}
