import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import type { EventType } from "../../src/events/EventType.ts"
import { ClubId } from "../../src/identity/ids/ClubId.ts"
import { SessionStore } from "../../src/identity/sessions/SessionStore.ts"
import { Clubs } from "../../src/membership/clubs/Clubs.ts"
import { makeStudent, makeUser } from "../harness/Makers.ts"
import { ask, post } from "../harness/Turma.ts"
import type { Stand } from "./Stand.ts"

/** The value at `path` in a body. */
export const at = (json: unknown, ...path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>((value, key) => Object(value)[key], json)

/** An endpoint, registered over HTTP. */
export interface Endpoint {
  readonly id: string
  readonly path: string
  readonly types: ReadonlyArray<EventType>
}

interface Place {
  readonly stand: Stand
  readonly api: string
}

/** The types of each endpoint. */
const lists: ReadonlyArray<ReadonlyArray<EventType>> = [
  ["student.created", "student.updated"],
  ["student.created"],
  ["student.updated"]
]

const register = Effect.fnUntraced(function*(
  { api, stand }: Place,
  club: { readonly base: string; readonly token: string },
  path: string,
  types: ReadonlyArray<EventType>
) {
  const body = { url: stand.target.urlOf(path), event_types: types }
  const answer = yield* post(`${api}${club.base}/webhook-endpoints`, body, club.token)
  if (answer.status !== 201) return yield* Effect.die(new Error(`No endpoint: ${answer.text}`))
  yield* stand.target.expect(path, String(at(answer.json, "data", "secret")))
  return { id: String(at(answer.json, "data", "id")), path, types } satisfies Endpoint
})

/** A club with a student, its owner's session and an endpoint for each list of types. */
export const foundClub = Effect.fn("foundClub")(function*(
  place: Place,
  name: string,
  endpointTypes: ReadonlyArray<ReadonlyArray<EventType>> = lists
) {
  const sql = yield* SqlClient.SqlClient
  const clubs = yield* Clubs
  const sessions = yield* SessionStore
  const owner = yield* makeUser()
  const { access_token } = yield* sessions.issue({ kind: "admin", user_id: owner.id })
  const { organization_id } = yield* clubs.create({ user: owner }, { name })
  const [row] = yield* sql`select id from clubs where organization_id = ${organization_id}`
  const id = ClubId.make(String(row?.["id"]))
  const club = { base: `/v1/clubs/${organization_id}`, token: Redacted.value(access_token) }
  const endpoints = yield* Effect.forEach(
    endpointTypes,
    (types, number) => register(place, club, `/${name}/${number}`, types)
  )
  return { id, ...club, student_id: (yield* makeStudent({ id })).id, endpoints }
})
export type Club = Effect.Success<ReturnType<typeof foundClub>>

/** Presses the test button. Answers the event's id if the API accepts it with a 202. */
export const pressTest = Effect.fnUntraced(function*(api: string, club: Club, endpoint: Endpoint) {
  const headers = { authorization: `Bearer ${club.token}` }
  const answer = yield* ask(`${api}${club.base}/webhook-endpoints/${endpoint.id}/test`, { method: "POST", headers })
  return answer.status === 202 ? String(at(answer.json, "data", "event_id")) : undefined
})
