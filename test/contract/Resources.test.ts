import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { PointAction } from "../../src/learning/gamification/Gamification.ts"
import { AppLayer, at, enrolledStudent, foundClub, listAt, send } from "../harness/App.ts"
import { assertData, assertEach, assertPage, type Call } from "./Answers.ts"
import {
  boolean,
  integer,
  listOf,
  none,
  nullOr,
  oneOf,
  randomUuid,
  record,
  type Shape,
  string,
  timestamp,
  uuid
} from "./Shape.ts"

// Contract, Resources and their fields: each of a record's fields and no other, in the answer of every route.

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
  created_at: timestamp,
  logo_media_id: nullOr(uuid),
  cover_media_id: nullOr(uuid),
  accent: nullOr(string),
  welcome: nullOr(string),
  logo_url: nullOr(string),
  cover_url: nullOr(string)
})
const Member = record({ id: uuid, name: string, email: string, role: Role, created_at: timestamp })
const Invitation = record({ id: uuid, email: string, role: Role, created_at: timestamp, expires_at: timestamp })

const RankingEntry = record({
  student: record({ id: uuid, name: string }),
  points: integer,
  level: Level,
  position: integer
})
const Ranking = record({
  data: listOf(RankingEntry),
  me: record({ points: integer, level: Level, position: nullOr(integer) }),
  next_cursor: nullOr(string)
})
const entryOf = (staffs: { readonly reason: Shape; readonly actor_user_id: Shape }) =>
  record({
    id: uuid,
    action: oneOf("adjustment"),
    origin_id: uuid,
    points: integer,
    created_at: timestamp,
    ...staffs
  })
const statementOf = (entry: Shape) => record({ total: integer, level: Level, entries: listOf(entry) })
const PointEntry = entryOf({ reason: string, actor_user_id: uuid })
const Statement = statementOf(PointEntry)
const Standing = record({
  enabled: boolean,
  points: integer,
  level: Level,
  next_level: nullOr(Level),
  levels: listOf(Level)
})

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

const eventTypes = [
  "student.created",
  "student.updated",
  "student.removed",
  "access.granted",
  "access.revoked",
  "access.extended",
  "access.shortened",
  "access.restored",
  "access.moved",
  "purchase.paid",
  "purchase.refunded",
  "subscription.past_due",
  "subscription.canceled",
  "lesson.completed",
  "course.completed",
  "webhook.test"
]
const object: Shape = (value, path = "data") =>
  typeof value === "object" && value !== null ? [] : [`${path}: not an object`]
const WebhookEventType = record({ type: oneOf(...eventTypes), description: string, schema: object, example: object })
const endpointFields = {
  id: uuid,
  kind: oneOf("https", "listener"),
  url: string,
  description: string,
  status: oneOf("enabled", "paused", "disabled"),
  event_types: listOf(oneOf(...eventTypes)),
  notices: boolean,
  hold_until: nullOr(timestamp),
  disabled_reason: nullOr(oneOf("failing", "manual")),
  disabled_at: nullOr(timestamp),
  consecutive_failures: integer,
  last_success_at: nullOr(timestamp),
  last_failure_at: nullOr(timestamp),
  previous_secret_expires_at: nullOr(timestamp),
  signing: oneOf("hmac", "both"),
  public_key: nullOr(string),
  listening_until: nullOr(timestamp),
  inbox_id: nullOr(string),
  filter: nullOr(record({})),
  header_names: none,
  max_per_second: nullOr(integer),
  max_in_flight: nullOr(integer),
  drain_rate: nullOr(integer),
  created_at: timestamp,
  updated_at: timestamp
}
const deliveryFields = {
  id: uuid,
  endpoint_id: uuid,
  event_id: uuid,
  event_type: oneOf(...eventTypes),
  status: oneOf("pending", "succeeded", "failed", "canceled"),
  cancel_reason: nullOr(oneOf("expired", "student_removed", "endpoint_disabled", "endpoint_deleted")),
  payload_purged: boolean,
  attempts_count: integer,
  next_attempt_at: nullOr(timestamp),
  last_attempt_at: nullOr(timestamp),
  last_status_code: nullOr(integer),
  last_error: nullOr(string),
  student_id: nullOr(uuid),
  created_at: timestamp,
  finished_at: nullOr(timestamp)
}
layer(AppLayer)("The fields of the contract", (it) => {
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

// The fields that the contract leaves open and http-surface fixes.
layer(AppLayer)("The fields beside the contract", (it) => {
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
      const own = yield* send("GET", `${club.path}/classroom/points`, student)
      assertPage(own, statementOf(entryOf({ reason: oneOf(null), actor_user_id: oneOf(null) })))
      yield* assertEach(student.token, Standing, [["GET", `${club.path}/classroom/gamification`]])
    }))

  it.effect("are those of the ranking, to students with their own place beside it", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const student = yield* enrolledStudent(club)
      const body = { points: 5, reason: "a" }
      yield* send("POST", `${club.path}/students/${student.id}/points`, { token: club.token, body })
      for (const period of ["7d", "30d", "all"]) {
        assertPage(yield* send("GET", `${club.path}/gamification/ranking?period=${period}`, club), listOf(RankingEntry))
        const seen = yield* send("GET", `${club.path}/classroom/ranking?period=${period}`, { token: student.token })
        assert.deepStrictEqual(Ranking(seen.json, "body"), [], seen.text)
      }
    }))

  it.effect("are those of a webhook endpoint, with its secret where that is new", () =>
    Effect.gen(function*() {
      const { path, token } = yield* foundClub()
      assertPage(yield* send("GET", `${path}/webhook-event-types`, { token }), listOf(WebhookEventType))
      const body = { url: "https://93.184.215.14/", event_types: ["student.created"] }
      const made = yield* send("POST", `${path}/webhook-endpoints`, { token, body })
      const endpoint = `${path}/webhook-endpoints/${String(at(made.json, "data", "id"))}`
      const withSecret = record({ ...endpointFields, secret: string })
      assertData(made, withSecret)
      assertData(yield* send("POST", `${endpoint}/rotate-secret`, { token }), withSecret)
      yield* assertEach(token, record(endpointFields), [
        ["GET", endpoint],
        ["PATCH", endpoint, { status: "paused" }],
        ["PATCH", endpoint, { status: "disabled" }]
      ])
      assertPage(yield* send("GET", `${path}/webhook-endpoints`, { token }), listOf(record(endpointFields)))
    }))

  it.effect("are those of a webhook listener, of what it is handed and of what it tells", () =>
    Effect.gen(function*() {
      const { path, token } = yield* foundClub()
      const made = yield* send("POST", `${path}/webhook-listeners`, {
        token,
        body: { event_types: ["student.created"] }
      })
      assertData(made, record({ ...endpointFields, secret: string }))
      const id = String(at(made.json, "data", "id"))
      yield* send("POST", `${path}/webhook-endpoints/${id}/test`, { token })
      const polled = yield* send("GET", `${path}/webhook-listeners/${id}/deliveries`, { token })
      const headers = Object
        .fromEntries(["content-type", "user-agent", "webhook-id", "webhook-timestamp", "webhook-signature"].map((
          name
        ) => [name, string]))
      const Handed = record({
        delivery_id: uuid,
        event_id: uuid,
        attempt: integer,
        receipt: string,
        headers: record(headers),
        body: string
      })
      assertData(polled, record({ deliveries: listOf(Handed) }))
      const [{ delivery_id, receipt }] = Object(at(polled.json, "data", "deliveries"))
      const results = [{ delivery_id, receipt, status_code: 200, error: null, duration_ms: 3 }]
      yield* assertEach(token, record({ recorded: integer, ignored: integer }), [
        ["POST", `${path}/webhook-listeners/${id}/results`, { results }]
      ])
    }))

  it.effect("are those of a webhook delivery, an event, and how an endpoint does", () =>
    Effect.gen(function*() {
      const { path, token } = yield* foundClub()
      const body = { url: "https://93.184.215.14/", event_types: ["student.created"] }
      const made = yield* send("POST", `${path}/webhook-endpoints`, { token, body })
      const endpoint = `${path}/webhook-endpoints/${String(at(made.json, "data", "id"))}`
      const tested = yield* send("POST", `${endpoint}/test`, { token })
      const Delivery = record(deliveryFields)
      assertData(tested, Delivery)
      const delivery = `${endpoint}/deliveries/${String(at(tested.json, "data", "id"))}`
      assertData(yield* send("POST", `${delivery}/resend`, { token }), Delivery)
      assertPage(yield* send("GET", `${endpoint}/deliveries`, { token }), listOf(Delivery))
      const since = "1970-01-01T00:00:00Z"
      const payload = record({
        id: uuid,
        type: oneOf("webhook.test"),
        occurred_at: timestamp,
        club_id: randomUuid,
        data: record({ message: string, endpoint_id: uuid })
      })
      const Cause = record({
        cause: oneOf("waiting"),
        status_code: nullOr(integer),
        at: nullOr(timestamp),
        sentence: string,
        next_step: string
      })
      const counts = { succeeded: integer, failed: integer, canceled: integer, pending: integer }
      const shapes: ReadonlyArray<readonly [Shape, Call]> = [
        [record({ ...deliveryFields, payload, attempts: none, diagnosis: Cause }), ["GET", delivery]],
        [record({ recovered: integer }), ["POST", `${endpoint}/recover`, { since }]],
        [
          record({
            window: oneOf("24h"),
            capped: boolean,
            ...counts,
            p50_ms: nullOr(integer),
            p95_ms: nullOr(integer)
          }),
          ["GET", `${endpoint}/stats`]
        ],
        [
          record({
            id: uuid,
            type: oneOf("webhook.test"),
            student_id: nullOr(uuid),
            created_at: timestamp,
            payload_purged: boolean,
            payload,
            deliveries: listOf(Delivery),
            diagnoses: listOf(record({ delivery_id: uuid, diagnosis: Cause }))
          }),
          ["GET", `${path}/webhook-events/${String(at(tested.json, "data", "event_id"))}`]
        ]
      ]
      for (const [shape, call] of shapes) yield* assertEach(token, shape, [call])
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

layer(AppLayer)("A failure", (it) => {
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
