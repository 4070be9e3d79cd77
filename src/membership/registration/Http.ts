import { Effect } from "effect"
import { asMember, asStudent } from "../../identity/people/asMember.ts"
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
      list: asMember(({ query }, { club }) => links.list(club, query)),
      create: asMember(({ payload }, { club }) => Effect.map(links.create(club, payload), data)),
      get: asMember(({ params }, { club }) => Effect.map(links.get(club, params.linkId), data)),
      update: asMember(({ params, payload }, { club }) => Effect.map(links.patch(club, params.linkId, payload), data)),
      remove: asMember(({ params }, { club }) => links.remove(club, params.linkId))
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
      register: asStudent(({ payload }, { club, student }) =>
        Effect.map(registrations.register(club.id, student.id, payload.code), data)
      )
    })
  })
)
