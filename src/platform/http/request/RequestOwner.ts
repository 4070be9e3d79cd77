import { Context, Option } from "effect"

/**
 * Whose request this is: the id of the session that the authentication middleware found, of either identity. None
 * outside sessions. Platform code needs no more of an identity than this.
 */
export const RequestOwner = Context.Reference<Option.Option<string>>("turma/platform/http/request/RequestOwner", {
  defaultValue: Option.none
})
