import { createHash } from "node:crypto"
import type { Realm } from "../../identity/people/Realm.ts"

/** A counter's key. What it counts by leaves the process only as a hash. */
export const counterKey = (...whose: ReadonlyArray<string>) =>
  createHash("sha256").update(JSON.stringify(whose)).digest("base64url")

/** Of an address among administrators or in one club, whose id is the same in capitals; from one network if it is given. */
export const addressKey = (realm: Realm, email: string, ...network: readonly [string] | readonly []) =>
  realm.kind === "admin"
    ? counterKey("admin", email, ...network)
    : counterKey("student", realm.organization_id.toLowerCase(), email, ...network)
