import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { SessionStore } from "../../../src/identity/sessions/SessionStore.ts"
import { AppLayer, at, enrolledStudent, foundClub, listAt, outcome, send, tokenOf } from "../../harness/App.ts"
import { makeMember } from "../../harness/Makers.ts"
import { SpansLayer, statements } from "../../harness/Statements.ts"
import {
  admins,
  bothSides,
  currentSession,
  grantedBy,
  registered,
  signedIn,
  signIn,
  studentsOf
} from "../../membership/accounts/People.ts"

const unauthenticated = [401, "unauthenticated"]
const notFound = [404, "not_found"]

const list = (token: string, query = "") => send("GET", `/v1/auth/sessions${query}`, { token })
const idOf = (answer: { readonly json: unknown }) => String(at(answer.json, "data", "session", "id"))

layer(AppLayer.pipe(Layer.provideMerge(SpansLayer)))("A session", (it) => {
  it.effect("of an administrator says whose it is, and is of no club", () =>
    Effect.gen(function*() {
      const { email, token } = yield* signedIn(admins)
      const { json, status } = yield* currentSession(token)
      assert.strictEqual(status, 200)
      assert.isNull(at(json, "data", "club_id"))
      assert.strictEqual(at(json, "data", "session", "kind"), "admin")
      assert.isTrue(at(json, "data", "session", "current"))
      const me = yield* send("GET", "/v1/me", { token })
      const account = { id: at(me.json, "data", "id"), name: "Ana Souza", email, verified: true }
      assert.deepStrictEqual(at(json, "data", "account"), account)
    }))

  it.effect("of a student says whose it is and of which club", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const { email, token } = yield* signedIn(studentsOf(club))
      const { json } = yield* currentSession(token)
      assert.strictEqual(at(json, "data", "club_id"), club.organization_id)
      assert.strictEqual(at(json, "data", "session", "kind"), "student")
      assert.strictEqual(at(json, "data", "account", "email"), email)
      assert.isTrue(at(json, "data", "account", "verified"))
    }))

  for (const [person, makeSide] of bothSides) {
    it.effect(`of ${person} ends at once when it is deleted`, () =>
      Effect.gen(function*() {
        const { token } = yield* signedIn(yield* makeSide)
        const ended = yield* send("DELETE", "/v1/auth/session", { token })
        assert.deepStrictEqual([ended.status, ended.text], [204, ""])
        assert.deepStrictEqual(outcome(yield* currentSession(token)), unauthenticated)
        assert.deepStrictEqual(outcome(yield* send("DELETE", "/v1/auth/session", { token })), unauthenticated)
      }))

    it.effect(`of ${person} is in the list of theirs, newest first, and knows itself`, () =>
      Effect.gen(function*() {
        const side = yield* makeSide
        const { email, token } = yield* signedIn(side)
        yield* TestClock.adjust("1 minute")
        const second = yield* signIn(side, email)
        yield* signedIn(side)
        const { json, status } = yield* list(token)
        assert.strictEqual(status, 200)
        assert.deepStrictEqual(Object.keys(Object(json)), ["data", "next_cursor"])
        assert.isNull(at(json, "next_cursor"))
        const ids = [idOf(second), idOf(yield* currentSession(token))]
        assert.deepStrictEqual(listAt(json, "data").map((session) => at(session, "id")), ids)
        assert.deepStrictEqual(listAt(json, "data").map((session) => at(session, "current")), [false, true])
      }))

    it.effect(`of ${person} is found in pages of their list`, () =>
      Effect.gen(function*() {
        const side = yield* makeSide
        const { email, token } = yield* signedIn(side)
        for (let more = 0; more < 2; more++) {
          yield* TestClock.adjust("1 minute")
          yield* signIn(side, email)
        }
        const all = listAt((yield* list(token)).json, "data")
        const first = yield* list(token, "?limit=2")
        const second = yield* list(token, `?limit=2&cursor=${String(at(first.json, "next_cursor"))}`)
        assert.lengthOf(listAt(first.json, "data"), 2)
        assert.deepStrictEqual([...listAt(first.json, "data"), ...listAt(second.json, "data")], all)
        assert.isNull(at(second.json, "next_cursor"))
        assert.deepStrictEqual(outcome(yield* list(token, "?cursor=nonsense")), [400, "invalid_cursor"])
      }))

    it.effect(`of ${person} can be ended from another one of theirs`, () =>
      Effect.gen(function*() {
        const side = yield* makeSide
        const { email, token } = yield* signedIn(side)
        const other = yield* signIn(side, email)
        const path = `/v1/auth/sessions/${idOf(other)}`
        assert.strictEqual((yield* send("DELETE", path, { token })).status, 204)
        assert.deepStrictEqual(outcome(yield* currentSession(grantedBy(other))), unauthenticated)
        assert.strictEqual((yield* currentSession(token)).status, 200)
        assert.deepStrictEqual(outcome(yield* send("DELETE", path, { token })), notFound)
      }))

    it.effect(`of somebody else, unknown or malformed is no session of ${person} to end`, () =>
      Effect.gen(function*() {
        const side = yield* makeSide
        const { token } = yield* signedIn(side)
        const foreign = [yield* signedIn(side), yield* signedIn(admins)]
        const ids = yield* Effect.forEach(foreign, ({ token }) => Effect.map(currentSession(token), idOf))
        for (const id of [...ids, "0190f3a0-0000-7000-8000-000000000000", "x", "%00"]) {
          assert.deepStrictEqual(outcome(yield* send("DELETE", `/v1/auth/sessions/${id}`, { token })), notFound, id)
        }
        for (const { token } of foreign) assert.strictEqual((yield* currentSession(token)).status, 200)
      }))

    it.effect(`of ${person} outlives the others when it ends them, and nobody else's`, () =>
      Effect.gen(function*() {
        const side = yield* makeSide
        const { email, token } = yield* signedIn(side)
        const others = [yield* signIn(side, email), yield* signIn(side, email)]
        const stranger = yield* signedIn(side)
        assert.strictEqual((yield* send("DELETE", "/v1/auth/sessions", { token })).status, 204)
        for (const other of others) {
          assert.deepStrictEqual(outcome(yield* currentSession(grantedBy(other))), unauthenticated)
        }
        assert.strictEqual((yield* currentSession(token)).status, 200)
        assert.strictEqual((yield* currentSession(stranger.token)).status, 200)
      }))

    it.effect(`of ${person} that is missing, ended or garbage is answered with the same bytes`, () =>
      Effect.gen(function*() {
        const { token } = yield* signedIn(yield* makeSide)
        const ended = (yield* signedIn(admins)).token
        yield* send("DELETE", "/v1/auth/session", { token: ended })
        const missing = yield* send("GET", "/v1/auth/session")
        assert.deepStrictEqual(outcome(missing), unauthenticated)
        const garbage = ["A".repeat(43), "x", `${token}A`, token.toLowerCase(), "' or 1=1 --", "a.b.c"]
        for (const presented of [ended, ...garbage]) {
          assert.strictEqual((yield* currentSession(presented)).text, missing.text, presented)
        }
        for (const authorization of ["", "Bearer", `Basic ${token}`, token]) {
          const answer = yield* send("GET", "/v1/auth/session", { headers: { authorization } })
          assert.strictEqual(answer.text, missing.text, authorization)
        }
      }))
  }

  it.effect("of a student is none on an administrator's route, and the other way round", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const student = yield* enrolledStudent(club)
      for (const path of ["/v1/me", club.path, `${club.path}/members`]) {
        assert.deepStrictEqual(outcome(yield* send("GET", path, { token: student.token })), unauthenticated, path)
      }
      const body = { current_password: "correct horse", password: "a better one" }
      const asStudent = yield* send("POST", "/v1/auth/password/change", { token: club.token, body })
      assert.deepStrictEqual(outcome(asStudent), unauthenticated)
      const asAdmin = yield* send("POST", "/v1/auth/admin/password/change", { token: student.token, body })
      assert.deepStrictEqual(outcome(asAdmin), unauthenticated)
    }))

  it.effect("of a student of one club may not act in another, as in one that does not exist", () =>
    Effect.gen(function*() {
      const [club, other] = [yield* foundClub(), yield* foundClub()]
      const { token } = yield* enrolledStudent(club)
      assert.strictEqual((yield* send("GET", `${club.path}/gamification`, { token })).status, 200)
      const foreign = yield* send("GET", `${other.path}/gamification`, { token })
      assert.deepStrictEqual(outcome(foreign), [403, "forbidden"])
      for (const id of ["7f8f4ad1-9a3e-4f6c-8a53-1c2d3e4f5a6b", "nonsense", "00000000-0000-0000-0000-000000000000"]) {
        assert.strictEqual((yield* send("GET", `/v1/clubs/${id}/gamification`, { token })).text, foreign.text, id)
      }
    }))

  it.effect("of an administrator is answered alike by a foreign, an unknown and a malformed club", () =>
    Effect.gen(function*() {
      const { token } = yield* foundClub()
      const foreign = yield* send("GET", (yield* foundClub()).path, { token })
      assert.deepStrictEqual(outcome(foreign), [403, "forbidden"])
      for (const id of ["7f8f4ad1-9a3e-4f6c-8a53-1c2d3e4f5a6b", "nonsense", "%00"]) {
        assert.strictEqual((yield* send("GET", `/v1/clubs/${id}`, { token })).text, foreign.text, id)
      }
    }))

  it.effect("acts in a club whose id is written in capitals", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const student = yield* enrolledStudent(club)
      for (const { token } of [club, student]) {
        const path = `/v1/clubs/${club.organization_id.toUpperCase()}/gamification`
        assert.strictEqual((yield* send("GET", path, { token })).status, 200)
      }
    }))

  it.effect("loses a club with the membership, on the next request", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const member = yield* makeMember(club, "editor")
      const token = yield* tokenOf(member)
      assert.strictEqual((yield* send("GET", club.path, { token })).status, 200)
      yield* send("DELETE", `${club.path}/members/${member.id}`, { token: club.token })
      assert.deepStrictEqual(outcome(yield* send("GET", club.path, { token })), [403, "forbidden"])
      assert.strictEqual((yield* currentSession(token)).status, 200)
    }))

  it.effect("is found with the right to act in a club by one statement", () =>
    Effect.gen(function*() {
      const sessions = yield* SessionStore
      const club = yield* foundClub()
      const student = yield* enrolledStudent(club)
      for (const token of [club.token, student.token, "A".repeat(43)]) {
        for (const place of [Option.some(club.organization_id), Option.some("nonsense"), Option.none()]) {
          assert.lengthOf(yield* statements(sessions.find(Redacted.make(token), place)), 1)
        }
      }
      assert.lengthOf(yield* statements(sessions.find(Redacted.make("x"), Option.none())), 0)
      assert.lengthOf(yield* statements(send("GET", "/v1/auth/session", { token: club.token })), 1)
    }))

  it.effect("survives a second sign-in of the same person", () =>
    Effect.gen(function*() {
      const { email, password } = yield* registered(admins)
      const first = grantedBy(yield* signIn(admins, email, password))
      yield* signIn(admins, email, password)
      assert.strictEqual((yield* currentSession(first)).status, 200)
    }))
})
