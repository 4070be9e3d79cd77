import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { GroupAudience } from "../../../platform/http/Audience.ts"
import { described } from "../../../platform/http/Described.ts"
import { NotFound } from "../../../platform/http/errors.ts"
import { field } from "../../../platform/http/Field.ts"
import { WholeList } from "../../../platform/http/Page.ts"
import { RequestErrors } from "../../../platform/http/RequestErrors.ts"
import { sentId } from "../../../platform/http/Text.ts"
import { EndpointId } from "../../model/EndpointId.ts"
import { WebhookPublicKey } from "./PublicKey.ts"

/** The public keys of endpoints, at an address that never changes (Standard Webhooks, `v1a`). */
export class WebhookKeysApi extends HttpApiGroup.make("webhookKeys")
  .add(HttpApiEndpoint.get("list", "/.well-known/turma/webhook-keys/:endpointId", {
    params: { endpointId: sentId(EndpointId).pipe(field("The webhook endpoint")) },
    success: WholeList(WebhookPublicKey),
    error: NotFound
  }).annotateMerge(described(
    "List the public keys of a webhook endpoint",
    "Newest first, with those that were replaced for as long as they sign. For receivers, without a session; may be kept for 5 minutes. 404 for an endpoint that never signed with Ed25519, is deleted or unknown alike"
  )))
  .middleware(RequestErrors)
  .annotate(GroupAudience, "webhooks")
  .annotate(OpenApi.Title, "Webhook keys")
  .annotate(OpenApi.Description, "The keys with which receivers verify webhooks")
{}
