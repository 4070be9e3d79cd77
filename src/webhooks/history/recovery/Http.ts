import { Effect } from "effect"
import { asMember } from "../../../identity/people/asMember.ts"
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
      create: asMember(({ params, payload }, member) =>
        Effect.map(recoveries.create(member, params.endpointId, payload), data)
      ),
      list: asMember(({ params, query }, { club }) => recoveries.list(club.id, params.endpointId, query)),
      get: asMember(({ params: { endpointId, recoveryId } }, { club }) =>
        Effect.map(recoveries.get(club.id, endpointId, recoveryId), data)
      ),
      drain: asMember(({ params }, { club }) => Effect.map(drains.get(club, params.endpointId), data)),
      update: asMember(({ params: { endpointId, recoveryId }, payload }, { club }) =>
        Effect.map(recoveries.patch(club.id, endpointId, recoveryId, payload), data)
      )
    })
  })
)
