import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { CurrentMember, CurrentStudent } from "../../identity/people/Identity.ts"
import { versioned } from "../../platform/http/Contract.ts"
import { data } from "../../platform/http/Page.ts"
import { RegistrationLinks } from "../registration/RegistrationLinks.ts"
import { Registrations } from "../registration/Registrations.ts"
import { DeliveriesApi, RegistrationLinksApi, RegistrationsApi } from "./Api.ts"
import { CatalogDeliveries } from "./CatalogDeliveries.ts"
import { Cohorts } from "./Cohorts.ts"

/** Answers the routes of `DeliveriesApi`. */
export const DeliveriesHttp = HttpApiBuilder.group(
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

/** Answers the routes of `RegistrationLinksApi`. */
export const RegistrationLinksHttp = HttpApiBuilder.group(
  versioned(RegistrationLinksApi),
  "registrationLinks",
  Effect.fn(function*(handlers) {
    const links = yield* RegistrationLinks
    return handlers.handleAll({
      list: ({ query }) => CurrentMember.use(({ club }) => links.list(club, query)),
      create: ({ payload }) => CurrentMember.use(({ club }) => Effect.map(links.create(club, payload), data)),
      get: ({ params }) => CurrentMember.use(({ club }) => Effect.map(links.get(club, params.linkId), data)),
      update: ({ params, payload }) =>
        CurrentMember.use(({ club }) => Effect.map(links.patch(club, params.linkId, payload), data)),
      remove: ({ params }) => CurrentMember.use(({ club }) => links.remove(club, params.linkId))
    })
  })
)

/** Answers the routes of `RegistrationsApi`. */
export const RegistrationsHttp = HttpApiBuilder.group(
  versioned(RegistrationsApi),
  "registrations",
  Effect.fn(function*(handlers) {
    const registrations = yield* Registrations
    return handlers.handleAll({
      register: ({ payload }) =>
        CurrentStudent.use(({ club, student }) =>
          Effect.map(registrations.register(club.id, student.id, payload.code), data)
        )
    })
  })
)
