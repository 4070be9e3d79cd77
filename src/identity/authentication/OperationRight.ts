import { Context } from "effect"
import type { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { either } from "../../platform/text/either.ts"
import type { MemberIdentity } from "../people/Identity.ts"
import { Role } from "../people/Role.ts"
import { allows, KeyFeature, scopeFor } from "../people/Scope.ts"
import { administration, AllowedRoles, Forbidden } from "./Authentication.ts"

/** An operation of the contract, with the group that it is in. */
interface Operation {
  readonly endpoint: HttpApiEndpoint.Top
  readonly group: HttpApiGroup.Top
}

/** An endpoint without `AllowedRoles` lets every member read and only the administration write. */
const rolesFor = ({ endpoint }: Operation): ReadonlyArray<Role> =>
  Context.get(endpoint.annotations, AllowedRoles) ?? (endpoint.method === "GET" ? Role.literals : administration)

/** True if a member with this role may call the operation. */
export const mayCall = (role: Role, operation: Operation): boolean => rolesFor(operation).includes(role)

const featureOf = ({ group }: Operation) => Context.get(group.annotations, KeyFeature)

const isRead = ({ endpoint }: Operation) => endpoint.method === "GET"

/** A key may what its role may, and of that only what its scopes say, where it has some. */
export const mayKeyCall = ({ credential, role }: MemberIdentity, operation: Operation): boolean => {
  const feature = featureOf(operation)
  if (credential.kind !== "key" || feature === undefined || !mayCall(role, operation)) return false
  const { scopes } = credential.key
  return scopes === null || allows(scopes, feature, isRead(operation))
}

const rolesWanted = (operation: Operation) => either(rolesFor(operation))

const forbidden = (message: string) => new Forbidden({ error: { message } })

const wantedOfKey = ({ credential, role }: MemberIdentity, operation: Operation): ReadonlyArray<string> => {
  const feature = featureOf(operation)
  if (credential.kind !== "key" || feature === undefined) return ["a member in person"]
  const { scopes } = credential.key
  const isInScope = scopes === null || allows(scopes, feature, isRead(operation))
  return [
    ...(mayCall(role, operation) ? [] : [`the role ${rolesWanted(operation)}, and the key acts as ${role}`]),
    ...(isInScope ? [] : [`the scope ${scopeFor(feature, isRead(operation))}, which the key does not have`])
  ]
}

/** The refusal of an operation to a member or a key of the club: it names the role or the scope that is wanted. */
export const forbiddenTo = (member: MemberIdentity, operation: Operation): Forbidden =>
  member.credential.kind === "key"
    ? forbidden(`The key may not do this here: the operation wants ${wantedOfKey(member, operation).join("; and ")}`)
    : forbidden(`Your role does not allow this here: the operation wants the role ${
      rolesWanted(operation)
    }, and yours is ${member.role}`)

/** The refusal of a key in a club that is another's, or that there is not. */
export const foreignKey = (): Forbidden =>
  forbidden("The key may not do this here: it belongs to another club, or its role, its scopes or its holder's role do not allow it")
