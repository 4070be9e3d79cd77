import { Effect } from "effect"
import { CurrentMember } from "../../identity/people/Identity.ts"
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
      list: ({ query: { archived, ...page } }) =>
        CurrentMember.use(({ club }) => deliveries.list(club.id, { ...page, archived: archived === "true" })),
      create: ({ payload }) => CurrentMember.use(({ club }) => Effect.map(deliveries.create(club.id, payload), data)),
      get: ({ params }) =>
        CurrentMember.use(({ club }) => Effect.map(deliveries.get(club.id, params.deliveryId), data)),
      update: ({ params, payload }) =>
        CurrentMember.use(({ club }) => Effect.map(deliveries.patch(club.id, params.deliveryId, payload), data)),
      remove: ({ params }) => CurrentMember.use(({ club }) => deliveries.remove(club.id, params.deliveryId)),
      listCohorts: ({ params, query }) =>
        CurrentMember.use(({ club }) => cohorts.list(club.id, params.deliveryId, query)),
      createCohort: ({ params, payload }) =>
        CurrentMember.use(({ club }) => Effect.map(cohorts.create(club.id, params.deliveryId, payload), data)),
      getCohort: ({ params: { cohortId, deliveryId } }) =>
        CurrentMember.use(({ club }) => Effect.map(cohorts.get(club.id, deliveryId, cohortId), data)),
      updateCohort: ({ params: { cohortId, deliveryId }, payload }) =>
        CurrentMember.use(({ club }) => Effect.map(cohorts.patch(club.id, deliveryId, cohortId, payload), data)),
      removeCohort: ({ params: { cohortId, deliveryId } }) =>
        CurrentMember.use(({ club }) => cohorts.remove(club.id, deliveryId, cohortId))
    })
  })
)
