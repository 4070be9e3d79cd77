import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { administration, AllowedRoles, ClubMember, clubPath } from "../../../identity/authentication/Authentication.ts"
import { ClubWrites } from "../../../identity/limits/RateLimit.ts"
import { KeyFeature } from "../../../identity/people/Scope.ts"
import { GroupAudience } from "../../../platform/http/Audience.ts"
import { described } from "../../../platform/http/Described.ts"
import { NotFound, TemporarilyUnavailable } from "../../../platform/http/errors.ts"
import { field } from "../../../platform/http/Field.ts"
import { NoStore } from "../../../platform/http/NoStore.ts"
import { Data, InvalidCursor, Page, PageQuery, WholeList } from "../../../platform/http/Page.ts"
import { sentId } from "../../../platform/http/Text.ts"
import { Idempotent } from "../../../platform/idempotency/Idempotency.ts"
import { DeliveryStreamLimit } from "../../history/live/DeliveryEvent.ts"
import { InboxId } from "../../model/InboxId.ts"
import { InboxRequestId } from "../inbox/Inbox.ts"
import {
  CreateInbox,
  InboxEvent,
  InboxLimitReached,
  InboxRequest,
  InboxRequestDetail,
  PatchInbox,
  WebhookInbox
} from "./Inbox.ts"

const inbox = { ...clubPath, inboxId: sentId(InboxId).pipe(field("The inbox; 404 once its hour is over")) }
const one = "/webhook-inboxes/:inboxId"
const request = {
  ...inbox,
  requestId: sentId(InboxRequestId).pipe(field("The request; 404 once 100 came after it"))
}

/** Addresses of our own that show what is sent to them (webhook-engine, Play). */
export class WebhookInboxesApi extends HttpApiGroup.make("webhookInboxes")
  .add(
    HttpApiEndpoint.post("create", "/webhook-inboxes", {
      params: clubPath,
      payload: CreateInbox,
      success: Data(WebhookInbox).pipe(HttpApiSchema.status(201)),
      error: [InboxLimitReached, TemporarilyUnavailable]
    }).annotateMerge(described(
      "Make an inbox",
      "Its `url` takes any request for an hour, 120 a minute, shows it, judges its signature by the club's secrets, and answers as told. An endpoint of the club may have that URL: deliveries are then handed over without a connection. 5 at a time. Its requests are erased with the inbox, and when any student of the club is removed"
    )).middleware(Idempotent).middleware(NoStore),
    HttpApiEndpoint.get("list", "/webhook-inboxes", { params: clubPath, success: WholeList(WebhookInbox) })
      .annotateMerge(described("List the inboxes", "Oldest first"))
      .middleware(NoStore),
    HttpApiEndpoint.get("get", one, { params: inbox, success: Data(WebhookInbox), error: NotFound })
      .annotateMerge(described("Read an inbox", "With its URL")).middleware(NoStore),
    HttpApiEndpoint.patch("update", one, {
      params: inbox,
      payload: PatchInbox,
      success: Data(WebhookInbox),
      error: NotFound
    }).annotateMerge(described(
      "Tell an inbox how to answer",
      "From the next request on. Omitted fields keep their values"
    )).middleware(NoStore),
    HttpApiEndpoint.delete("remove", one, { params: inbox, success: HttpApiSchema.NoContent, error: NotFound })
      .annotateMerge(described("Delete an inbox", "With all that it has taken")),
    HttpApiEndpoint.get("requests", `${one}/requests`, {
      params: inbox,
      query: PageQuery,
      success: Page(InboxRequest),
      error: [InvalidCursor, NotFound]
    }).annotateMerge(described(
      "List what an inbox has taken",
      "Newest first, without headers and bodies; the newest 100 are kept"
    )).middleware(NoStore),
    HttpApiEndpoint.get("stream", `${one}/requests/stream`, {
      params: inbox,
      success: HttpApiSchema.StreamSse({ events: InboxEvent }),
      error: [NotFound, DeliveryStreamLimit]
    }).annotateMerge(described(
      "Follow what an inbox takes",
      "Server-Sent Events: a `request` for each that is kept, oldest first, then for each that comes, within about a second. It counts with the streams of deliveries, and lasts as long"
    )).middleware(NoStore),
    HttpApiEndpoint.get("request", `${one}/requests/:requestId`, {
      params: request,
      success: Data(InboxRequestDetail),
      error: NotFound
    }).annotateMerge(described("Read what an inbox has taken", "With headers and body")).middleware(NoStore)
  )
  .middleware(ClubWrites)
  .middleware(ClubMember)
  .annotateEndpoints(AllowedRoles, administration)
  .prefix("/clubs/:clubId")
  .annotate(KeyFeature, "webhooks")
  .annotate(GroupAudience, "webhooks")
  .annotate(OpenApi.Title, "Webhook inboxes")
  .annotate(OpenApi.Description, "To see a webhook before there is a receiver")
{}
