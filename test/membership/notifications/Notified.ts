import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { Notifications } from "../../../src/membership/notifications/Notifications.ts"
import type { NewNotification } from "../../../src/membership/notifications/Notifications.ts"
import { at, enrolledStudent, foundClub, listAt, send } from "../../harness/App.ts"

interface Person {
  readonly token: string
}

/** The list as these tests compare it: each notification's fields by name. */
export const listed = (json: unknown, ...fields: ReadonlyArray<string>) =>
  listAt(json, "data").map((one) => fields.map((name) => at(one, ...name.split("."))))

/** The calls of the students of a club about notifications. */
export const callsOf = (club: { readonly path: string }) => {
  const all = `${club.path}/classroom/notifications`
  return {
    own: (student: Person, query = "") => send("GET", `${all}${query}`, { token: student.token }),
    kinds: (student: Person) =>
      Effect.map(
        send("GET", all, { token: student.token }),
        ({ json }) => listAt(json, "data").map((one) => at(one, "kind"))
      ),
    read: (student: Person, body: unknown = {}) => send("POST", `${all}/read`, { token: student.token, body }),
    settings: (student: Person) =>
      Effect.map(send("GET", `${all}/settings`, { token: student.token }), ({ json }) => at(json, "data")),
    choose: (student: Person, mail: string) =>
      send("PATCH", `${all}/settings`, { token: student.token, body: { mail } })
  }
}

/** A club with two students, and the calls about notifications. */
export const openNotifiedClub = Effect.gen(function*() {
  const notifications = yield* Notifications
  const club = yield* foundClub({ locale: "pt-BR" })
  const [ana, bia] = [yield* enrolledStudent(club), yield* enrolledStudent(club)]
  const base = { student_id: ana.id, kind: "reply", title: "Respirar", text: "Deite-se.", target: {} } as const
  return {
    ...club,
    ...callsOf(club),
    ana,
    bia,
    /** Notifies Ana of a reply, unless the test says otherwise. */
    notify: (...all: ReadonlyArray<Partial<NewNotification>>) =>
      notifications.add(club.id, all.map((one) => ({ ...base, ...one }))),
    notifications,
    forget: (student: { readonly id: string }) =>
      Effect.map(
        send("DELETE", `${club.path}/students/${student.id}`, { token: club.token }),
        ({ status, text }) => assert.strictEqual(status, 204, text)
      )
  }
})
