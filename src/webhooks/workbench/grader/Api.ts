import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { administration, AllowedRoles, ClubMember, clubPath } from "../../../identity/authentication/Authentication.ts"
import { ClubWrites, RateLimited } from "../../../identity/limits/RateLimit.ts"
import { KeyFeature } from "../../../identity/people/Scope.ts"
import { GroupAudience } from "../../../platform/http/Audience.ts"
import { described } from "../../../platform/http/Described.ts"
import { NotFound } from "../../../platform/http/errors.ts"
import { field } from "../../../platform/http/Field.ts"
import { Data, InvalidCursor, Page, PageQuery } from "../../../platform/http/Page.ts"
import { sentId } from "../../../platform/http/Text.ts"
import { Idempotent } from "../../../platform/idempotency/Idempotency.ts"
import { EndpointNotEnabled } from "../../endpoint/Endpoint.ts"
import { ListenerPolls } from "../../endpoint/TrafficLimits.ts"
import { EndpointId } from "../../model/EndpointId.ts"
import { Grading, GradingDetail, GradingId, GradingUnderWay } from "./Grading.ts"

const endpoint = { ...clubPath, endpointId: sentId(EndpointId).pipe(field("The endpoint; 404 once it is deleted")) }
const one = "/webhook-endpoints/:endpointId"

/** The faults of a receiver (webhook-engine, Grader). */
export class WebhookGradingsApi extends HttpApiGroup.make("webhookGradings")
  .add(
    HttpApiEndpoint.post("begin", `${one}/grade`, {
      params: endpoint,
      success: Data(Grading).pipe(HttpApiSchema.status(202)),
      error: [EndpointNotEnabled, GradingUnderWay, ListenerPolls, NotFound, RateLimited]
    }).annotateMerge(described(
      "Grade a receiver",
      "Sends a dozen `webhook.test` probes, some signed wrongly on purpose. They are not deliveries, and change neither history nor breaker. One grading of an endpoint at a time, 6 an hour in a club. The answer does not wait: read the grading"
    )).middleware(Idempotent),
    HttpApiEndpoint.get("list", `${one}/gradings`, {
      params: endpoint,
      query: PageQuery,
      success: Page(Grading),
      error: [InvalidCursor, NotFound]
    }).annotateMerge(described("List the gradings of a receiver", "Newest first, without reports, of 30 days")),
    HttpApiEndpoint.get("get", `${one}/gradings/:gradingId`, {
      params: { ...endpoint, gradingId: sentId(GradingId).pipe(field("The grading; 404 after 30 days")) },
      success: Data(GradingDetail),
      error: NotFound
    }).annotateMerge(described("Read a grading", "Each thing that is wrong in a sentence, and what came of each probe"))
  )
  .middleware(ClubWrites)
  .middleware(ClubMember)
  .annotateEndpoints(AllowedRoles, administration)
  .prefix("/clubs/:clubId")
  .annotate(KeyFeature, "webhooks")
  .annotate(GroupAudience, "webhooks")
  .annotate(OpenApi.Title, "Webhook gradings")
  .annotate(OpenApi.Description, "Mistakes that a receiver of webhooks makes")
{}
