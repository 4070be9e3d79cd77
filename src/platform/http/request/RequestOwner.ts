import { Context, Option } from "effect"

/**
 * The owner of this request: the id of the session that the authentication middleware found, of either identity. `None`
 * outside of sessions. Platform code needs only this part of an identity.
 */
export const RequestOwner = Context.Reference<Option.Option<string>>("turma/platform/http/request/RequestOwner", {
  defaultValue: Option.none
})
