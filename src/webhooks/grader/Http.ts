import { Duration, Effect } from "effect"
import { RateLimited } from "../../identity/limits/RateLimit.ts"
import { CurrentMember } from "../../identity/people/Identity.ts"
import { versioned } from "../../platform/http/Contract.ts"
import { data } from "../../platform/http/Page.ts"
import { retryAfter } from "../../platform/http/RetryAfter.ts"
import { group } from "../../platform/http/server/group.ts"
import { WebhookGradingsApi } from "./Api.ts"
import { Gradings } from "./Gradings.ts"

/** Then the first of the hour counts no more, whichever it was. */
const comeAgain = Duration.toSeconds("1 hour")

/** Answers the routes of `WebhookGradingsApi`. */
export const WebhookGradingsHttp = group(
  versioned(WebhookGradingsApi),
  "webhookGradings",
  Effect.fn(function*(handlers) {
    const gradings = yield* Gradings
    return handlers.handleAll({
      begin: ({ params }) =>
        CurrentMember.use(({ club }) => Effect.map(gradings.begin(club, params.endpointId), data)).pipe(
          Effect.catchTag(
            "RateLimited",
            () => Effect.andThen(retryAfter(comeAgain), Effect.fail(new RateLimited()))
          )
        ),
      list: ({ params, query }) => CurrentMember.use(({ club }) => gradings.list(club.id, params.endpointId, query)),
      get: ({ params: { endpointId, gradingId } }) =>
        CurrentMember.use(({ club }) => Effect.map(gradings.get(club.id, endpointId, gradingId), data))
    })
  })
)
