import { DateTime, Effect, Redacted } from "effect"
import { SessionStore } from "../../src/identity/sessions/SessionStore.ts"
import { at, foundClub, listAt, send } from "../harness/App.ts"
import { makeStudent } from "../harness/Makers.ts"

/** A student with this name, and their session. */
const studentCalled = Effect.fnUntraced(function*(club: Parameters<typeof makeStudent>[0], name: string) {
  const sessions = yield* SessionStore
  const student = yield* makeStudent(club, { name })
  const issued = yield* sessions.issue({ kind: "student", club_id: club.id, student_id: student.id })
  return { ...student, token: Redacted.value(issued.access_token) }
})

const dataId = (answer: { readonly json: unknown }) => String(at(answer.json, "data", "id"))

interface Person {
  readonly token: string
}

/** A club with a published community, two students, and what people do there. */
export const openCommunityWorld = Effect.fnUntraced(function*(locale: "en" | "pt-BR" = "pt-BR") {
  const club = yield* foundClub({ locale })
  const published_at = DateTime.formatIso(yield* DateTime.now)
  yield* send("PATCH", `${club.path}/community`, {
    token: club.token,
    body: { published_at, name: "Roda de violão", description: "Um lugar para tocar juntos e tirar dúvidas." }
  })
  const { json } = yield* send("GET", `${club.path}/community`, { token: club.token })
  const [announcements = "", general = ""] = listAt(json, "data", "spaces").map((space) => String(at(space, "id")))
  const own = `${club.path}/classroom`
  const posts = (space: string) => `${own}/community/spaces/${space}/posts`
  return {
    ...club,
    announcements,
    general,
    ana: yield* studentCalled(club, "Ana Souza"),
    bia: yield* studentCalled(club, "Bia Lima"),
    post: (person: Person, space: string, body: string, title: string | null = null) =>
      Effect.map(send("POST", posts(space), { token: person.token, body: { title, body } }), dataId),
    announce: (body: string, title: string) =>
      Effect.map(
        send("POST", `${club.path}/community/spaces/${announcements}/posts`, {
          token: club.token,
          body: { title, body }
        }),
        dataId
      ),
    comment: (person: Person, post: string, body: string, parent_id: string | null = null) =>
      Effect.map(
        send("POST", `${own}/community/posts/${post}/comments`, { token: person.token, body: { body, parent_id } }),
        dataId
      ),
    react: (person: Person, comment: string, emoji: string) =>
      send("PUT", `${own}/comments/${comment}/reactions/${encodeURIComponent(emoji)}`, { token: person.token }),
    moderate: (comment: string, body: unknown) =>
      send("PATCH", `${club.path}/comments/${comment}`, { token: club.token, body }),
    answer: (comment: string, body: string) =>
      Effect.map(
        send("POST", `${club.path}/comments/${comment}/replies`, { token: club.token, body: { body } }),
        dataId
      ),
    comments: (person: Person, post: string) =>
      send("GET", `${own}/community/posts/${post}/comments`, { token: person.token })
  }
})

export type CommunityWorld = Effect.Success<ReturnType<typeof openCommunityWorld>>
