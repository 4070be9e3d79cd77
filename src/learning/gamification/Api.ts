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
import { KeyFeature } from "../../identity/people/Scope.ts"
import { StudentRemoved } from "../../identity/students/StudentRemoved.ts"
import { AgentTool } from "../../platform/http/AgentTool.ts"
import { GroupAudience } from "../../platform/http/Audience.ts"
import { Conditional } from "../../platform/http/Conditional.ts"
import { described } from "../../platform/http/Described.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { field } from "../../platform/http/Field.ts"
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
import { Spread, SpreadQuery } from "./Spread.ts"

/** The fields for agents. */
const shown = {
  gamification: "enabled ranking_visible rules levels"
}

const student = {
  ...clubPath,
  studentId: sentId(StudentId).pipe(field("The `id` of a student of the club, removed ones included"))
}

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
      AgentTool,
      { name: "gamification_show", fields: shown.gamification }
    ).annotateMerge(described(
      "Read the rules and the ladder",
      "All seven rules, those that are switched off too, and the levels from the lowest to the highest"
    )).middleware(Conditional).middleware(ClubPerson),
    HttpApiEndpoint.patch("update", "/gamification", {
      params: clubPath,
      payload: GamificationPatch,
      success: Data(Gamification)
    }).annotate(AgentTool, { name: "gamification_update", fields: shown.gamification }).annotateMerge(described(
      "Change the rules or switch gamification",
      "Omitted fields keep their values, rules included. New points apply to later actions. Points that were paid stay as they are, and earlier actions are not paid afterwards"
    )).annotate(AllowedRoles, administration)
      .middleware(ClubWrites).middleware(ClubMember),
    HttpApiEndpoint.put("replaceLevels", "/gamification/levels", {
      params: clubPath,
      payload: LadderPayload,
      success: Data(Gamification),
      error: ladderErrors
    }).annotate(AgentTool, { name: "gamification_levels_replace", fields: shown.gamification }).annotateMerge(described(
      "Replace the whole ladder",
      "A ladder has 2 to 12 levels, one of them with 0 points and no two with the same. A level sent with its `id` stays under the new name and points. A level without `id` is new, and an omitted level is deleted. It changes everybody's level at once, since levels are computed from points whenever they are read. Of two ladders sent at once the later one stands"
    )).annotate(AllowedRoles, administration).middleware(ClubWrites).middleware(ClubMember),
    HttpApiEndpoint.get("spread", "/gamification/levels/spread", {
      params: clubPath,
      query: SpreadQuery,
      success: Data(Spread),
      error: [LevelCountInvalid, LevelZeroMissing, LevelMinPointsDuplicated]
    }).annotateMerge(described(
      "See how students are spread over the levels",
      "And with `min_points`, how another ladder would move them, before it is saved"
    )).middleware(ClubMember),
    HttpApiEndpoint.get("ranking", "/gamification/ranking", {
      params: clubPath,
      query: RankingQuery,
      success: Page(RankingEntry),
      error: InvalidCursor
    }).annotate(AgentTool, { name: "gamification_ranking", fields: "student points level.name position" })
      .annotateMerge(described(
        "Rank the students by their points",
        "Most points first. Students without points in the period are not in it. It can be read also while students do not see it"
      )).middleware(ClubMember),
    HttpApiEndpoint.get("statement", "/students/:studentId/points", {
      params: student,
      query: PageQuery,
      success: StatementPage,
      error: [InvalidCursor, NotFound]
    }).annotate(AgentTool, {
      name: "points_list",
      fields:
        "total level.name entries.id entries.action entries.origin_id entries.points entries.reason entries.created_at"
    }).annotateMerge(described(
      "Read a student's points and what made them",
      "The newest entries first. Total and level count all points, and are the same on every page"
    )).middleware(ClubMember),
    HttpApiEndpoint.post("adjust", "/students/:studentId/points", {
      params: student,
      payload: Adjustment,
      success: Data(PointEntry).pipe(HttpApiSchema.status(201)),
      error: [NotFound, StudentRemoved]
    }).annotate(AgentTool, { name: "points_adjust", fields: "id action origin_id points reason created_at" })
      .annotateMerge(described(
        "Give a student points or take them",
        "The entry is added to the student's statement as an `adjustment`, with its reason and author. It cannot be changed afterwards, only balanced by another. It counts in total, level and rankings at once, also while gamification is switched off. No mail and no event goes out"
      )).annotate(AllowedRoles, administration)
      .middleware(Idempotent).middleware(ClubWrites).middleware(ClubMember),
    HttpApiEndpoint.get("standing", "/classroom/gamification", {
      params: clubPath,
      success: Data(StudentStanding),
      error: NotFound
    }).annotateMerge(described(
      "Read one's own points and level",
      "While gamification is switched off, what was earned before still stands"
    )).middleware(ClubStudent),
    HttpApiEndpoint.get("ownStatement", "/classroom/points", {
      params: clubPath,
      query: PageQuery,
      success: StatementPage,
      error: [InvalidCursor, NotFound]
    }).annotateMerge(described(
      "Read one's own points and what made them",
      "The newest entries first. Total and level count all points, and are the same on every page. Of what the staff gave or took, `reason` and `actor_user_id` are null"
    )).middleware(ClubStudent),
    HttpApiEndpoint.get("classroomRanking", "/classroom/ranking", {
      params: clubPath,
      query: RankingQuery,
      success: RankingPage,
      error: [InvalidCursor, RankingHidden]
    }).annotateMerge(described(
      "See the ranking and one's own place in it",
      "Most points first; students without points in the period are not in it. 404 `ranking_hidden` while the club does not show it or has gamification switched off"
    )).middleware(ClubStudent)
  )
  .prefix("/clubs/:clubId")
  .annotate(KeyFeature, "gamification")
  .annotate(GroupAudience, "dashboard")
  .annotate(OpenApi.Title, "Gamification")
  .annotate(
    OpenApi.Description,
    "A club's points rules, its ladder of levels, and its students' points"
  )
{}
