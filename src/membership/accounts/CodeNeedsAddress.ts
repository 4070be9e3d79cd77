import { Context } from "effect"

/**
 * True if a mailed code needs its address. That holds if a browser keeps the session, since a code without its address
 * may be in anybody's link.
 */
export const CodeNeedsAddress = Context.Reference<boolean>("turma/membership/accounts/CodeNeedsAddress", {
  defaultValue: () => false
})
