import { Context } from "effect"
import { HttpApi, type HttpApiEndpoint, type HttpApiGroup } from "effect/http-api"
import {
  AllowedRoles,
  ClubKeyHolder,
  ClubMember,
  ClubMemberInPerson,
  ClubPerson,
  ClubStudent
} from "../identity/authentication/Authentication.ts"
import { KeyFeature } from "../identity/people/Scope.ts"
import { either } from "../platform/text/either.ts"

const membersOf = (endpoint: HttpApiEndpoint.Top) => {
  const roles = Context.get(endpoint.annotations, AllowedRoles)
  if (roles !== undefined) return either(roles)
  return endpoint.method === "GET" ? "every member" : "every member but a viewer"
}

const keysOf = (endpoint: HttpApiEndpoint.Top, group: HttpApiGroup.Top) =>
  `Scoped keys need \`${Context.get(group.annotations, KeyFeature)}:${endpoint.method === "GET" ? "read" : "write"}\`.`

/** The people that a club route lets in; undefined for a route outside clubs. */
const audienceOf = (endpoint: HttpApiEndpoint.Top, group: HttpApiGroup.Top): string | undefined => {
  const keys = new Set([...endpoint.middlewares].map(({ key }) => key))
  if (keys.has(ClubMember.key)) return `For ${membersOf(endpoint)}. ${keysOf(endpoint, group)}`
  if (keys.has(ClubMemberInPerson.key)) return `For ${membersOf(endpoint)}, in person: no key may do this.`
  if (keys.has(ClubPerson.key)) {
    return `For ${membersOf(endpoint)} and every student of the club. ${keysOf(endpoint, group)}`
  }
  if (keys.has(ClubKeyHolder.key)) return "For every key of a club."
  return keys.has(ClubStudent.key) ? "For every student of the club." : undefined
}

/** The people that each club route lets in, in words, by the id of its operation. */
export const audiencesOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
): Record<string, string> => {
  const audiences: Record<string, string> = {}
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group }) => {
      const audience = audienceOf(endpoint, group)
      if (audience !== undefined) audiences[`${group.identifier}.${endpoint.identifier}`] = audience
    }
  })
  return audiences
}
