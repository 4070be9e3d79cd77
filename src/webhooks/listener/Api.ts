import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { administration, AllowedRoles, ClubMember, clubPath } from "../../identity/authentication/Authentication.ts"
import { ClubWrites, RateLimited } from "../../identity/limits/RateLimit.ts"
import { KeyFeature } from "../../identity/people/Scope.ts"
import { GroupAudience } from "../../platform/http/Audience.ts"
import { described } from "../../platform/http/Described.ts"
import { NotFound, TemporarilyUnavailable } from "../../platform/http/errors.ts"
import { field } from "../../platform/http/Field.ts"
import { NoStore } from "../../platform/http/NoStore.ts"
import { Data } from "../../platform/http/Page.ts"
import { sentId } from "../../platform/http/Text.ts"
import { Idempotent } from "../../platform/idempotency/Idempotency.ts"
import { CreateListener, EndpointLimitReached, WebhookEndpointWithSecret } from "../endpoint/Endpoint.ts"
import { EventTypeUnknown } from "../endpoint/EventTypeNames.ts"
import { EndpointId } from "../model/EndpointId.ts"
import { ListenerResults, ListenerTakenOver, Polled, PollQuery, Recorded } from "./Listener.ts"

const listener = {
  ...clubPath,
  listenerId: sentId(EndpointId).pipe(field("The listener; 404 once it is deleted"))
}

/** Endpoints without an address, for a receiver that the internet does not reach. */
export class WebhookListenersApi extends HttpApiGroup.make("webhookListeners")
  .add(
    HttpApiEndpoint.post("create", "/webhook-listeners", {
      params: clubPath,
      payload: CreateListener,
      success: Data(WebhookEndpointWithSecret).pipe(HttpApiSchema.status(201)),
      error: [EventTypeUnknown, EndpointLimitReached, TemporarilyUnavailable]
    }).annotateMerge(described(
      "Listen for events without an address",
      "Makes a webhook endpoint that polls: from then on, events of its types wait for it. It is one of the club's endpoints, 20 at most; the same id reads, changes and deletes it. The `secret` of the answer signs what it gets, and is never shown again. It is deleted when nobody has polled for an hour"
    )).middleware(Idempotent).middleware(NoStore),
    HttpApiEndpoint.get("poll", "/webhook-listeners/:listenerId/deliveries", {
      params: listener,
      query: PollQuery,
      success: Data(Polled),
      error: [ListenerTakenOver, NotFound, RateLimited, TemporarilyUnavailable]
    }).annotateMerge(described(
      "Poll for deliveries",
      "Answers what is due, headers and body as they would be posted now, again and again until a result is sent. If nothing is due, it waits as long as `wait` says. It ends with an empty list as soon as a delivery may be due, which the next poll then gets. One poll of a listener waits at a time: the one before ends with 409 `listener_taken_over`. 429 where too many others wait: come again after as many seconds as Retry-After says"
    )).middleware(NoStore),
    HttpApiEndpoint.post("record", "/webhook-listeners/:listenerId/results", {
      params: listener,
      payload: ListenerResults,
      success: Data(Recorded),
      error: [NotFound, TemporarilyUnavailable]
    }).annotateMerge(described(
      "Report the results of deliveries",
      "Records an attempt for each result: 2xx ends the delivery, anything else is tried again like that of any endpoint. A result counts once for its receipt, so sending a batch again changes nothing. Failures are counted but never hold a listener"
    ))
  )
  .middleware(ClubWrites)
  .middleware(ClubMember)
  .annotateEndpoints(AllowedRoles, administration)
  .prefix("/clubs/:clubId")
  .annotate(KeyFeature, "webhooks")
  .annotate(GroupAudience, "webhooks")
  .annotate(OpenApi.Title, "Webhook listeners")
  .annotate(OpenApi.Description, "Events for a machine without a public address, which asks for them")
{}
