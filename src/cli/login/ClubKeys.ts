import { Effect, Redacted } from "effect"
import { hostname } from "node:os"
import { makeClient, type TurmaClient, withIdempotencyKey } from "../../Client.ts"
import { OrganizationId } from "../../identity/ids/ClubId.ts"
import { exitCodes } from "../errors/ExitCodes.ts"
import { textAt } from "../output/Json.ts"
import { note } from "../output/Write.ts"
import { serviceUrl } from "../profile/Address.ts"
import { shownKey } from "../profile/Profiles.ts"
import { answerOf, oneOf } from "../remote/Answers.ts"
import { bare, failed, parseId } from "../remote/Connection.ts"
import { onceOnly } from "../remote/Once.ts"

/** The role of a new key. */
export type KeyRole = "viewer" | "support" | "editor" | "admin"

/** A key as it is kept: its token, and the id by which it is revoked. */
export interface MadeKey {
  readonly key: Redacted.Redacted
  readonly key_id: string
}

/** Of this length at most (contract of keys). */
const longestName = 80

/** The name of a new key in the club's list. */
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

/** A new key, and its service. */
export interface Made {
  readonly url: string
  readonly key: Redacted.Redacted
}

/** Revokes a new key by itself, and reports the result. */
export const revokeMade = ({ key, url }: Made) =>
  Effect.gen(function*() {
    const service = yield* serviceUrl(url, "The profile")
    const client = yield* makeClient({ baseUrl: service, token: key })
    yield* answerOf(service, client.ownKey.revoke(bare))
    yield* note(`Revoked ${shownKey(key)}`)
  }).pipe(Effect.catchTag("CommandFailure", ({ exit_code, message }) =>
    exit_code === exitCodes.signedOut.code
      ? note(`The key ${shownKey(key)} had ended already`)
      : note(`turma: the key ${shownKey(key)} may still work, revoke it: ${message}`)))
