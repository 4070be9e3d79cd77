import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Events } from "../../../../src/events/Events.ts"
import { Retention } from "../../../../src/webhooks/engine/retention/Retention.ts"
import { Assembler } from "../../../../src/webhooks/events/assembly/Assembler.ts"
import { created, updated } from "../../../events/EventsLayer.ts"
import { at, listAt, outcome, send, tokenAs } from "../../../harness/App.ts"
import { makeStudent } from "../../../harness/Makers.ts"
import { saturday } from "../../engine/retention/Rows.ts"
import { idsIn, list, register, sendTest } from "../../Registering.ts"
import {
  clubWithStudent,
  cursorIn,
  FeedLayer,
  happen,
  nextIn,
  numbersIn,
  readFeed,
  scopedKey,
  signedInAgain,
  signUps
} from "./Reading.ts"

const first = (answer: { readonly json: unknown }) => at(answer.json, "data", 0)

layer(FeedLayer)("The feed of a club's events", (it) => {
  it.effect("has each with its body as it is sent and its deliveries as they are, oldest first", () =>
    Effect.gen(function*() {
      const club = yield* clubWithStudent
      const endpoint = yield* register(club)
      const [one, two] = yield* happen(club, created(club.student), updated(club.student))
      const answer = yield* readFeed(club)
      assert.strictEqual(answer.status, 200)
      assert.strictEqual(answer.headers["cache-control"], "no-store")
      assert.deepStrictEqual<unknown>(idsIn(answer), [one, two])
      assert.deepStrictEqual(numbersIn(answer), [1, 2])
      const [delivery] = listAt((yield* list(endpoint)).json, "data")
      const { body } = yield* Effect.map(
        Effect.flatMap(
          SqlClient.SqlClient,
          (sql) => sql`select convert_from(body, 'UTF8') as body from webhook_messages where id = ${one ?? ""}`
        ),
        ([row]) => ({ body: String(row?.["body"]) })
      )
      const event = first(answer)
      assert.deepInclude(event, {
        id: one,
        type: "student.created",
        student_id: club.student.id,
        occurred_at: DateTime.formatIso(saturday),
        created_at: DateTime.formatIso(DateTime.add(saturday, { seconds: 2 })),
        payload_purged: false,
        payload: JSON.parse(body),
        deliveries: [delivery]
      })
      // No endpoint lists the type of the second event.
      assert.deepStrictEqual(at(answer.json, "data", 1, "deliveries"), [])
      assert.strictEqual(at(answer.json, "data", 1, "payload", "type"), "student.updated")
      const wanted = yield* send("GET", `${club.path}/webhook-events/${two}`, club)
      assert.deepStrictEqual(at(wanted.json, "data", "deliveries"), [])
      assert.deepStrictEqual(at(wanted.json, "data", "payload"), at(answer.json, "data", 1, "payload"))
    }))

  it.effect("goes on behind the cursor of any page or event, also of the last one, whatever came meanwhile", () =>
    Effect.gen(function*() {
      const club = yield* clubWithStudent
      yield* signUps(club, 3)
      const page = yield* readFeed(club, "?limit=2")
      assert.deepStrictEqual(numbersIn(page), [1, 2])
      assert.strictEqual(nextIn(page), cursorIn(page))
      const last = yield* readFeed(club, `?limit=2&cursor=${nextIn(page)}`)
      assert.deepStrictEqual(numbersIn(last), [3])
      assert.isNull(nextIn(last))
      const empty = yield* readFeed(club, `?after=${cursorIn(last)}`)
      assert.deepStrictEqual(numbersIn(empty), [])
      assert.strictEqual(cursorIn(empty), cursorIn(last))
      yield* signUps(club, 2)
      for (const answer of [last, empty]) {
        assert.deepStrictEqual(numbersIn(yield* readFeed(club, `?after=${cursorIn(answer)}`)), [4, 5])
      }
      const second = String(at(page.json, "data", 1, "cursor"))
      assert.deepStrictEqual(numbersIn(yield* readFeed(club, `?after=${second}`)), [3, 4, 5])
      // `cursor` continues the page before, so it overrides `after`.
      assert.deepStrictEqual(numbersIn(yield* readFeed(club, `?after=latest&cursor=${second}`)), [3, 4, 5])
    }))

  it.effect("begins behind all there are with after=latest, also where there is none yet", () =>
    Effect.gen(function*() {
      const club = yield* clubWithStudent
      for (const count of [2, 1]) {
        const latest = yield* readFeed(club, "?after=latest")
        assert.deepStrictEqual([numbersIn(latest), nextIn(latest)], [[], null])
        const made = yield* signUps(club, count)
        assert.deepStrictEqual<unknown>(idsIn(yield* readFeed(club, `?after=${cursorIn(latest)}`)), made)
      }
      const empty = yield* readFeed(yield* clubWithStudent)
      assert.deepStrictEqual([numbersIn(empty), nextIn(empty), typeof cursorIn(empty)], [[], null, "string"])
    }))

  it.effect("begins with what was assembled since a moment", () =>
    Effect.gen(function*() {
      const club = yield* clubWithStudent
      yield* signUps(club, 2)
      yield* TestClock.adjust("1 hour")
      const since = DateTime.formatIso(DateTime.add(yield* DateTime.now, { seconds: 2 }))
      yield* signUps(club, 1)
      assert.deepStrictEqual(numbersIn(yield* readFeed(club, `?since=${since}`)), [3])
      const later = DateTime.formatIso(DateTime.add(yield* DateTime.now, { seconds: 1 }))
      assert.deepStrictEqual(numbersIn(yield* readFeed(club, `?since=${later}`)), [])
    }))

  it.effect("is filtered by type and by student", () =>
    Effect.gen(function*() {
      const club = yield* clubWithStudent
      const other = yield* makeStudent(club)
      yield* happen(club, created(club.student), created(other), updated(club.student), updated(other))
      const asked = (query: string) => Effect.map(readFeed(club, query), numbersIn)
      assert.deepStrictEqual(yield* asked("?type=student.updated"), [3, 4])
      assert.deepStrictEqual(yield* asked("?type=purchase.paid"), [])
      assert.deepStrictEqual(yield* asked(`?student_id=${other.id.toUpperCase()}`), [2, 4])
      assert.deepStrictEqual(yield* asked(`?student_id=${other.id}&type=student.created`), [2])
      const none = yield* readFeed(club, "?type=purchase.paid")
      assert.deepStrictEqual(yield* asked(`?after=${cursorIn(none)}`), [])
    }))

  it.effect("leaves out tests, which are of one endpoint", () =>
    Effect.gen(function*() {
      const club = yield* clubWithStudent
      assert.strictEqual((yield* sendTest(yield* register(club))).status, 202)
      assert.deepStrictEqual(numbersIn(yield* readFeed(club)), [])
    }))

  it.effect("has what waited for longer than bodies are kept, without its body", () =>
    Effect.gen(function*() {
      const club = yield* clubWithStudent
      yield* register(club)
      yield* Effect.flatMap(Events, ({ record }) => record(club.id, created(club.student)))
      yield* TestClock.adjust("40 days")
      yield* Effect.flatMap(Assembler, ({ assemble }) => assemble())
      const event = first(yield* readFeed(yield* signedInAgain(club)))
      assert.deepInclude(event, { number: 1, payload: null, payload_purged: true })
      assert.strictEqual(at(event, "deliveries", 0, "cancel_reason"), "expired")
    }))

  it.effect("refuses what is no place of it: another club's, one of its future, and what is none at all", () =>
    Effect.gen(function*() {
      const [club, stranger] = [yield* clubWithStudent, yield* clubWithStudent]
      yield* signUps(club, 1)
      yield* signUps(stranger, 2)
      const theirs = cursorIn(yield* readFeed(stranger))
      for (const query of [`after=${theirs}`, `cursor=${theirs}`, "after=none", "cursor=latest"]) {
        assert.deepStrictEqual(outcome(yield* readFeed(club, `?${query}`)), [400, "invalid_cursor"], query)
      }
      // In one assembly, the first event of each club has the same position.
      const [one, two] = [yield* clubWithStudent, yield* clubWithStudent]
      yield* Effect.flatMap(Events, ({ record }) => record(one.id, created(one.student)))
      yield* happen(two, created(two.student))
      const same = cursorIn(yield* readFeed(two))
      for (const query of [`?after=${same}`, `?cursor=${same}`, `/stream?after=${same}`]) {
        assert.deepStrictEqual(outcome(yield* readFeed(one, query)), [400, "invalid_cursor"], query)
      }
      const headers = { "last-event-id": same }
      const followed = yield* send("GET", `${one.path}/events/stream`, { token: one.token, headers })
      assert.deepStrictEqual(outcome(followed), [400, "invalid_cursor"])
      // After a restored backup, the place can name an event that this history does not have.
      const sql = yield* SqlClient.SqlClient
      const lost = cursorIn(yield* readFeed(club))
      yield* sql`delete from webhook_feed_events where club_id = ${club.id}`
      yield* sql`delete from webhook_feeds where club_id = ${club.id}`
      yield* TestClock.adjust("1 second")
      yield* signUps(club, 3)
      assert.deepStrictEqual(outcome(yield* readFeed(club, `?after=${lost}`)), [400, "invalid_cursor"])
    }))

  it.effect("goes on behind a cursor of 0.2.0, which names no club, and answers one that does", () =>
    Effect.gen(function*() {
      const club = yield* clubWithStudent
      yield* signUps(club, 3)
      const kept: unknown = JSON.parse(Buffer.from(cursorIn(yield* readFeed(club, "?limit=1")), "base64url").toString())
      const old = Buffer.from(JSON.stringify({ position: at(kept, "position") })).toString("base64url")
      const page = yield* readFeed(club, `?after=${old}`)
      assert.deepStrictEqual(numbersIn(page), [2, 3])
      const named: unknown = JSON.parse(Buffer.from(cursorIn(page), "base64url").toString())
      assert.strictEqual(at(named, "club"), club.path.split("/").at(-1))
    }))

  it.effect("is for administrators of the club, and keys that may read webhooks", () =>
    Effect.gen(function*() {
      const [club, stranger] = [yield* clubWithStudent, yield* clubWithStudent]
      const editor = yield* tokenAs(club, "editor")
      for (const path of ["/events", "/events/stream"]) {
        assert.strictEqual((yield* send("GET", `${club.path}${path}`, { token: editor })).status, 403)
        assert.strictEqual((yield* send("GET", `${club.path}${path}`, { token: stranger.token })).status, 403)
        assert.strictEqual((yield* send("GET", `${club.path}${path}`)).status, 401)
        const other = yield* scopedKey(club, "students:read")
        assert.strictEqual((yield* send("GET", `${club.path}${path}`, other)).status, 403)
      }
    }))
})

layer(FeedLayer)("An erased student", (it) => {
  it.effect("has no body in the feed, of what no endpoint wanted either, and has student.removed alone", () =>
    Effect.gen(function*() {
      const club = yield* clubWithStudent
      const other = yield* makeStudent(club)
      yield* register(club)
      const sql = yield* SqlClient.SqlClient
      yield* happen(club, created(club.student), updated(club.student), created(other))
      const { eraseStudent, record } = yield* Events
      assert.deepInclude(yield* eraseStudent(club.id, club.student.id), { bodies: 2 })
      yield* record(club.id, updated(club.student))
      yield* TestClock.adjust("2 seconds")
      yield* Effect.flatMap(Assembler, ({ assemble }) => assemble())
      const events = listAt((yield* readFeed(club)).json, "data")
      assert.deepStrictEqual(
        events.map((event) => [at(event, "type"), at(event, "payload_purged"), at(event, "payload") === null]),
        [
          ["student.created", true, true],
          ["student.updated", true, true],
          ["student.created", false, false],
          ["student.removed", false, false]
        ]
      )
      assert.deepStrictEqual(at(events[3], "payload", "data"), { student: { id: club.student.id } })
      const left = yield* sql`
        select 1 from webhook_messages where club_id = ${club.id} and convert_from(body, 'UTF8') like ${`%${club.student.email}%`}`
      assert.deepStrictEqual(left, [])
    }))
})

layer(FeedLayer)("What is past its age", (it) => {
  it.effect("has no body after 30 days and is in no page after 90, before and after it is deleted", () =>
    Effect.gen(function*() {
      const club = yield* clubWithStudent
      yield* register(club)
      yield* signUps(club, 2)
      const start = cursorIn(yield* readFeed(club, "?limit=1"))
      yield* TestClock.adjust("30 days")
      const month = yield* signedInAgain(club)
      const event = first(yield* readFeed(month))
      assert.deepInclude(event, { number: 1, payload: null, payload_purged: true })
      assert.strictEqual((yield* send("GET", `${club.path}/webhook-events/${at(event, "id")}`, month)).status, 200)
      yield* TestClock.adjust("10 days")
      yield* signUps(club, 1)
      yield* TestClock.adjust("50 days")
      const end = cursorIn(yield* readFeed(yield* signedInAgain(club)))
      const look = Effect.gen(function*() {
        const now = yield* signedInAgain(club)
        assert.deepStrictEqual(numbersIn(yield* readFeed(now)), [3])
        assert.deepStrictEqual(numbersIn(yield* readFeed(now, `?since=${DateTime.formatIso(saturday)}`)), [3])
        assert.deepStrictEqual(outcome(yield* readFeed(now, `?after=${start}`)), [410, "cursor_expired"])
        assert.deepStrictEqual(numbersIn(yield* readFeed(now, `?after=${end}`)), [])
      })
      yield* look
      // The whole week of these events is past its age by now.
      yield* TestClock.adjust("8 days")
      yield* Effect.flatMap(Retention, ({ sweep }) => sweep)
      const sql = yield* SqlClient.SqlClient
      yield* look
      assert.lengthOf(yield* sql`select 1 from webhook_feed_events where club_id = ${club.id}`, 1)
      // A reader that was at the end has missed nothing.
      yield* TestClock.adjust("90 days")
      const later = yield* signedInAgain(club)
      assert.deepStrictEqual(numbersIn(yield* readFeed(later, `?after=${end}`)), [])
      yield* signUps(club, 1)
      assert.deepStrictEqual(numbersIn(yield* readFeed(later, `?after=${end}`)), [4])
    }).pipe(Effect.provide(Retention.layer)))
})
