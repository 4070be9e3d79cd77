import { Effect } from "effect"
import { asMember } from "../../identity/people/asMember.ts"
import { versioned } from "../../platform/http/Contract.ts"
import { data } from "../../platform/http/Page.ts"
import { group } from "../../platform/http/server/group.ts"
import { DeliveriesApi } from "./Api.ts"
import { CatalogDeliveries } from "./CatalogDeliveries.ts"
import { Cohorts } from "./Cohorts.ts"

/** Answers the routes of `DeliveriesApi`. */
export const DeliveriesHttp = group(
  versioned(DeliveriesApi),
  "deliveries",
  Effect.fn(function*(handlers) {
    const deliveries = yield* CatalogDeliveries
    const cohorts = yield* Cohorts
    return handlers.handleAll({
      list: asMember(({ query: { archived, ...page } }, { club }) =>
        deliveries.list(club.id, { ...page, archived: archived === "true" })
      ),
      create: asMember(({ payload }, { club }) => Effect.map(deliveries.create(club.id, payload), data)),
      get: asMember(({ params }, { club }) => Effect.map(deliveries.get(club.id, params.deliveryId), data)),
      update: asMember(({ params, payload }, { club }) =>
        Effect.map(deliveries.patch(club.id, params.deliveryId, payload), data)
      ),
      remove: asMember(({ params }, { club }) => deliveries.remove(club.id, params.deliveryId)),
      listCohorts: asMember(({ params, query }, { club }) => cohorts.list(club.id, params.deliveryId, query)),
      createCohort: asMember(({ params, payload }, { club }) =>
        Effect.map(cohorts.create(club.id, params.deliveryId, payload), data)
      ),
      getCohort: asMember(({ params: { cohortId, deliveryId } }, { club }) =>
        Effect.map(cohorts.get(club.id, deliveryId, cohortId), data)
      ),
      updateCohort: asMember(({ params: { cohortId, deliveryId }, payload }, { club }) =>
        Effect.map(cohorts.patch(club.id, deliveryId, cohortId, payload), data)
      ),
      removeCohort: asMember(({ params: { cohortId, deliveryId } }, { club }) =>
        cohorts.remove(club.id, deliveryId, cohortId)
      )
    })
  })
)
