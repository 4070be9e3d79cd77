import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { seesDocuments } from "../../../identity/authentication/Authentication.ts"
import { asMember } from "../../../identity/people/asMember.ts"
import { CurrentMember, type MemberIdentity } from "../../../identity/people/Identity.ts"
import { withoutDocuments, withoutDocumentsInBody } from "../../../identity/people/TaxDocuments.ts"
import { versioned } from "../../../platform/http/Contract.ts"
import { turnFor } from "../../../platform/http/json/Json.ts"
import { data, whole } from "../../../platform/http/Page.ts"
import { group } from "../../../platform/http/server/group.ts"
import { eventStream } from "../../../platform/http/ServerSentEvents.ts"
import { placed } from "../../history/live/placed.ts"
import { WebhookInboxesApi } from "./Api.ts"
import type { InboxRequestDetail } from "./Inbox.ts"
import { Inboxes } from "./Inboxes.ts"
import { InboxStreams } from "./InboxStreams.ts"

/** Anybody may have sent it, a sales platform too. */
const shownTo = Effect.fnUntraced(function*(member: MemberIdentity, request: InboxRequestDetail) {
  if (seesDocuments(member)) return request
  yield* turnFor(request.query.length + (request.body?.length ?? 0))
  return {
    ...request,
    query: withoutDocumentsInBody(request.query),
    headers: request.headers.map(({ name, value }) => ({ name, value: withoutDocuments(value) })),
    body: request.body === null ? null : withoutDocumentsInBody(request.body)
  } satisfies InboxRequestDetail
})

/** Answers the routes of `WebhookInboxesApi`. */
export const WebhookInboxesHttp = group(
  versioned(WebhookInboxesApi),
  "webhookInboxes",
  Effect.fn(function*(handlers) {
    const inboxes = yield* Inboxes
    const streams = yield* InboxStreams
    return handlers.handleAll({
      create: asMember(({ payload }, { club }) => Effect.map(inboxes.create(club.id, payload), data)),
      list: asMember((_, { club }) => Effect.map(inboxes.list(club.id), whole)),
      get: asMember(({ params }, { club }) => Effect.map(inboxes.get(club.id, params.inboxId), data)),
      update: asMember(({ params, payload }, { club }) =>
        Effect.map(inboxes.patch(club.id, params.inboxId, payload), data)
      ),
      remove: asMember(({ params }, { club }) => inboxes.remove(club.id, params.inboxId)),
      requests: asMember(({ params, query }, { club }) => inboxes.requests(club.id, params.inboxId, query)),
      stream: ({ params }) =>
        placed(CurrentMember.use((member) => streams.follow(member, params.inboxId))).pipe(Effect.map((events) =>
          HttpServerResponse.stream(events, eventStream)
        )),
      request: asMember(({ params: { inboxId, requestId } }, me) =>
        inboxes.request(me.club.id, inboxId, requestId).pipe(
          Effect.flatMap((request) => shownTo(me, request)),
          Effect.map(data)
        )
      )
    })
  })
)
