import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { HttpMethod } from "effect/http"
import { at, listAt, send } from "../../../harness/App.ts"
import type { Asking } from "../../Registering.ts"

// Makes inboxes as administrators do, over HTTP.

export const createInbox = ({ path, token }: Asking, body: unknown = {}, headers = {}) =>
  send("POST", `${path}/webhook-inboxes`, { token, body, headers })

/** An inbox of the club. `path` is its own path, `play` is the path of its URL. */
export const makeInbox = Effect.fnUntraced(function*(club: Asking, told: unknown = {}) {
  const answer = yield* createInbox(club, told)
  assert.strictEqual(answer.status, 201, answer.text)
  const url = String(at(answer.json, "data", "url"))
  const id = String(at(answer.json, "data", "id"))
  return { id, url, play: new URL(url).pathname, path: `${club.path}/webhook-inboxes/${id}`, token: club.token }
})
export type MadeInbox = Effect.Success<ReturnType<typeof makeInbox>>

export const knock = (
  { play }: Pick<MadeInbox, "play">,
  { body, headers = {}, method = "POST", query = "" }: {
    readonly method?: HttpMethod.HttpMethod
    readonly body?: string | Uint8Array
    readonly query?: string
    readonly headers?: Record<string, string>
  } = {}
) => send(method, `${play}${query}`, { headers, ...(body === undefined ? {} : { body }) })

/** The taken requests, newest first. */
export const taken = ({ path, token }: Asking, query = "") =>
  Effect.map(send("GET", `${path}/requests${query}`, { token }), ({ json }) => listAt(json, "data"))

export const detail = ({ path, token }: Asking, request: unknown) =>
  Effect.map(send("GET", `${path}/requests/${String(at(request, "id"))}`, { token }), ({ json }) => at(json, "data"))
