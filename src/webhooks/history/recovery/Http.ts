import { Effect } from "effect"
import { CurrentMember } from "../../../identity/people/Identity.ts"
import { versioned } from "../../../platform/http/Contract.ts"
import { data } from "../../../platform/http/Page.ts"
import { group } from "../../../platform/http/server/group.ts"
import { WebhookRecoveriesApi } from "./Api.ts"
import { Drains } from "./Drains.ts"
import { Recoveries } from "./Recoveries.ts"

/** Answers the routes of `WebhookRecoveriesApi`. */
export const WebhookRecoveriesHttp = group(
  versioned(WebhookRecoveriesApi),
  "webhookRecoveries",
  Effect.fn(function*(handlers) {
    const drains = yield* Drains
    const recoveries = yield* Recoveries
    return handlers.handleAll({
      create: ({ params, payload }) =>
        CurrentMember.use((member) => Effect.map(recoveries.create(member, params.endpointId, payload), data)),
      list: ({ params, query }) => CurrentMember.use(({ club }) => recoveries.list(club.id, params.endpointId, query)),
      get: ({ params: { endpointId, recoveryId } }) =>
        CurrentMember.use(({ club }) => Effect.map(recoveries.get(club.id, endpointId, recoveryId), data)),
      drain: ({ params }) => CurrentMember.use(({ club }) => Effect.map(drains.get(club, params.endpointId), data)),
      update: ({ params: { endpointId, recoveryId }, payload }) =>
        CurrentMember.use(({ club }) => Effect.map(recoveries.patch(club.id, endpointId, recoveryId, payload), data))
    })
  })
)
