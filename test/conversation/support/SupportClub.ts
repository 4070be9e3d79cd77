import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { Role } from "../../../src/identity/people/Role.ts"
import { at, enrolledStudent, foundClub, listAt, send, tokenOf } from "../../harness/App.ts"
import { makeMember } from "../../harness/Makers.ts"

interface Person {
  readonly token: string
}

interface Answer {
  readonly json: unknown
  readonly text: string
}

export const unknownId = "018f0000-0000-7000-8000-000000000001"

/** The id in the answer. */
export const idOf = ({ json, text }: Answer): string => {
  const id = at(json, "data", "id")
  return typeof id === "string" ? id : assert.fail(text)
}

/** One field of every item in the list. */
export const listed = ({ json }: Answer, field: string) => listAt(json, "data").map((item) => at(item, field))

/** The students' calls. The first argument is the caller. */
const studentCalls = (conversations: string) => ({
  open: (student: Person, subject = "Boleto", body = "Não chegou", headers: Record<string, string> = {}) =>
    send("POST", conversations, { token: student.token, body: { subject, body }, headers }),
  say: (student: Person, id: string, body = "E agora?", headers: Record<string, string> = {}) =>
    send("POST", `${conversations}/${id}/messages`, { token: student.token, body: { body }, headers }),
  own: (student: Person, query = "") => send("GET", `${conversations}${query}`, { token: student.token }),
  ownOne: (student: Person, id: string) => send("GET", `${conversations}/${id}`, { token: student.token }),
  ownMessages: (student: Person, id: string, query = "") =>
    send("GET", `${conversations}/${id}/messages${query}`, { token: student.token }),
  ownRead: (student: Person, id: string) => send("POST", `${conversations}/${id}/read`, { token: student.token })
})

/** The staff's calls. The caller is the club's owner, unless the test names another member. */
const staffCalls = (conversations: string, owner: Person) => ({
  reply: (id: string, body = "Já vejo", member = owner, headers: Record<string, string> = {}) =>
    send("POST", `${conversations}/${id}/messages`, { token: member.token, body: { body }, headers }),
  inbox: (query = "", member = owner) => send("GET", `${conversations}${query}`, { token: member.token }),
  one: (id: string, member = owner) => send("GET", `${conversations}/${id}`, { token: member.token }),
  messages: (id: string, query = "", member = owner) =>
    send("GET", `${conversations}/${id}/messages${query}`, { token: member.token }),
  change: (id: string, body: unknown, member = owner) =>
    send("PATCH", `${conversations}/${id}`, { token: member.token, body }),
  read: (id: string, member = owner) => send("POST", `${conversations}/${id}/read`, { token: member.token })
})

/** A club with two students, and the calls of students and staff about conversations. */
export const openSupportClub = Effect.gen(function*() {
  const club = yield* foundClub()
  const staff = `${club.path}/support/conversations`
  const calls = staffCalls(staff, club)
  return {
    ...club,
    ana: yield* enrolledStudent(club),
    bia: yield* enrolledStudent(club),
    ...studentCalls(`${club.path}/classroom/support/conversations`),
    ...calls,
    /** A member with this role, and their session. */
    member: Effect.fnUntraced(function*(role: Role) {
      const user = yield* makeMember(club, role)
      return { ...user, token: yield* tokenOf(user) }
    }),
    /** The number of messages in a conversation that this member has not read. */
    unread: (id: string, member: Person = club) =>
      Effect.map(calls.one(id, member), ({ json }) => at(json, "data", "unread_count")),
    setRole: (user: { readonly id: string }, role: Role) =>
      send("PATCH", `${club.path}/members/${user.id}`, { token: club.token, body: { role } }),
    dismiss: (user: { readonly id: string }) =>
      send("DELETE", `${club.path}/members/${user.id}`, { token: club.token }),
    forget: (student: { readonly id: string }) =>
      send("DELETE", `${club.path}/students/${student.id}`, { token: club.token })
  }
})
export type SupportClub = Effect.Success<typeof openSupportClub>
