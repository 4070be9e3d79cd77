import { Effect } from "effect"
import { at, send } from "../../harness/App.ts"
import { announced, sendFile } from "../media/Files.ts"

interface Caller {
  readonly path: string
  readonly token: string
}

/** Begins the upload of a mentorship file. */
export const begin = ({ path, token }: Caller, body: unknown, headers: Record<string, string> = {}) =>
  send("POST", `${path}/mentorship-files`, { token, body, headers })

/** The id of the new upload. */
export const idOf = (begun: { readonly json: unknown }) => String(at(begun.json, "data", "media", "id"))

/** A request about a mentorship file: `of(club, "GET", id, "/download")`. */
export const of = ({ path, token }: Caller, method: "DELETE" | "GET" | "PATCH" | "POST", id: string, below = "") =>
  send(method, `${path}/mentorship-files/${id}${below}`, { token })

/** Reports that the client has sent the file. */
export const complete = (caller: Caller, begun: { readonly json: unknown }) =>
  of(caller, "POST", idOf(begun), "/complete")

/** A mentorship file that is sent but not confirmed. */
export const sent = Effect.fn("sent")(function*(caller: Caller, file: Buffer, given: Record<string, unknown> = {}) {
  const begun = yield* begin(caller, announced(file, given))
  yield* sendFile(begun, file)
  return begun
})

/** A mentorship file that is ready. Returns the id. */
export const uploaded = Effect.fn("uploaded")(function*(
  caller: Caller,
  file: Buffer,
  given: Record<string, unknown> = {}
) {
  const { json } = yield* complete(caller, yield* sent(caller, file, given))
  return String(at(json, "data", "id"))
})
