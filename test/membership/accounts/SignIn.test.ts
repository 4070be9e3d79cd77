import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { createHash } from "node:crypto"
import { HashCost } from "../../../src/membership/accounts/Passwords.ts"
import { AppLayer, appLayer, at, outcome, send } from "../../harness/App.ts"
import { makeClub } from "../../harness/Makers.ts"
import { warmPool } from "../../harness/Pool.ts"
import {
  admins,
  bothSides,
  currentSession,
  grantedBy,
  newAddress,
  registered,
  type Side,
  signIn,
  signUp,
  studentsOf
} from "./People.ts"

const refused = [401, "invalid_credentials"]
const limited = [429, "rate_limited"]

/** Every row of every table about people, as text. */
const everything = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const tables = ["users", "students", "user_sessions", "student_sessions", "sign_ups", "one_time_tokens"]
  const rows = yield* Effect.forEach(
    [...tables, "credential_requests", "mails"],
    (table) => sql`select t::text from ${sql(table)} t`
  )
  return JSON.stringify(rows)
})

layer(appLayer({}, { hashCost: HashCost.defaultValue() }))("Signing in", (it) => {
  for (const [person, makeSide] of bothSides) {
    it.effect(`grants ${person} a session`, () =>
      Effect.gen(function*() {
        const side = yield* makeSide
        const { email } = yield* registered(side)
        const { json, status } = yield* signIn(side, email)
        assert.strictEqual(status, 200)
        assert.deepStrictEqual(Object.keys(Object(at(json, "data"))), [
          "access_token",
          "token_type",
          "expires_at",
          "session"
        ])
        assert.match(grantedBy({ json }), /^[A-Za-z0-9_-]{43}$/)
        assert.strictEqual(at(json, "data", "token_type"), "Bearer")
        assert.strictEqual(at(json, "data", "session", "kind"), side.kind)
        assert.isTrue(at(json, "data", "session", "current"))
        assert.strictEqual(at(json, "data", "session", "expires_at"), at(json, "data", "expires_at"))
        assert.strictEqual((yield* currentSession(grantedBy({ json }))).status, 200)
      }))

    it.effect(`answers ${person} with a wrong password as it answers a stranger`, () =>
      Effect.gen(function*() {
        const side = yield* makeSide
        const { email } = yield* registered(side)
        const wrong = yield* signIn(side, email, "a wrong one")
        assert.deepStrictEqual(outcome(wrong), refused)
        assert.strictEqual(wrong.text, (yield* signIn(side, yield* newAddress)).text)
        assert.deepStrictEqual(outcome(yield* signIn(side, email, "")), refused)
      }))

    it.effect(`tells ${person} that the address is not verified only for the right password`, () =>
      Effect.gen(function*() {
        const side = yield* makeSide
        const email = yield* newAddress
        yield* signUp(side, { email })
        assert.deepStrictEqual(outcome(yield* signIn(side, email, "a wrong one")), refused)
        assert.deepStrictEqual(outcome(yield* signIn(side, email)), [403, "email_not_verified"])
      }))

    it.effect(`takes ${person}'s address in any case, and their password in one`, () =>
      Effect.gen(function*() {
        const side = yield* makeSide
        const { email } = yield* registered(side, { email: `Ana.${yield* newAddress}` })
        assert.strictEqual((yield* signIn(side, email.toUpperCase())).status, 200)
        assert.deepStrictEqual(outcome(yield* signIn(side, email, "CORRECT HORSE")), refused)
      }))

    it.effect(`keeps of ${person}'s token and password only hashes`, () =>
      Effect.gen(function*() {
        const side = yield* makeSide
        const { email, password } = yield* registered(side)
        const token = grantedBy(yield* signIn(side, email))
        const dump = yield* everything
        assert.include(dump, email)
        assert.notInclude(dump, token)
        assert.notInclude(dump, password)
        assert.include(dump, createHash("sha256").update(token).digest("hex"))
        assert.include(dump, "$argon2id$v=19$m=19456,t=2,p=1$")
      }))
  }

  it.effect("is to one identity and one club: the other's password opens nothing", () =>
    Effect.gen(function*() {
      const [one, other] = [studentsOf(yield* makeClub()), studentsOf(yield* makeClub())]
      const { email } = yield* registered(one)
      for (const side of [admins, other]) assert.deepStrictEqual(outcome(yield* signIn(side, email)), refused)
      const admin = yield* registered(admins)
      assert.deepStrictEqual(outcome(yield* signIn(one, admin.email)), refused)
    }))

  it.effect("refuses a body that is not one before it counts as a try", () =>
    Effect.gen(function*() {
      const { email } = yield* registered(admins)
      for (let i = 0; i < 11; i++) {
        const answer = yield* send("POST", "/v1/auth/admin/sign-in", { body: { email, password: 1 } })
        assert.deepStrictEqual(outcome(answer), [422, "validation_failed"])
      }
      assert.strictEqual((yield* signIn(admins, email)).status, 200)
    }))
})

layer(AppLayer)("Guessing passwords", (it) => {
  const fail = (side: Parameters<typeof signIn>[0], email: string, times: number) =>
    Effect.forEach(Array.from({ length: times }), () => signIn(side, email, "a wrong one"))

  for (const [person, makeSide] of bothSides) {
    it.effect(`of ${person} ends after 10 failures, for 15 minutes`, () =>
      Effect.gen(function*() {
        const side = yield* makeSide
        const { email } = yield* registered(side)
        for (const answer of yield* fail(side, email, 10)) assert.deepStrictEqual(outcome(answer), refused)
        const answer = yield* signIn(side, email)
        assert.deepStrictEqual(outcome(answer), limited)
        assert.strictEqual(answer.headers["retry-after"], "900")
        yield* TestClock.adjust("899 seconds")
        assert.deepStrictEqual(outcome(yield* signIn(side, email)), limited)
        yield* TestClock.adjust("1 second")
        assert.strictEqual((yield* signIn(side, email)).status, 200)
      }))

    it.effect(`ends alike where there is no account of ${person}`, () =>
      Effect.gen(function*() {
        const side = yield* makeSide
        const { email } = yield* registered(side)
        const stranger = yield* newAddress
        yield* fail(side, email, 10)
        yield* fail(side, stranger, 10)
        const [known, unknown] = [yield* signIn(side, email), yield* signIn(side, stranger)]
        assert.deepStrictEqual(outcome(known), limited)
        assert.strictEqual(known.text, unknown.text)
        assert.strictEqual(known.headers["retry-after"], unknown.headers["retry-after"])
        const failures = [known, unknown].map(({ headers }) =>
          /"sign-in-failures".*/.exec(headers["ratelimit"] ?? "")?.[0]
        )
        assert.deepStrictEqual(failures, Array.from({ length: 2 }, () => `"sign-in-failures";r=0;t=900`))
      }))

    it.effect(`of ${person} thirty times at once is looked at ten times`, () =>
      Effect.gen(function*() {
        yield* warmPool
        const side = yield* makeSide
        const { email } = yield* registered(side)
        const tries = Array.from({ length: 30 }, () => signIn(side, email, "a wrong one"))
        const answers = yield* Effect.all(tries, { concurrency: "unbounded" })
        assert.lengthOf(answers.filter(({ status }) => status === 401), 10)
        assert.lengthOf(answers.filter(({ status }) => status === 429), 20)
      }))

    it.effect(`is not counted if the password of ${person} was right, however often`, () =>
      Effect.gen(function*() {
        const side = yield* makeSide
        const { email } = yield* registered(side)
        yield* fail(side, email, 9)
        for (let n = 0; n < 3; n++) assert.strictEqual((yield* signIn(side, email)).status, 200)
        yield* fail(side, email, 1)
        assert.deepStrictEqual(outcome(yield* signIn(side, email)), limited)
      }))

    it.effect(`shows a stranger nothing of the sign-ins of ${person}`, () =>
      Effect.gen(function*() {
        const side = yield* makeSide
        const { email } = yield* registered(side)
        const nobody = yield* newAddress
        const seen = Effect.fnUntraced(function*(address: string) {
          return (yield* signIn(side, address, "a wrong one")).headers["ratelimit"]?.match(/"sign-in-failures";r=(\d+)/)
            ?.[1]
        })
        assert.deepStrictEqual([yield* seen(email), yield* seen(nobody)], ["9", "9"])
        assert.strictEqual((yield* signIn(side, email)).status, 200)
        assert.deepStrictEqual([yield* seen(email), yield* seen(nobody)], ["8", "8"])
      }))

    it.effect(`is counted too with the password of a sign-up with ${person}'s address`, () =>
      Effect.gen(function*() {
        const side = yield* makeSide
        const { email } = yield* registered(side)
        yield* signUp(side, { email, password: "the stranger's" })
        yield* fail(side, email, 9)
        assert.deepStrictEqual(outcome(yield* signIn(side, email, "the stranger's")), [403, "email_not_verified"])
        assert.deepStrictEqual(outcome(yield* signIn(side, email, "a wrong one")), limited)
      }))

    it.effect(`counts ${person}'s address in any case as one`, () =>
      Effect.gen(function*() {
        const side = yield* makeSide
        const email = `ana.${yield* newAddress}`
        yield* fail(side, email, 5)
        yield* fail(side, email.toUpperCase(), 5)
        assert.deepStrictEqual(outcome(yield* signIn(side, email)), limited)
      }))

    it.effect(`of ${person} leaves everybody else alone`, () =>
      Effect.gen(function*() {
        const side = yield* makeSide
        const [one, other] = [yield* registered(side), yield* registered(side)]
        yield* fail(side, one.email, 11)
        assert.strictEqual((yield* signIn(side, other.email)).status, 200)
      }))
  }

  it.effect("counts a club's id in any case as one, and each club for itself", () =>
    Effect.gen(function*() {
      const club = yield* makeClub()
      const side = studentsOf(club)
      const { email } = yield* registered(side)
      yield* fail(side, email, 5)
      yield* fail(studentsOf({ organization_id: club.organization_id.toUpperCase() }), email, 5)
      assert.deepStrictEqual(outcome(yield* signIn(side, email)), limited)
      assert.deepStrictEqual(outcome(yield* signIn(studentsOf(yield* makeClub()), email)), refused)
      assert.deepStrictEqual(outcome(yield* signIn(admins, email)), refused)
    }))
})

layer(appLayer({ TRUSTED_PROXIES: "127.0.0.0/8,::1/128" }))("Wrong passwords", (it) => {
  const from = (address: string, side: Side, email: string, password?: string) =>
    signIn(side, email, password, { "x-forwarded-for": address })
  const fail = (address: string, side: Side, email: string, times: number) =>
    Effect.forEach(Array.from({ length: times }), () => from(address, side, email, "a wrong one"))

  for (const [person, makeSide] of bothSides) {
    it.effect(`lock ${person} out of no other network, and of all addresses of their own`, () =>
      Effect.gen(function*() {
        const side = yield* makeSide
        const { email } = yield* registered(side)
        yield* fail("198.51.100.7", side, email, 6)
        yield* fail("198.51.100.250", side, email, 5)
        yield* fail("2001:db8:1:1::1", side, email, 6)
        yield* fail("2001:db8:1:ffff::1", side, email, 5)
        for (const address of ["198.51.100.9", "::ffff:198.51.100.10", "2001:db8:1:2::1"]) {
          assert.deepStrictEqual(outcome(yield* from(address, side, email)), limited)
        }
        for (const address of ["198.51.101.7", "2001:db8:2::1"]) {
          assert.strictEqual((yield* from(address, side, email)).status, 200)
        }
      }))
  }
})
