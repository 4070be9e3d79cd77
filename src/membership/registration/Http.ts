import { Effect } from "effect"
import { CurrentMember, CurrentStudent } from "../../identity/people/Identity.ts"
import { versioned } from "../../platform/http/Contract.ts"
import { data } from "../../platform/http/Page.ts"
import { group } from "../../platform/http/server/group.ts"
import { RegistrationLinksApi, RegistrationsApi } from "./Api.ts"
import { RegistrationLinks } from "./RegistrationLinks.ts"
import { Registrations } from "./Registrations.ts"

/** Answers the routes of `RegistrationLinksApi`. */
export const RegistrationLinksHttp = group(
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
export const RegistrationsHttp = group(
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
