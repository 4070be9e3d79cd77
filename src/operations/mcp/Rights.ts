import { Context, Option, Schema } from "effect"
import { administration, AllowedRoles } from "../../identity/authentication/Authentication.ts"
import { Role } from "../../identity/people/Role.ts"
import { allows, KeyFeature, Scope } from "../../identity/people/Scope.ts"
import type { ApiAnswer, ApiRequest } from "./ApiCall.ts"
import type { ContractOperation } from "./ContractOperations.ts"

/** A key's rights of today, and its club. */
export interface Rights {
  readonly key_id: string
  readonly organization_id: string
  readonly acts_as: Role
  /** Where they are null, its role alone says what it may. */
  readonly scopes: ReadonlyArray<Scope> | null
  /** Which of its tools the client wants; null for all. */
  readonly tools: ReadonlyArray<Scope> | null
}

/** Asks what the presented key is. */
export const rightsRequest: ApiRequest = { method: "GET", url: "/v1/key", headers: {} }

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Struct({
  data: Schema.Struct({
    id: Schema.String,
    organization_id: Schema.String,
    acts_as: Role,
    scopes: Schema.NullOr(Schema.Array(Scope))
  })
})))

/** The rights that an answer to it names. */
export const rightsIn = ({ body, status }: ApiAnswer): Option.Option<Rights> =>
  status === 200
    ? Option.map(decode(body), ({ data: { id, ...rights } }) => ({ key_id: id, ...rights, tools: null }))
    : Option.none()

/**
 * True if these rights let a key call the operation, so that tools are listed that it may use. The API decides by itself,
 * whatever is listed.
 */
export const mayCall = (
  { acts_as, scopes, tools }: Omit<Rights, "key_id">,
  { endpoint, group }: ContractOperation
): boolean => {
  const feature = Context.get(group.annotations, KeyFeature)
  const reads = endpoint.method === "GET"
  const roles = Context.get(endpoint.annotations, AllowedRoles) ?? (reads ? undefined : administration)
  return feature !== undefined && (roles === undefined || roles.includes(acts_as)) &&
    [scopes, tools].every((granted) => granted === null || allows(granted, feature, reads))
}
