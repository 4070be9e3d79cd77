import { Effect, flow } from "effect"
import { HttpServerResponse } from "effect/http"
import { seesDocuments } from "../../identity/authentication/Authentication.ts"
import { CurrentMember, type MemberIdentity } from "../../identity/people/Identity.ts"
import { withoutDocuments, withoutDocumentsInBody } from "../../identity/people/TaxDocuments.ts"
import { versioned } from "../../platform/http/Contract.ts"
import { data, whole } from "../../platform/http/Page.ts"
import { group } from "../../platform/http/server/group.ts"
import { eventStream } from "../../platform/http/ServerSentEvents.ts"
import { placed } from "../live/placed.ts"
import { WebhookInboxesApi } from "./Api.ts"
import type { InboxRequestDetail } from "./Inbox.ts"
import { Inboxes } from "./Inboxes.ts"
import { InboxStreams } from "./InboxStreams.ts"

/** Anybody may have sent it, a sales platform too. */
const shownTo = (member: MemberIdentity) => (request: InboxRequestDetail): InboxRequestDetail =>
  seesDocuments(member) ? request : {
    ...request,
    query: withoutDocumentsInBody(request.query),
    headers: request.headers.map(({ name, value }) => ({ name, value: withoutDocuments(value) })),
    body: request.body === null ? null : withoutDocumentsInBody(request.body)
  }

/** Answers the routes of `WebhookInboxesApi`. */
export const WebhookInboxesHttp = group(
  versioned(WebhookInboxesApi),
  "webhookInboxes",
  Effect.fn(function*(handlers) {
    const inboxes = yield* Inboxes
    const streams = yield* InboxStreams
    return handlers.handleAll({
      create: ({ payload }) => CurrentMember.use(({ club }) => Effect.map(inboxes.create(club.id, payload), data)),
      list: () => CurrentMember.use(({ club }) => Effect.map(inboxes.list(club.id), whole)),
      get: ({ params }) => CurrentMember.use(({ club }) => Effect.map(inboxes.get(club.id, params.inboxId), data)),
      update: ({ params, payload }) =>
        CurrentMember.use(({ club }) => Effect.map(inboxes.patch(club.id, params.inboxId, payload), data)),
      remove: ({ params }) => CurrentMember.use(({ club }) => inboxes.remove(club.id, params.inboxId)),
      requests: ({ params, query }) =>
        CurrentMember.use(({ club }) => inboxes.requests(club.id, params.inboxId, query)),
      stream: ({ params }) =>
        placed(CurrentMember.use((member) => streams.follow(member, params.inboxId))).pipe(
          Effect.map((events) => HttpServerResponse.stream(events, eventStream))
        ),
      request: ({ params: { inboxId, requestId } }) =>
        CurrentMember.use((me) => Effect.map(inboxes.request(me.club.id, inboxId, requestId), flow(shownTo(me), data)))
    })
  })
)
