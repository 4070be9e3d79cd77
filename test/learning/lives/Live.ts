import { Effect } from "effect"
import { DeliveryId } from "../../../src/membership/catalog/Delivery.ts"
import { at, enrolledStudent, type foundClub, send } from "../../harness/App.ts"
import { makeEnrollment } from "../../harness/Makers.ts"

export type Club = Effect.Success<ReturnType<typeof foundClub>>
export type Student = Effect.Success<ReturnType<typeof enrolledStudent>>

/** A request of the club's owner below `/lives`. */
export const asStaff = (
  { path, token }: Pick<Club, "path" | "token">,
  method: "DELETE" | "GET" | "PATCH" | "POST",
  below = "",
  body?: unknown
) => send(method, `${path}/lives${below}`, { token, body })

export const announced = { title: "Roda de violão", starts_at: "2026-05-10T18:00:00.000Z" }

/** Announces a live. Returns its id. */
export const announce = (club: Club, given: object = {}) =>
  Effect.map(asStaff(club, "POST", "", { ...announced, ...given }), ({ json }) => String(at(json, "data", "id")))

export const open = (club: Club, id: string) => asStaff(club, "POST", `/${id}/open`)
export const close = (club: Club, id: string) => asStaff(club, "POST", `/${id}/close`)

/** A delivery with these lives. */
export const deliver = Effect.fnUntraced(function*({ path, token }: Club, ...ids: ReadonlyArray<string>) {
  const items = ids.map((id) => ({ kind: "live", id }))
  const { json } = yield* send("POST", `${path}/deliveries`, { token, body: { name: "Lives", items } })
  return { id: DeliveryId.make(String(at(json, "data", "id"))) }
})

/** A student who has these lives. */
export const attendee = Effect.fnUntraced(function*(club: Club, ...ids: ReadonlyArray<string>) {
  const student = yield* enrolledStudent(club)
  yield* makeEnrollment(club, student, yield* deliver(club, ...ids))
  return student
})

export const join = ({ path }: Club, { token }: Pick<Student, "token">, id: string) =>
  send("POST", `${path}/classroom/lives/${id}/join`, { token })

export const livesOf = ({ path }: Club, { token }: Pick<Student, "token">, query = "") =>
  send("GET", `${path}/classroom/lives${query}`, { token })
