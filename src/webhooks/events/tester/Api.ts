import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { administration, AllowedRoles, ClubMember, clubPath } from "../../../identity/authentication/Authentication.ts"
import { ClubWrites } from "../../../identity/limits/RateLimit.ts"
import { KeyFeature } from "../../../identity/people/Scope.ts"
import { GroupAudience } from "../../../platform/http/Audience.ts"
import { described } from "../../../platform/http/Described.ts"
import { NotFound } from "../../../platform/http/errors.ts"
import { Data } from "../../../platform/http/Page.ts"
import { FilterInvalid } from "../../endpoint/filter/Filter.ts"
import { PayloadPurged } from "../../history/delivery/Delivery.ts"
import { FilterTested, TestFilter } from "./FilterTest.ts"

/** Tests of filters of webhook endpoints against events. */
export class WebhookFiltersApi extends HttpApiGroup.make("webhookFilters")
  .add(HttpApiEndpoint.post("test", "/webhook-endpoints/filter-test", {
    params: clubPath,
    payload: TestFilter,
    success: Data(FilterTested),
    error: [FilterInvalid, NotFound, PayloadPurged]
  }).annotateMerge(described(
    "Try a filter on an event",
    "Says whether an endpoint with this filter would be sent the event, and which conditions decide. Nothing is sent or kept"
  )))
  .middleware(ClubWrites)
  .middleware(ClubMember)
  .annotateEndpoints(AllowedRoles, administration)
  .prefix("/clubs/:clubId")
  .annotate(KeyFeature, "webhooks")
  .annotate(GroupAudience, "webhooks")
  .annotate(OpenApi.Title, "Filters of webhook endpoints")
  .annotate(OpenApi.Description, "Which events of its types an endpoint is sent")
{}
