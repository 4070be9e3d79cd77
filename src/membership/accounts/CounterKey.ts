import { createHash } from "node:crypto"
import type { AccountScope } from "../../identity/people/AccountScope.ts"
import { currentSpelling } from "../../platform/http/Spelling.ts"

/** A key of a counter. Addresses leave the process only as a hash. */
export const counterKey = (...whose: ReadonlyArray<string>) =>
  createHash("sha256").update(JSON.stringify(whose)).digest("base64url")

/**
 * The key of an address in all its spellings, among administrators or in one club, and for one network if given. The
 * case of a club's id does not matter.
 */
export const emailCounterKey = (scope: AccountScope, email: string, ...network: readonly [string] | readonly []) =>
  scope.kind === "admin"
    ? counterKey("admin", currentSpelling(email), ...network)
    : counterKey("student", scope.organization_id.toLowerCase(), currentSpelling(email), ...network)
