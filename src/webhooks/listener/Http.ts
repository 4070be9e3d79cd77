import { Effect } from "effect"
import { RateLimited } from "../../identity/limits/RateLimit.ts"
import { asMember } from "../../identity/people/asMember.ts"
import { CurrentMember } from "../../identity/people/Identity.ts"
import { versioned } from "../../platform/http/Contract.ts"
import { data } from "../../platform/http/Page.ts"
import { retryAfter } from "../../platform/http/RetryAfter.ts"
import { group } from "../../platform/http/server/group.ts"
import { comeAgain } from "../history/live/placed.ts"
import { WebhookListenersApi } from "./Api.ts"
import { ListenerResults } from "./ListenerResults.ts"
import { Listeners } from "./Listeners.ts"

/** Answers the routes of `WebhookListenersApi`. */
export const WebhookListenersHttp = group(
  versioned(WebhookListenersApi),
  "webhookListeners",
  Effect.fn(function*(handlers) {
    const listeners = yield* Listeners
    const results = yield* ListenerResults
    return handlers.handleAll({
      create: asMember(({ payload }, { club }) => Effect.map(listeners.create(club.id, payload), data)),
      poll: ({ params, query }) =>
        CurrentMember.use(({ club, user }) =>
          listeners.poll({ club_id: club.id, endpoint_id: params.listenerId }, user.id, query)
        )
          .pipe(
            Effect.catchTag(
              "TooManyPolls",
              () => Effect.andThen(retryAfter(comeAgain), Effect.fail(new RateLimited()))
            ),
            Effect.map(data)
          ),
      record: asMember(({ params, payload }, { club }) =>
        Effect.map(results.record({ club_id: club.id, endpoint_id: params.listenerId }, payload.results), data)
      )
    })
  })
)
