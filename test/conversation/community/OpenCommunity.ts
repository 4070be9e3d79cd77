import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { at, enrolledStudent, foundClub, send } from "../../harness/App.ts"

export const unknownId = "018f0000-0000-7000-8000-000000000001"

interface Person {
  readonly token: string
}

/** The id in the answer. */
export const idOf = (answer: { readonly json: unknown; readonly text: string }): string => {
  const id = at(answer.json, "data", "id")
  if (typeof id !== "string") throw new Error(answer.text)
  return id
}

/** A club with a published community, its first two spaces, two students, and the calls of people in it. */
export const openCommunity = Effect.gen(function*() {
  const club = yield* foundClub({ locale: "en" })
  const { json } = yield* send("PATCH", `${club.path}/community`, {
    token: club.token,
    body: { published_at: "2026-01-01T00:00:00Z" }
  })
  const [announcements, general] = [0, 1].map((index) => String(at(json, "data", "spaces", index, "id")))
  const base = `${club.path}/community`
  return {
    ...club,
    community: String(at(json, "data", "id")),
    announcements: announcements ?? "",
    general: general ?? "",
    ana: yield* enrolledStudent(club),
    bia: yield* enrolledStudent(club),
    seen: ({ token }: Person) => send("GET", `${club.path}/classroom/community`, { token }),
    unpublish: send("PATCH", base, { token: club.token, body: { published_at: null } }),
    addSpace: (body: object) => Effect.map(send("POST", `${base}/spaces`, { token: club.token, body }), idOf),
    change: (space: string, body: object) => send("PATCH", `${base}/spaces/${space}`, { token: club.token, body }),
    archive: (space: string) => send("DELETE", `${base}/spaces/${space}`, { token: club.token }),
    posts: ({ token }: Person, space: string, query = "") =>
      send("GET", `${base}/spaces/${space}/posts${query}`, { token }),
    post: ({ token }: Person, space: string, body: unknown, headers: Record<string, string> = {}) =>
      send("POST", `${base}/spaces/${space}/posts`, {
        token,
        body: typeof body === "string" ? { body } : body,
        headers
      }),
    read: ({ token }: Person, id: string) => send("GET", `${base}/posts/${id}`, { token }),
    patch: ({ token }: Person, id: string, body: object) => send("PATCH", `${base}/posts/${id}`, { token, body }),
    remove: ({ token }: Person, id: string) => send("DELETE", `${base}/posts/${id}`, { token }),
    comments: ({ token }: Person, id: string) => send("GET", `${base}/posts/${id}/comments`, { token }),
    comment: ({ token }: Person, id: string, body: unknown) =>
      send("POST", `${base}/posts/${id}/comments`, { token, body: typeof body === "string" ? { body } : body })
  }
})

/** The point entries of a student, newest first. */
export const paid = Effect.fnUntraced(function*(student: { readonly id: string }) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`select action, origin_id from point_entries where student_id = ${student.id} order by id desc`
  return rows.map((row) => [at(row, "action"), at(row, "origin_id")])
})
