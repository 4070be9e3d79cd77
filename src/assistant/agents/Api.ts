import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { administration, AllowedRoles, ClubMember, clubPath } from "../../identity/authentication/Authentication.ts"
import { ClubWrites } from "../../identity/limits/RateLimit.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { Data, InvalidCursor, Page, PageQuery } from "../../platform/http/Page.ts"
import { sentId } from "../../platform/http/Text.ts"
import { Agent, AgentId, AgentPatch } from "./Agent.ts"

/** The name, switch and limits of a club's assistant. */
export class AgentsApi extends HttpApiGroup.make("agents")
  .add(
    HttpApiEndpoint.get("list", "/agents", {
      params: clubPath,
      query: PageQuery,
      success: Page(Agent),
      error: InvalidCursor
    }).annotate(OpenApi.Summary, "List the assistant's agents").annotate(
      OpenApi.Description,
      "Every club has one, from its founding on"
    ),
    HttpApiEndpoint.patch("update", "/agents/:agentId", {
      params: { ...clubPath, agentId: sentId(AgentId) },
      payload: AgentPatch,
      success: Data(Agent),
      error: NotFound
    }).annotate(OpenApi.Summary, "Name, switch or limit the assistant").annotate(
      OpenApi.Description,
      "daily_limit counts for each student and day, monthly_budget for the club and month, both in the club's time zone; null is as many as asked"
    ).annotate(AllowedRoles, administration)
  )
  .middleware(ClubWrites)
  .middleware(ClubMember)
  .prefix("/clubs/:clubId")
  .annotate(OpenApi.Title, "Agents")
  .annotate(OpenApi.Description, "The assistant of a club")
{}
