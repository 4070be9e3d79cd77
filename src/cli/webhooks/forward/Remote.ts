import { Effect, type Redacted } from "effect"
import type { OrganizationId } from "../../../identity/ids/ClubId.ts"
import { connection } from "../../remote/Connection.ts"

/** The service to ask, the club, and the key. */
export interface Remote {
  readonly url: string
  readonly key: Redacted.Redacted
  readonly club_id: OrganizationId
}

/** The service as every command asks it: by a profile, or as the environment names it. */
export const remote = Effect.gen(function*() {
  const { club, key, url } = yield* connection
  const found: Remote = { url, key, club_id: yield* club }
  return found
})
