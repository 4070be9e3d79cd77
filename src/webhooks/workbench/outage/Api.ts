import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { administration, AllowedRoles, ClubMember, clubPath } from "../../../identity/authentication/Authentication.ts"
import { ClubWrites } from "../../../identity/limits/RateLimit.ts"
import { KeyFeature } from "../../../identity/people/Scope.ts"
import { GroupAudience } from "../../../platform/http/Audience.ts"
import { described } from "../../../platform/http/Described.ts"
import { Data } from "../../../platform/http/Page.ts"
import { OutageEnds, OutageTooLarge, SimulateOutage, WebhookOutage } from "./Outage.ts"

/** A forecast of events while a receiver is away. */
export class WebhookOutagesApi extends HttpApiGroup.make("webhookOutages")
  .add(HttpApiEndpoint.post("simulate", "/webhook-endpoints/simulate", {
    params: clubPath,
    payload: SimulateOutage,
    success: Data(WebhookOutage),
    error: [OutageEnds, OutageTooLarge]
  }).annotateMerge(described(
    "Simulate an outage of a receiver",
    "Says when each delivery would land, by the rules of real deliveries. Nothing is sent or changed. Events come evenly, attempts wait exactly as long as the schedule says, and nothing else waits. 10,000 events at most"
  )))
  .middleware(ClubWrites)
  .middleware(ClubMember)
  .annotateEndpoints(AllowedRoles, administration)
  .prefix("/clubs/:clubId")
  .annotate(KeyFeature, "webhooks")
  .annotate(GroupAudience, "webhooks")
  .annotate(OpenApi.Title, "Webhook outages")
  .annotate(OpenApi.Description, "Events while a receiver is away, simulated")
{}
