import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { findOldSpellings, respellAddresses } from "../../../src/membership/accounts/AddressSpellings.ts"
import { addressSpellings } from "../../../src/operations/doctor/AddressSpellings.ts"
import { AppLayer, at, foundClub, listAt, outcome, send } from "../../harness/App.ts"
import { Mailbox } from "../../harness/Mailbox.ts"
import { makeClub, makeStudent } from "../../harness/Makers.ts"
import {
  access,
  accessCode,
  bothSides,
  confirm,
  currentSession,
  exchange,
  grantedBy,
  registered,
  type Side,
  signIn,
  signUp,
  studentsOf
} from "./People.ts"

/** A new local part of an address. */
const fresh = Effect.gen(function*() {
  const random = yield* SecureRandom.SecureRandom
  return (yield* random.uuidV4()).replaceAll("-", "")
}).pipe(Effect.provide(SecureRandom.layerWebCrypto))

/** Gives an account the spelling that an earlier version stored. */
const spellAsBefore = Effect.fnUntraced(function*(side: Side, email: string, old: string) {
  const sql = yield* SqlClient.SqlClient
  const table = side.kind === "admin" ? "users" : "students"
  const [row] = yield* sql`update ${sql(table)} set email = ${old} where email = ${email} returning id`
  return String(at(row, "id"))
})

const emailOf = Effect.fnUntraced(function*(side: Side, id: string) {
  const sql = yield* SqlClient.SqlClient
  return at(
    yield* sql`select email from ${sql(side.kind === "admin" ? "users" : "students")} where id = ${id}`,
    0,
    "email"
  )
})

layer(AppLayer)("The spellings of an address", (it) => {
  for (const [person, makeSide] of bothSides) {
    it.effect(`are one account of ${person}: at the sign-up, the sign-in and in mails`, () =>
      Effect.gen(function*() {
        const side = yield* makeSide
        const name = yield* fresh
        const mailbox = yield* Mailbox
        const [entered, stored] = [`${name}e\u0301@M\u00fcnchen.de`, `${name}\u00e9@xn--mnchen-3ya.de`]
        yield* signUp(side, { email: entered })
        yield* confirm(side, yield* mailbox.secret(stored))
        for (
          const spelling of [entered, stored, `${name}\u00c9@M\u00dcNCHEN.de`, `${name}\u00e9@mu\u0308n\uff43hen.de`]
        ) {
          const answer = yield* signIn(side, spelling)
          assert.strictEqual(answer.status, 200, spelling)
          const { json } = yield* currentSession(grantedBy(answer))
          assert.strictEqual(at(json, "data", "account", "email"), stored)
        }
        yield* access(side, `${name}\u00e9@m\u00fcnchen.de`)
        assert.strictEqual((yield* exchange(side, yield* mailbox.secret(stored))).status, 200)
      }))

    it.effect(`let ${person} in whose address is stored as before, with its spelling and with that of today`, () =>
      Effect.gen(function*() {
        const side = yield* makeSide
        const { email } = yield* registered(side, { email: `${yield* fresh}@xn--mnchen-3ya.de` })
        const old = email.replace("xn--mnchen-3ya", "m\u00fcnchen")
        const id = yield* spellAsBefore(side, email, old)
        assert.strictEqual((yield* signIn(side, old)).status, 200)
        yield* respellAddresses
        assert.strictEqual(yield* emailOf(side, id), email)
        for (const spelling of [old, email]) assert.strictEqual((yield* signIn(side, spelling)).status, 200, spelling)
      }))

    it.effect(`stay two accounts of ${person} where there are two, and the doctor names both`, () =>
      Effect.gen(function*() {
        const side = yield* makeSide
        const { email } = yield* registered(side, { email: `${yield* fresh}@xn--mnchen-3ya.de` })
        const old = email.replace("xn--mnchen-3ya", "m\u00fcnchen")
        const first = yield* spellAsBefore(side, email, old)
        yield* registered(side, { email, password: "another of hers" })
        yield* respellAddresses
        assert.strictEqual(yield* emailOf(side, first), old)
        assert.strictEqual((yield* signIn(side, old)).status, 200)
        assert.strictEqual((yield* signIn(side, email, "another of hers")).status, 200)
        assert.strictEqual((yield* exchange(side, yield* accessCode(side, old))).status, 200)
        const pair = (yield* findOldSpellings).find(({ id }) => id === first)
        assert.isString(pair?.same_as)
        const told = (yield* addressSpellings).map(({ says }) => says).join("\n")
        assert.include(told, first)
        assert.include(told, pair?.same_as ?? "")
        assert.notInclude(told, email.split("@")[0] ?? "")
      }))

    it.effect(`let ${person} in whose stored address would be refused today, and the doctor says so`, () =>
      Effect.gen(function*() {
        const side = yield* makeSide
        const { email } = yield* registered(side, { email: `${yield* fresh}@mail.example` })
        const old = email.replace("@mail.", "@m\u00e4il..")
        const id = yield* spellAsBefore(side, email, old)
        yield* respellAddresses
        assert.strictEqual((yield* signIn(side, old)).status, 200)
        assert.deepStrictEqual((yield* findOldSpellings).filter((one) => one.id === id).map(({ same_as }) => same_as), [
          null
        ])
        assert.deepStrictEqual(outcome(yield* signUp(side, { email: old })), [422, "validation_failed"])
      }))
  }

  it.effect("give nobody's account to another mailbox", () =>
    Effect.gen(function*() {
      const side = studentsOf(yield* makeClub())
      const name = yield* fresh
      const { email } = yield* registered(side, { email: `${name}2@mail.example` })
      const old = `${name}\u00b2@mail.example`
      const id = yield* spellAsBefore(side, email, old)
      yield* respellAddresses
      assert.strictEqual(yield* emailOf(side, id), old)
      assert.strictEqual((yield* signIn(side, old)).status, 200)
      assert.strictEqual((yield* signIn(side, email)).status, 401)
      assert.isTrue((yield* findOldSpellings).some((one) => one.id === id && one.same_as === null))
    }))

  it.effect("are told to receivers once the stored one is another", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const club = yield* makeClub()
      const name = yield* fresh
      const student = yield* makeStudent(club)
      yield* sql`update students set email = ${`${name}@\u00fcber.example`} where id = ${student.id}`
      yield* respellAddresses
      assert.strictEqual(yield* emailOf(studentsOf(club), student.id), `${name}@xn--ber-goa.example`)
      const facts = yield* sql`
        select type, student_id from event_outbox where club_id = ${club.id} and student_id = ${student.id}`
      assert.deepStrictEqual(facts, [{ type: "student.updated", student_id: student.id }])
    }))

  it.effect("find one student, whoever enters them and searches for them", () =>
    Effect.gen(function*() {
      const { path, token } = yield* foundClub()
      const name = yield* fresh
      const post = (to: string, body: unknown) => send("POST", `${path}${to}`, { token, body })
      const created = yield* post("/students", { name: "Bia", email: `${name}@M\u00fcnchen.de` })
      assert.strictEqual(at(created.json, "data", "email"), `${name}@xn--mnchen-3ya.de`)
      assert.deepStrictEqual(outcome(yield* post("/students", { name: "Bia", email: `${name}@mu\u0308nchen.de` })), [
        409,
        "student_exists"
      ])
      const found = yield* send("GET", `${path}/students?search=${encodeURIComponent(`${name}@m\u00fcnchen.de`)}`, {
        token
      })
      assert.lengthOf(listAt(found.json, "data"), 1)
    }))

  it.effect("accept an invitation that was written to another of them", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const mailbox = yield* Mailbox
      const { path, token } = yield* foundClub()
      const email = `${yield* fresh}@xn--mnchen-3ya.de`
      const side: Side = { kind: "admin", base: "/v1/auth/admin", place: {} }
      yield* registered(side, { email })
      yield* send("POST", `${path}/members/invitations`, { token, body: { email, role: "viewer" } })
      yield* sql`update invitations set email = ${
        email.replace("xn--mnchen-3ya", "m\u00fcnchen")
      } where email = ${email}`
      const guest = grantedBy(yield* signIn(side, email))
      const { status } = yield* send("POST", "/v1/invitations/accept", {
        token: guest,
        body: { token: yield* mailbox.secret(email) }
      })
      assert.strictEqual(status, 200)
    }))

  it.effect("confirm a sign-up that a former version has stored in another of them", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const mailbox = yield* Mailbox
      const side = studentsOf(yield* makeClub())
      const email = `${yield* fresh}@xn--mnchen-3ya.de`
      yield* signUp(side, { email })
      const link = yield* mailbox.secret(email)
      yield* sql`update sign_ups set email = ${email.replace("xn--mnchen-3ya", "m\u00fcnchen")} where email = ${email}`
      assert.strictEqual((yield* confirm(side, link)).status, 200)
      const { json } = yield* currentSession(grantedBy(yield* signIn(side, email)))
      assert.strictEqual(at(json, "data", "account", "email"), email)
    }))
})
