import { Context } from "effect"

/**
 * Whether a mailed code is taken with its address alone: where a browser keeps the session, since a code without its address
 * may be in anybody's link.
 */
export const CodeNeedsAddress = Context.Reference<boolean>("turma/membership/accounts/CodeNeedsAddress", {
  defaultValue: () => false
})
