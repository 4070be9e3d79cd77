import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import {
  administration,
  AllowedRoles,
  ClubMember,
  clubPath,
  ClubPerson,
  ClubStudent
} from "../../identity/authentication/Authentication.ts"
import { StudentId } from "../../identity/ids/StudentId.ts"
import { ClubWrites } from "../../identity/limits/RateLimit.ts"
import { StudentRemoved } from "../../identity/students/StudentRemoved.ts"
import { Conditional } from "../../platform/http/Conditional.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { Data, InvalidCursor, Page, PageQuery } from "../../platform/http/Page.ts"
import { sentId } from "../../platform/http/Text.ts"
import { Idempotent } from "../../platform/idempotency/Idempotency.ts"
import { Gamification, GamificationPatch } from "./Gamification.ts"
import {
  LadderPayload,
  LevelCountInvalid,
  LevelIdDuplicated,
  LevelMinPointsDuplicated,
  LevelUnknown,
  LevelZeroMissing
} from "./Ladder.ts"
import { Adjustment, PointEntry, StatementPage, StudentStanding } from "./PointEntry.ts"
import { RankingEntry, RankingHidden, RankingPage, RankingQuery } from "./Ranking.ts"

const student = { ...clubPath, studentId: sentId(StudentId) }

const ladderErrors = [
  LevelCountInvalid,
  LevelZeroMissing,
  LevelMinPointsDuplicated,
  LevelIdDuplicated,
  LevelUnknown
] as const

/** A club's rules and ladder (contract, Gamification and Endpoints 1), and the points of its students. */
export class GamificationApi extends HttpApiGroup.make("gamification")
  .add(
    HttpApiEndpoint.get("read", "/gamification", { params: clubPath, success: Data(Gamification) }).annotate(
      OpenApi.Summary,
      "Read the rules and the ladder"
    ).middleware(Conditional).middleware(ClubPerson),
    HttpApiEndpoint.patch("update", "/gamification", {
      params: clubPath,
      payload: GamificationPatch,
      success: Data(Gamification)
    }).annotate(OpenApi.Summary, "Change the rules or switch gamification").annotate(AllowedRoles, administration)
      .middleware(ClubWrites).middleware(ClubMember),
    HttpApiEndpoint.put("replaceLevels", "/gamification/levels", {
      params: clubPath,
      payload: LadderPayload,
      success: Data(Gamification),
      error: ladderErrors
    }).annotate(OpenApi.Summary, "Replace the whole ladder").annotate(AllowedRoles, administration).middleware(
      ClubWrites
    ).middleware(ClubMember),
    HttpApiEndpoint.get("ranking", "/gamification/ranking", {
      params: clubPath,
      query: RankingQuery,
      success: Page(RankingEntry),
      error: InvalidCursor
    }).annotate(OpenApi.Summary, "Rank the students by their points").annotate(
      OpenApi.Description,
      "Most points first. Whoever has none in the period is not in it. It is read by the staff also while students do not see it"
    ).middleware(ClubMember),
    HttpApiEndpoint.get("statement", "/students/:studentId/points", {
      params: student,
      query: PageQuery,
      success: StatementPage,
      error: [InvalidCursor, NotFound]
    }).annotate(OpenApi.Summary, "Read a student's points and what made them").middleware(ClubMember),
    HttpApiEndpoint.post("adjust", "/students/:studentId/points", {
      params: student,
      payload: Adjustment,
      success: Data(PointEntry).pipe(HttpApiSchema.status(201)),
      error: [NotFound, StudentRemoved]
    }).annotate(OpenApi.Summary, "Give a student points or take them").annotate(AllowedRoles, administration)
      .middleware(Idempotent).middleware(ClubWrites).middleware(ClubMember),
    HttpApiEndpoint.get("standing", "/classroom/gamification", {
      params: clubPath,
      success: Data(StudentStanding),
      error: NotFound
    }).annotate(OpenApi.Summary, "Read one's own points and level").middleware(ClubStudent),
    HttpApiEndpoint.get("classroomRanking", "/classroom/ranking", {
      params: clubPath,
      query: RankingQuery,
      success: RankingPage,
      error: [InvalidCursor, RankingHidden]
    }).annotate(OpenApi.Summary, "See the ranking and one's own place in it").middleware(ClubStudent)
  )
  .prefix("/clubs/:clubId")
  .annotate(OpenApi.Title, "Gamification")
  .annotate(
    OpenApi.Description,
    "What a club pays points for, the ladder of levels that they climb, and the points of its students"
  )
{}
