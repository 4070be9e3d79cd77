import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { AppLayer, at, outcome, send } from "../../harness/App.ts"
import { Mailbox } from "../../harness/Mailbox.ts"
import { makeClub, makeStudent } from "../../harness/Makers.ts"
import { warmPool } from "../../harness/Pool.ts"
import {
  access,
  accessCode,
  bothSides,
  currentSession,
  exchange,
  forgot,
  grantedBy,
  newAddress,
  registered,
  reset,
  resetLink,
  signedIn,
  signIn,
  signUp,
  studentsOf,
  subjects
} from "./People.ts"

const tokenInvalid = [422, "token_invalid"]
const changedMail = /password was changed|senha foi alterada/

layer(AppLayer)("A forgotten password", (it) => {
  for (const [person, makeSide] of bothSides) {
    it.effect(`of ${person} is replaced by a link, and the old one is none any more`, () =>
      Effect.gen(function*() {
        const mailbox = yield* Mailbox
        const side = yield* makeSide
        const { email, password } = yield* registered(side)
        yield* forgot(side, email.toUpperCase())
        const answer = yield* reset(side, yield* mailbox.secret(email), "a better one")
        assert.deepStrictEqual([answer.status, answer.text], [200, `{"data":{"reset":true}}`])
        assert.deepStrictEqual(outcome(yield* signIn(side, email, password)), [401, "invalid_credentials"])
        assert.strictEqual((yield* signIn(side, email, "a better one")).status, 200)
      }))

    it.effect(`of ${person} ends every session when it is replaced, and a mail says so`, () =>
      Effect.gen(function*() {
        const side = yield* makeSide
        const { email, token } = yield* signedIn(side)
        const other = grantedBy(yield* signIn(side, email))
        yield* reset(side, yield* resetLink(side, email))
        for (const ended of [token, other]) assert.strictEqual((yield* currentSession(ended)).status, 401)
        assert.match((yield* subjects(email)).at(-1) ?? "", changedMail)
      }))

    it.effect(`of ${person} leaves no other open link or code when it is replaced`, () =>
      Effect.gen(function*() {
        const side = yield* makeSide
        const { email } = yield* registered(side)
        const link = yield* resetLink(side, email)
        const code = yield* accessCode(side, email)
        yield* reset(side, yield* resetLink(side, email))
        assert.deepStrictEqual(outcome(yield* reset(side, link)), tokenInvalid)
        assert.deepStrictEqual(outcome(yield* exchange(side, code)), [422, "code_invalid"])
      }))

    it.effect(`of ${person} is not replaced by one that is too short or too long, and the link still works`, () =>
      Effect.gen(function*() {
        const side = yield* makeSide
        const { email } = yield* registered(side)
        const link = yield* resetLink(side, email)
        for (const password of ["1234567", "a".repeat(1025), "nul\u0000nul!"]) {
          assert.deepStrictEqual(outcome(yield* reset(side, link, password)), [422, "validation_failed"])
        }
        assert.strictEqual((yield* reset(side, link, "a".repeat(1024))).status, 200)
      }))

    it.effect(`of ${person} who is unknown, or whose sign-up is open, mails nothing more`, () =>
      Effect.gen(function*() {
        const side = yield* makeSide
        const email = yield* newAddress
        yield* forgot(side, email)
        yield* access(side, email)
        assert.lengthOf(yield* subjects(email), 0)
        yield* signUp(side, { email })
        yield* forgot(side, email)
        yield* access(side, email)
        assert.lengthOf(yield* subjects(email), 1)
      }))

    it.effect(`of ${person}: a session that begins while it is replaced does not outlive the old one`, () =>
      Effect.gen(function*() {
        yield* warmPool
        const side = yield* makeSide
        for (let round = 0; round < 5; round++) {
          const { email } = yield* registered(side)
          const link = yield* resetLink(side, email)
          const entering = Array.from({ length: 6 }, () => signIn(side, email))
          const [, ...answers] = yield* Effect.all([reset(side, link), ...entering], { concurrency: "unbounded" })
          for (const answer of answers.filter(({ status }) => status === 200)) {
            assert.strictEqual((yield* currentSession(grantedBy(answer))).status, 401)
          }
        }
      }))
  }
})

layer(AppLayer)("A code from a mail", (it) => {
  for (const [person, makeSide] of bothSides) {
    it.effect(`signs ${person} in`, () =>
      Effect.gen(function*() {
        const side = yield* makeSide
        const { email } = yield* registered(side)
        const answer = yield* exchange(side, yield* accessCode(side, email))
        assert.strictEqual(answer.status, 200)
        assert.strictEqual(at(answer.json, "data", "session", "kind"), side.kind)
        const { json } = yield* currentSession(grantedBy(answer))
        assert.strictEqual(at(json, "data", "account", "email"), email)
      }))

    it.effect(`signs ${person} in by their own address alone, where one is sent, in any spelling`, () =>
      Effect.gen(function*() {
        const side = yield* makeSide
        const [{ email }, other] = [yield* registered(side), yield* registered(side)]
        const code = yield* accessCode(side, email)
        const asked = (address: string) => send("POST", `${side.base}/exchange`, { body: { code, email: address } })
        assert.deepStrictEqual(outcome(yield* asked(other.email)), [422, "code_invalid"])
        assert.strictEqual((yield* asked(email.toUpperCase().replace("MAIL", "ｍａｉｌ"))).status, 200)
      }))
  }

  it.effect("signs in a student without a password, and verifies their address", () =>
    Effect.gen(function*() {
      const club = yield* makeClub({ sign_up_open: false })
      const side = studentsOf(club)
      const { email } = yield* unverified(club)
      const answer = yield* exchange(side, yield* accessCode(side, email))
      const { json } = yield* currentSession(grantedBy(answer))
      assert.isTrue(at(json, "data", "account", "verified"))
    }))

  it.effect("is not needed where a link for a password was used: that verifies a student too", () =>
    Effect.gen(function*() {
      const club = yield* makeClub()
      const side = studentsOf(club)
      const { email } = yield* unverified(club)
      yield* reset(side, yield* resetLink(side, email))
      const { json } = yield* currentSession(grantedBy(yield* signIn(side, email, "a better one")))
      assert.isTrue(at(json, "data", "account", "verified"))
    }))
})

/** A student with an unproven address, as an import makes them. */
const unverified = Effect.fn("unverified")(function*(club: Parameters<typeof makeStudent>[0]) {
  const sql = yield* SqlClient.SqlClient
  const student = yield* makeStudent(club)
  yield* sql`update students set verified_at = null where id = ${student.id}`
  return student
})
