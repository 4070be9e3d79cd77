import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ClubMember, clubPath } from "../../../../src/identity/authentication/Authentication.ts"
import { ClubWrites } from "../../../../src/identity/limits/RateLimit.ts"
import { KeyFeature } from "../../../../src/identity/people/Scope.ts"
import { AgentTool } from "../../../../src/platform/http/AgentTool.ts"
import { GroupAudience } from "../../../../src/platform/http/Audience.ts"
import { Data } from "../../../../src/platform/http/Page.ts"
import { text } from "../../../../src/platform/http/Text.ts"

/** A club's motto. */
export const Motto = Schema.Struct({ text: text(1, 80) })

/** A feature as a developer would add one. It shows that a folder and a line are enough: all about it is in there. */
export class MottosApi extends HttpApiGroup.make("mottos")
  .add(
    HttpApiEndpoint.get("get", "/motto", { params: clubPath, success: Data(Motto) })
      .annotate(OpenApi.Summary, "Read the motto")
      .annotate(AgentTool, { name: "motto_show", fields: "text" }),
    HttpApiEndpoint.put("put", "/motto", { params: clubPath, payload: Motto, success: Data(Motto) })
      .annotate(OpenApi.Summary, "Change the motto")
  )
  .prefix("/clubs/:clubId")
  .middleware(ClubWrites)
  .middleware(ClubMember)
  .annotate(KeyFeature, "clubs")
  .annotate(GroupAudience, "dashboard")
  .annotate(OpenApi.Title, "Mottos")
  .annotate(OpenApi.Description, "What clubs say of themselves")
{}
