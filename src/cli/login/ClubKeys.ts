import { Effect, Redacted } from "effect"
import { hostname } from "node:os"
import { makeClient, type TurmaClient, withIdempotencyKey } from "../../Client.ts"
import { OrganizationId } from "../../identity/ids/ClubId.ts"
import { textAt } from "../output/Json.ts"
import { answerOf, oneOf } from "../remote/Answers.ts"
import { bare, failed, parseId } from "../remote/Connection.ts"
import { onceOnly } from "../remote/Once.ts"

/** What a key made here may do. */
export type KeyRole = "viewer" | "support" | "editor" | "admin"

/** A key as it is kept: its token, and the id by which it is revoked. */
export interface MadeKey {
  readonly key: Redacted.Redacted
  readonly key_id: string
}

/** Of this length at most (contract of keys). */
const longestName = 80

/** What a key made here is called in the club's list. */
export const keyName = () => `Command line on ${hostname()}`.slice(0, longestName)

/** Makes a key of the club for this machine, as the administrator whose session the client has. */
export const makeKey = Effect.fnUntraced(function*(
  url: string,
  client: TurmaClient,
  { club_id, role }: { readonly club_id: string; readonly role: KeyRole }
) {
  const params = { clubId: yield* parseId(OrganizationId, club_id, "a club") }
  const once = yield* onceOnly
  const request = client.keys.create({ params, payload: { name: keyName(), role }, ...bare })
  const made = yield* oneOf(url, withIdempotencyKey(once)(request))
  const token = textAt(made, "token")
  if (token === "") return yield* failed(`${url} made a key without a token: is it of another version?`)
  const key: MadeKey = { key: Redacted.make(token), key_id: textAt(made, "id") }
  return key
})

/** Revokes the key that asks, at once. */
export const revokeOwnKey = Effect.fnUntraced(function*(url: string, key: Redacted.Redacted) {
  const client = yield* makeClient({ baseUrl: url, token: key })
  yield* answerOf(url, client.ownKey.revoke(bare))
})
