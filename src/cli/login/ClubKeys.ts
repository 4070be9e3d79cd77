import { Effect, Redacted } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { hostname } from "node:os"
import { textAt } from "../output/Json.ts"
import { answerOf, oneOf } from "../remote/Answers.ts"
import { failed } from "../remote/Connection.ts"
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

const nameOfKey = () => `Command line on ${hostname()}`.slice(0, longestName)

/** Makes a key of the club for this machine, as the administrator whose session this is. */
export const makeKey = Effect.fnUntraced(function*(
  { club_id, role, session, url }: {
    readonly url: string
    readonly session: Redacted.Redacted
    readonly club_id: string
    readonly role: KeyRole
  }
) {
  const http = yield* HttpClient.HttpClient
  const request = HttpClientRequest.post(`${url}/v1/clubs/${club_id}/keys`).pipe(
    HttpClientRequest.bearerToken(session),
    HttpClientRequest.setHeader("idempotency-key", yield* onceOnly),
    HttpClientRequest.bodyText(JSON.stringify({ name: nameOfKey(), role }), "application/json")
  )
  const made = yield* oneOf(url, http.execute(request))
  const token = textAt(made, "token")
  if (token === "") return yield* failed(`${url} made a key without a token: is it of another version?`)
  const key: MadeKey = { key: Redacted.make(token), key_id: textAt(made, "id") }
  return key
})

/** Revokes the key that asks, at once. */
export const revokeOwnKey = Effect.fnUntraced(function*(url: string, key: Redacted.Redacted) {
  const http = yield* HttpClient.HttpClient
  yield* answerOf(url, http.execute(HttpClientRequest.bearerToken(HttpClientRequest.delete(`${url}/v1/key`), key)))
})
