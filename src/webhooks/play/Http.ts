import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { CurrentMember } from "../../identity/people/Identity.ts"
import { versioned } from "../../platform/http/Contract.ts"
import { TemporarilyUnavailable } from "../../platform/http/errors.ts"
import { data, whole } from "../../platform/http/Page.ts"
import { retryAfter } from "../../platform/http/RetryAfter.ts"
import { group } from "../../platform/http/server/group.ts"
import { eventStream } from "../../platform/http/ServerSentEvents.ts"
import { DeliveryStreamLimit } from "../live/DeliveryEvent.ts"
import { WebhookInboxesApi } from "./Api.ts"
import { Inboxes } from "./Inboxes.ts"
import { InboxStreams } from "./InboxStreams.ts"

/** After so many seconds there may be room for a stream. */
const comeAgain = 5

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
        CurrentMember.use((member) => streams.follow(member, params.inboxId)).pipe(
          Effect.catchTags({
            NoPlace: () => Effect.andThen(retryAfter(comeAgain), Effect.fail(new DeliveryStreamLimit())),
            ProcessFull: () => Effect.andThen(retryAfter(comeAgain), Effect.fail(new TemporarilyUnavailable()))
          }),
          Effect.map((events) => HttpServerResponse.stream(events, eventStream))
        ),
      request: ({ params: { inboxId, requestId } }) =>
        CurrentMember.use(({ club }) => Effect.map(inboxes.request(club.id, inboxId, requestId), data))
    })
  })
)
