import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { randomUUID } from "node:crypto"
import { AppLayer, at, enrolledStudent, foundClub, listAt, outcome, send } from "../../harness/App.ts"
import { makeEnrollment } from "../../harness/Makers.ts"
import { warmPool } from "../../harness/Pool.ts"
import { momentOf } from "../gamification/Classroom.ts"
import { announce, asStaff, attendee, close, type Club, deliver, join, livesOf, open, type Student } from "./Live.ts"

const url = "https://meet.example/roda"

const idsIn = (answer: { readonly json: unknown }) => listAt(answer.json, "data").map((live) => at(live, "id"))

const pointsOf = ({ path }: Club, { token }: Student) =>
  Effect.map(send("GET", `${path}/classroom/gamification`, { token }), ({ json }) => at(json, "data", "points"))

layer(AppLayer)("A student's lives", (it) => {
  it.effect("are those of the deliveries they have now, the latest start first", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const club = yield* foundClub()
      const ids: Array<string> = []
      for (const day of ["11", "13", "12"]) ids.push(yield* announce(club, { starts_at: `2026-05-${day}T18:00:00Z` }))
      const [first = "", second = "", third = ""] = ids
      yield* deliver(club, yield* announce(club))
      const student = yield* attendee(club, first, second, third)
      assert.deepStrictEqual(idsIn(yield* livesOf(club, student)), [second, third, first])
      const page = yield* livesOf(club, student, "?limit=2")
      const rest = yield* livesOf(club, student, `?limit=2&cursor=${String(at(page.json, "next_cursor"))}`)
      assert.deepStrictEqual([page, rest].flatMap(idsIn), [second, third, first])
      yield* asStaff(club, "DELETE", `/${third}`)
      assert.deepStrictEqual(idsIn(yield* livesOf(club, student)), [second, first])
      yield* sql`
        update enrollments set revoked_at = ${new Date(0)}, revoke_reason = 'manual' where student_id = ${student.id}`
      assert.deepStrictEqual(idsIn(yield* livesOf(club, student)), [])
    }))

  it.effect("come once, though they are in two deliveries", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const id = yield* announce(club)
      const student = yield* attendee(club, id)
      yield* makeEnrollment(club, student, yield* deliver(club, id))
      assert.deepStrictEqual(idsIn(yield* livesOf(club, student)), [id])
    }))

  it.effect("tell where they take place only while they are open", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const id = yield* announce(club, { url, description: "Traga o violão" })
      const student = yield* attendee(club, id)
      const seen: Array<unknown> = []
      const look = Effect.map(livesOf(club, student), ({ json }) => {
        seen.push([at(json, "data", 0, "status"), at(json, "data", 0, "url")])
        return at(json, "data", 0)
      })
      const live = yield* look
      yield* open(club, id)
      yield* look
      yield* close(club, id)
      yield* look
      assert.deepStrictEqual(seen, [["scheduled", null], ["open", url], ["ended", null]])
      assert.deepStrictEqual<unknown>(live, {
        id,
        title: "Roda de violão",
        description: "Traga o violão",
        url: null,
        starts_at: "2026-05-10T18:00:00.000Z",
        ends_at: null,
        status: "scheduled",
        joined_at: null
      })
    }))

  it.effect("refuse a cursor that is none", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const student = yield* enrolledStudent(club)
      assert.deepStrictEqual(outcome(yield* livesOf(club, student, "?cursor=x")), [400, "invalid_cursor"])
    }))
})

layer(AppLayer)("Joining a live", (it) => {
  it.effect("answers the live, since when and what it paid, which is in the statement", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(momentOf("2026-05-10T18:05:00Z"))
      const club = yield* foundClub()
      const id = yield* announce(club, { url })
      const student = yield* attendee(club, id)
      yield* open(club, id)
      const answer = yield* join(club, student, id)
      const joined_at = "2026-05-10T18:05:00.000Z"
      assert.strictEqual(answer.status, 200)
      assert.deepStrictEqual<unknown>(answer.json, {
        data: {
          live: {
            id,
            title: "Roda de violão",
            description: "",
            url,
            starts_at: "2026-05-10T18:00:00.000Z",
            ends_at: null,
            status: "open",
            joined_at
          },
          joined_at,
          points_awarded: 20
        }
      })
      const statement = yield* send("GET", `${club.path}/students/${student.id}/points`, { token: club.token })
      const entry = at(statement.json, "data", "entries", 0)
      assert.deepStrictEqual([at(entry, "action"), at(entry, "origin_id"), at(entry, "points")], [
        "live_attended",
        id,
        20
      ])
    }))

  it.effect("again answers the first time and pays no more", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const id = yield* announce(club)
      const student = yield* attendee(club, id)
      yield* open(club, id)
      const first = yield* join(club, student, id)
      yield* TestClock.adjust("10 minutes")
      const again = yield* join(club, student, id)
      const joined_at = at(first.json, "data", "joined_at")
      assert.deepStrictEqual([again.status, at(again.json, "data", "joined_at")], [200, joined_at])
      assert.deepStrictEqual(at(again.json, "data", "live", "joined_at"), joined_at)
      assert.deepStrictEqual([at(again.json, "data", "points_awarded"), yield* pointsOf(club, student)], [0, 20])
      assert.strictEqual(at((yield* livesOf(club, student)).json, "data", 0, "joined_at"), joined_at)
    }))

  it.effect("needs an open live, also of who was there", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const id = yield* announce(club)
      const student = yield* attendee(club, id)
      const refused = [409, "live_not_open"]
      assert.deepStrictEqual(outcome(yield* join(club, student, id)), refused)
      yield* open(club, id)
      yield* join(club, student, id)
      yield* close(club, id)
      assert.deepStrictEqual(outcome(yield* join(club, student, id)), refused)
      assert.deepStrictEqual(outcome(yield* join(club, yield* attendee(club, id), id)), refused)
    }))

  it.effect("answers 404 for a live that the student does not have, that is none, or of another club", () =>
    Effect.gen(function*() {
      const [club, foreign] = [yield* foundClub(), yield* foundClub()]
      const [id, theirs] = [yield* announce(club), yield* announce(foreign)]
      for (const [of, live] of [[club, id], [foreign, theirs]] as const) yield* open(of, live)
      yield* attendee(foreign, theirs)
      const student = yield* enrolledStudent(club)
      const late = yield* enrolledStudent(club)
      const expires_at = yield* DateTime.now
      const starts_at = DateTime.subtract(expires_at, { days: 1 })
      yield* makeEnrollment(club, late, yield* deliver(club, id), { starts_at, expires_at })
      const answers = [
        yield* join(club, student, id),
        yield* join(club, late, id),
        yield* join(club, student, theirs),
        yield* join(club, student, randomUUID()),
        yield* join(club, student, "nope")
      ]
      for (const answer of answers) assert.deepStrictEqual(outcome(answer), [404, "not_found"])
      assert.deepStrictEqual(listAt((yield* asStaff(club, "GET", `/${id}/attendances`)).json, "data"), [])
    }))

  it.effect("50 times at once is one attendance and one award", () =>
    Effect.gen(function*() {
      yield* warmPool
      const club = yield* foundClub()
      const id = yield* announce(club)
      const student = yield* attendee(club, id)
      yield* open(club, id)
      const answers = yield* Effect.all(Array.from({ length: 50 }, () => join(club, student, id)), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(answers.map(({ status }) => status), Array<number>(50).fill(200))
      const paid = answers.map(({ json }) => at(json, "data", "points_awarded")).filter((points) => points !== 0)
      assert.deepStrictEqual(paid, [20])
      assert.strictEqual(yield* pointsOf(club, student), 20)
      assert.lengthOf(listAt((yield* asStaff(club, "GET", `/${id}/attendances`)).json, "data"), 1)
    }))

  it.effect("is not for members", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const id = yield* announce(club)
      assert.deepStrictEqual(outcome(yield* join(club, club, id)), [401, "unauthenticated"])
    }))
})
