import { Context, Option, Schema } from "effect"
import { administration, AllowedRoles } from "../../identity/authentication/Authentication.ts"
import { Role } from "../../identity/people/Role.ts"
import type { ApiAnswer, ApiRequest } from "./AgentCaller.ts"
import type { ContractOperation } from "./ContractOperations.ts"

/** What somebody who calls tools may do, and in which club. */
export interface Rights {
  readonly organization_id: string
  readonly role: Role
}

/** Asks what the presented key is. */
export const rightsRequest: ApiRequest = { method: "GET", url: "/v1/me", headers: {} }

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Struct({
  data: Schema.Struct({
    organizations: Schema.NonEmptyArray(Schema.Struct({ organization_id: Schema.String, role: Role }))
  })
})))

/** The rights that an answer to it names. */
export const rightsIn = ({ body, status }: ApiAnswer): Option.Option<Rights> =>
  status === 200 ? Option.map(decode(body), ({ data }) => data.organizations[0]) : Option.none()

/** Whether these rights let somebody call the operation. The API decides by itself: this is for what it would refuse. */
export const mayCall = ({ role }: Rights, { endpoint }: ContractOperation): boolean => {
  const allowed = Context.get(endpoint.annotations, AllowedRoles)
  return allowed === undefined ? endpoint.method === "GET" || administration.includes(role) : allowed.includes(role)
}
