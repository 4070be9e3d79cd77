import { Effect } from "effect"
import { at, foundClub, listAt, send } from "../../harness/App.ts"

export const unknownId = "018f0000-0000-7000-8000-000000000001"

/** A club, and functions for its owner's requests below its path. */
export const openContent = Effect.fnUntraced(function*() {
  const club = yield* foundClub()
  const call = (method: "DELETE" | "GET" | "PATCH" | "POST" | "PUT") => (path: string, body?: unknown) =>
    send(method, `${club.path}${path}`, { token: club.token, body })
  return {
    ...club,
    read: call("GET"),
    create: call("POST"),
    patch: call("PATCH"),
    put: call("PUT"),
    remove: call("DELETE")
  }
})

/** The id in an answer. */
export const idOf = (answer: { readonly json: unknown }) => String(at(answer.json, "data", "id"))
/** One field of every listed item. */
export const listed = (answer: { readonly json: unknown }, field: string) =>
  listAt(answer.json, "data").map((one) => at(one, field))
