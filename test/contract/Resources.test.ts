import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { HttpMethod } from "effect/http"
import { PointAction } from "../../src/gamification/Gamification.ts"
import { AppLayer, at, enrolledStudent, foundClub, listAt, send } from "../support/App.ts"
import {
  boolean,
  integer,
  listOf,
  nullOr,
  oneOf,
  randomUuid,
  record,
  type Shape,
  string,
  timestamp,
  uuid
} from "./Shape.ts"

// Contract, Resources and their fields: each of a record's fields and no other, whichever route answers it.

const actions = [
  "lesson_completed",
  "course_completed",
  "quiz_passed",
  "assignment_approved",
  "comment_posted",
  "post_published",
  "live_attended"
]

const Rule = record({ action: oneOf(...actions), points: integer, daily_cap: nullOr(integer) })
const Level = record({ id: uuid, name: string, min_points: integer })
const Gamification = record({
  enabled: boolean,
  ranking_visible: boolean,
  rules: listOf(Rule),
  levels: listOf(Level)
})

const Space = record({
  id: uuid,
  name: string,
  access: oneOf("community", "delivery"),
  visibility: oneOf("members", "public", "hidden"),
  posting: oneOf("members", "staff"),
  position: integer,
  archived: boolean,
  created_at: timestamp,
  description: string
})
const Community = record({
  id: uuid,
  name: string,
  description: string,
  spaces: listOf(Space),
  created_at: timestamp,
  published_at: nullOr(timestamp)
})

const Role = oneOf("owner", "admin", "editor", "support", "viewer")
const Me = record({
  id: uuid,
  name: string,
  email: string,
  verified: boolean,
  organizations: listOf(record({ organization_id: randomUuid, name: string, role: Role, slug: string }))
})

const Club = record({
  organization_id: randomUuid,
  name: string,
  slug: string,
  time_zone: string,
  locale: oneOf("pt-BR", "en"),
  sign_up_open: boolean,
  created_at: timestamp
})
const Member = record({ id: uuid, name: string, email: string, role: Role, created_at: timestamp })
const Invitation = record({ id: uuid, email: string, role: Role, created_at: timestamp, expires_at: timestamp })

const PointEntry = record({
  id: uuid,
  action: oneOf("adjustment"),
  origin_id: uuid,
  points: integer,
  reason: string,
  actor_user_id: uuid,
  created_at: timestamp
})
const Statement = record({ total: integer, level: Level, entries: listOf(PointEntry) })
const Standing = record({ enabled: boolean, points: integer, level: Level, next_level: nullOr(Level) })

const Session = record({
  id: uuid,
  kind: oneOf("admin", "student"),
  created_at: timestamp,
  last_seen_at: timestamp,
  expires_at: timestamp,
  current: boolean
})
const CurrentSession = record({
  session: Session,
  account: record({ id: uuid, name: string, email: string, verified: boolean }),
  club_id: nullOr(randomUuid)
})

type Call = readonly [method: HttpMethod.HttpMethod, path: string, body?: unknown]

interface Answer {
  readonly json: unknown
  readonly text: string
}

/** The body is the wrapper `data` alone, and what it holds has the shape. */
const assertData = ({ json, text }: Answer, shape: Shape) => {
  assert.deepStrictEqual(record({ data: shape })(json, "body"), [], text)
}

const assertPage = ({ json, text }: Answer, shape: Shape) => {
  assert.deepStrictEqual(record({ data: shape, next_cursor: nullOr(string) })(json, "body"), [], text)
}

const assertEach = Effect.fnUntraced(function*(token: string, shape: Shape, calls: ReadonlyArray<Call>) {
  for (const [method, path, body] of calls) {
    assertData(yield* send(method, path, { token, ...(body === undefined ? {} : { body }) }), shape)
  }
})

layer(AppLayer, { timeout: "60 seconds" })("The fields of the contract", (it) => {
  it.effect("are those of Gamification, Rule and Level", () =>
    Effect.gen(function*() {
      const { path, token } = yield* foundClub()
      const levels = [{ name: "A", min_points: 0 }, { name: "B", min_points: 1 }]
      yield* assertEach(token, Gamification, [
        ["GET", `${path}/gamification`],
        ["PUT", `${path}/gamification/levels`, { levels }],
        ["PATCH", `${path}/gamification`, { enabled: false }]
      ])
    }))

  it.effect("are those of Gamification for students too", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const { token } = yield* enrolledStudent(club)
      yield* assertEach(token, Gamification, [["GET", `${club.path}/gamification`]])
    }))

  it.effect("are, of PointAction, the seven with a rule in their order, and adjustment in the statement alone", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual<ReadonlyArray<string>>(PointAction.literals, [...actions, "adjustment"])
      const club = yield* foundClub()
      const { json } = yield* send("GET", `${club.path}/gamification`, club)
      assert.deepStrictEqual(listAt(json, "data", "rules").map((rule) => at(rule, "action")), actions)
    }))

  it.effect("are those of Community and Space, published or not", () =>
    Effect.gen(function*() {
      const { path, token } = yield* foundClub()
      const { json } = yield* send("GET", `${path}/community`, { token })
      const ids = listAt(json, "data", "spaces").map((space) => at(space, "id"))
      yield* assertEach(token, Community, [
        ["GET", `${path}/community`],
        ["PATCH", `${path}/community`, { published_at: "2026-01-31T12:00:00Z" }],
        ["GET", `${path}/community`],
        ["PATCH", `${path}/community`, { published_at: null }],
        ["PUT", `${path}/community/spaces/order`, { ids }]
      ])
      yield* assertEach(token, Space, [
        ["POST", `${path}/community/spaces`, { name: "A" }],
        ["PATCH", `${path}/community/spaces/${String(ids[0])}`, { name: "B" }]
      ])
    }))

  it.effect("are those of Me", () =>
    Effect.gen(function*() {
      const { token } = yield* foundClub()
      yield* assertEach(token, Me, [["GET", "/v1/me"], ["PATCH", "/v1/me", { name: "A" }]])
    }))
})

// What the contract leaves open and http-surface fixes.
layer(AppLayer, { timeout: "60 seconds" })("The fields beside the contract", (it) => {
  it.effect("are those of a club, its members and its invitations", () =>
    Effect.gen(function*() {
      const { owner, path, token } = yield* foundClub()
      yield* assertEach(token, Club, [
        ["POST", "/v1/clubs", { name: "A" }],
        ["GET", path],
        ["PATCH", path, { name: "B" }]
      ])
      yield* assertEach(token, Member, [["PATCH", `${path}/members/${owner.id}`, { role: "owner" }]])
      assertPage(yield* send("GET", `${path}/members`, { token }), listOf(Member))
      const body = { email: "a@b.example", role: "viewer" }
      yield* assertEach(token, Invitation, [["POST", `${path}/members/invitations`, body]])
      assertPage(yield* send("GET", `${path}/members/invitations`, { token }), listOf(Invitation))
    }))

  it.effect("are those of a student's points", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const student = yield* enrolledStudent(club)
      const points = `${club.path}/students/${student.id}/points`
      yield* assertEach(club.token, PointEntry, [["POST", points, { points: 5, reason: "a" }]])
      assertPage(yield* send("GET", points, club), Statement)
      yield* assertEach(student.token, Standing, [["GET", `${club.path}/classroom/gamification`]])
    }))

  it.effect("are those of a session, of either identity", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const student = yield* enrolledStudent(club)
      for (const { token } of [club, student]) {
        yield* assertEach(token, CurrentSession, [["GET", "/v1/auth/session"]])
        assertPage(yield* send("GET", "/v1/auth/sessions", { token }), listOf(Session))
      }
    }))
})

layer(AppLayer, { timeout: "60 seconds" })("A failure", (it) => {
  const envelope = record({ error: record({ code: string, message: string }) })

  it.effect("is a code and a message and nothing else", () =>
    Effect.gen(function*() {
      const { path, token } = yield* foundClub()
      const failures = [
        yield* send("GET", "/v1/nowhere"),
        yield* send("DELETE", "/v1/me", { token }),
        yield* send("GET", "/v1/me"),
        yield* send("GET", "/v1/clubs/malformed", { token }),
        yield* send("PATCH", path, { token, body: "{" }),
        yield* send("PATCH", path, { token, body: { name: "" } }),
        yield* send("DELETE", `${path}/members/malformed`, { token })
      ]
      assert.deepStrictEqual(failures.map(({ status }) => status), [404, 405, 401, 403, 400, 422, 404])
      for (const { json, text } of failures) assert.deepStrictEqual(envelope(json, "body"), [], text)
    }))
})
