import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { administration, AllowedRoles, ClubMember, clubPath } from "../../../identity/authentication/Authentication.ts"
import { ClubWrites } from "../../../identity/limits/RateLimit.ts"
import { KeyFeature } from "../../../identity/people/Scope.ts"
import { GroupAudience } from "../../../platform/http/Audience.ts"
import { described } from "../../../platform/http/Described.ts"
import { NotFound } from "../../../platform/http/errors.ts"
import { field } from "../../../platform/http/Field.ts"
import { Data, InvalidCursor, Page, PageQuery } from "../../../platform/http/Page.ts"
import { sentId } from "../../../platform/http/Text.ts"
import { Idempotent } from "../../../platform/idempotency/Idempotency.ts"
import { EndpointNotEnabled, InvalidTransition } from "../../endpoint/Endpoint.ts"
import { EventTypeUnknown } from "../../endpoint/EventTypeNames.ts"
import { EndpointId } from "../../model/EndpointId.ts"
import { SinceInFuture, SinceTooOld } from "../delivery/Delivery.ts"
import { WebhookDrain } from "./Drain.ts"
import { CreateRecovery, PatchRecovery, RecoveryId, RecoveryInProgress, WebhookRecovery } from "./Recovery.ts"

const endpoint = { ...clubPath, endpointId: sentId(EndpointId).pipe(field("The endpoint; 404 once it is deleted")) }
const recovery = {
  ...endpoint,
  recoveryId: sentId(RecoveryId).pipe(field("The recovery, which belongs to this endpoint"))
}
const all = "/webhook-endpoints/:endpointId/recoveries"
const one = `${all}/:recoveryId`

/** Sending again as a job: previewed, at a chosen pace, paused, canceled. */
export class WebhookRecoveriesApi extends HttpApiGroup.make("webhookRecoveries")
  .add(
    HttpApiEndpoint.post("create", all, {
      params: endpoint,
      payload: CreateRecovery,
      success: Data(WebhookRecovery).pipe(HttpApiSchema.status(201)),
      error: [EndpointNotEnabled, EventTypeUnknown, NotFound, RecoveryInProgress, SinceInFuture, SinceTooOld]
    }).annotateMerge(described(
      "Preview a recovery, or start it",
      "Counts the deliveries that recovering would send again, in the background if there are many. Started, by `start` or by changing its status, it sends each of those once, at the rate and in the order asked for. Deliveries that end later are not part of it. The next one cancels one that was never started; while one runs or is paused, there is no other"
    )).middleware(Idempotent),
    HttpApiEndpoint.get("list", all, {
      params: endpoint,
      query: PageQuery,
      success: Page(WebhookRecovery),
      error: [InvalidCursor, NotFound]
    }).annotateMerge(described("List the recoveries of a webhook endpoint", "Newest first")),
    HttpApiEndpoint.get("get", one, { params: recovery, success: Data(WebhookRecovery), error: NotFound })
      .annotateMerge(described("Say how far a recovery is", "Its counts, and its progress")),
    HttpApiEndpoint.patch("update", one, {
      params: recovery,
      payload: PatchRecovery,
      success: Data(WebhookRecovery),
      error: [EndpointNotEnabled, InvalidTransition, NotFound]
    }).annotateMerge(described(
      "Start, pause, continue or cancel a recovery",
      "Paused or canceled, it moves nothing any more; what was moved already, about as much as is sent in half a second, is still sent. It waits by itself while its endpoint is paused. If that is held after failures, its first attempt is sent at once, as a probe, and the others wait. It is canceled when its endpoint is disabled or deleted"
    )),
    HttpApiEndpoint.get("drain", "/webhook-endpoints/:endpointId/drain", {
      params: endpoint,
      success: Data(WebhookDrain),
      error: NotFound
    }).annotateMerge(described(
      "Say how far the drain of a webhook endpoint is",
      "The deliveries that wait for a paused endpoint, by type and age. Once it was enabled with a `drain_rate`: the progress of the drain, and in the end its result. It ends by itself; `PATCH` with another `drain_rate` changes the rate, null sends the rest at full speed, and pausing the endpoint stops it"
    ))
  )
  .middleware(ClubWrites)
  .middleware(ClubMember)
  .annotateEndpoints(AllowedRoles, administration)
  .prefix("/clubs/:clubId")
  .annotate(KeyFeature, "webhooks")
  .annotate(GroupAudience, "webhooks")
  .annotate(OpenApi.Title, "Recoveries of webhook deliveries")
  .annotate(OpenApi.Description, "Deliveries that an endpoint did not accept, sent again as a job")
{}
