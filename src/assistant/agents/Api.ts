import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { administration, AllowedRoles, ClubMember, clubPath } from "../../identity/authentication/Authentication.ts"
import { ClubWrites } from "../../identity/limits/RateLimit.ts"
import { KeyFeature } from "../../identity/people/Scope.ts"
import { GroupAudience } from "../../platform/http/Audience.ts"
import { described } from "../../platform/http/Described.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { field } from "../../platform/http/Field.ts"
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
    }).annotateMerge(described("List the assistant's agents", "Every club has one, from its founding on")),
    HttpApiEndpoint.patch("update", "/agents/:agentId", {
      params: { ...clubPath, agentId: sentId(AgentId).pipe(field("The `id` of the club's agent")) },
      payload: AgentPatch,
      success: Data(Agent),
      error: NotFound
    }).annotateMerge(described(
      "Name, switch or limit the assistant",
      "Omitted fields keep their values. Limits apply from the next question on: a limit below today's count leaves no questions for the day. Answers that are being generated go on"
    )).annotate(AllowedRoles, administration)
  )
  .middleware(ClubWrites)
  .middleware(ClubMember)
  .prefix("/clubs/:clubId")
  .annotate(KeyFeature, "agents")
  .annotate(GroupAudience, "dashboard")
  .annotate(OpenApi.Title, "Agents")
  .annotate(OpenApi.Description, "The assistant of a club")
{}
