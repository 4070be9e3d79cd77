import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { AppLayer, at, outcome, send } from "../../harness/App.ts"
import { Mailbox } from "../../harness/Mailbox.ts"
import { makeClub, makeStudent } from "../../harness/Makers.ts"
import { warmPool } from "../../harness/Pool.ts"
import {
  confirm,
  currentSession,
  grantedBy,
  newAddress,
  registered,
  signIn,
  signUp,
  studentsOf,
  subjects
} from "./People.ts"

/** A registration link of the club, and the number of its uses. */
const makeCode = Effect.fn("makeCode")(function*(
  club: { readonly id: string },
  given: { readonly max_uses?: number; readonly expires_at?: Date } = {}
) {
  const sql = yield* SqlClient.SqlClient
  const random = yield* SecureRandom.SecureRandom
  const id = yield* random.uuidV7()
  const code = (yield* random.uuidV4()).replaceAll("-", "")
  const created_at = DateTime.toDateUtc(yield* DateTime.now)
  yield* sql`insert into registration_links ${sql.insert({ club_id: club.id, id, code, created_at, ...given })}`
  const uses = Effect.map(sql`select uses from registration_links where id = ${id}`, (rows) => at(rows, 0, "uses"))
  return { code, uses }
}, Effect.provide(SecureRandom.layerWebCrypto))

layer(AppLayer)("A student", (it) => {
  it.effect("signs up in an open club, and is of that club", () =>
    Effect.gen(function*() {
      const club = yield* makeClub()
      const { email } = yield* registered(studentsOf(club))
      const { json } = yield* currentSession(grantedBy(yield* signIn(studentsOf(club), email)))
      assert.strictEqual(at(json, "data", "club_id"), club.organization_id)
    }))

  it.effect("gets no mail from a closed club or one that does not exist", () =>
    Effect.gen(function*() {
      const closed = yield* makeClub({ sign_up_open: false })
      for (const organization_id of [closed.organization_id, "7f8f4ad1-9a3e-4f6c-8a53-1c2d3e4f5a6b"]) {
        const email = yield* newAddress
        assert.strictEqual((yield* signUp(studentsOf({ organization_id }), { email })).status, 202)
        assert.lengthOf(yield* subjects(email), 0)
      }
    }))

  it.effect("names the club by a UUID", () =>
    Effect.gen(function*() {
      const side = studentsOf({ organization_id: "nonsense" })
      assert.deepStrictEqual(outcome(yield* signUp(side, { email: yield* newAddress })), [422, "validation_failed"])
    }))

  it.effect("whose club closed after the mail was sent is not let in, and is once it is open again", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const mailbox = yield* Mailbox
      const club = yield* makeClub()
      const side = studentsOf(club)
      const email = yield* newAddress
      yield* signUp(side, { email })
      const link = yield* mailbox.secret(email)
      yield* sql`update clubs set sign_up_open = false where id = ${club.id}`
      assert.deepStrictEqual(outcome(yield* confirm(side, link)), [422, "token_invalid"])
      yield* sql`update clubs set sign_up_open = true where id = ${club.id}`
      assert.strictEqual((yield* confirm(side, link)).status, 200)
    }))

  it.effect("is let into a closed club by a registration code, which counts the use when the link is used", () =>
    Effect.gen(function*() {
      const mailbox = yield* Mailbox
      const club = yield* makeClub({ sign_up_open: false })
      const side = studentsOf(club)
      const { code, uses } = yield* makeCode(club, { max_uses: 2 })
      const email = yield* newAddress
      yield* signUp(side, { email, registration_code: code })
      const link = yield* mailbox.secret(email)
      assert.strictEqual(yield* uses, 0)
      assert.strictEqual((yield* confirm(side, link)).status, 200)
      assert.strictEqual(yield* uses, 1)
      assert.strictEqual((yield* signIn(side, email)).status, 200)
    }))

  it.effect("is not let into a closed club by a code that is used up, expired, unknown or another club's", () =>
    Effect.gen(function*() {
      const club = yield* makeClub({ sign_up_open: false })
      const side = studentsOf(club)
      const usedUp = yield* makeCode(club, { max_uses: 1 })
      yield* registered(side, { registration_code: usedUp.code })
      const expired = yield* makeCode(club, { expires_at: DateTime.toDateUtc(yield* DateTime.now) })
      const foreign = yield* makeCode(yield* makeClub())
      for (const code of [usedUp.code, expired.code, foreign.code, "UNKNOWN-CODE"]) {
        const email = yield* newAddress
        assert.strictEqual((yield* signUp(side, { email, registration_code: code })).status, 202)
        assert.lengthOf(yield* subjects(email), 0)
      }
      assert.deepStrictEqual([yield* usedUp.uses, yield* foreign.uses], [1, 0])
    }))

  it.effect("is let into an open club whatever the code is worth", () =>
    Effect.gen(function*() {
      const side = studentsOf(yield* makeClub())
      const { email } = yield* registered(side, { registration_code: "UNKNOWN-CODE" })
      assert.strictEqual((yield* signIn(side, email)).status, 200)
    }))

  it.effect("who confirms at once with others for the last use of a code gets it or does not", () =>
    Effect.gen(function*() {
      yield* warmPool
      const mailbox = yield* Mailbox
      const club = yield* makeClub({ sign_up_open: false })
      const side = studentsOf(club)
      const { code, uses } = yield* makeCode(club, { max_uses: 2 })
      const links = yield* Effect.forEach(Array.from({ length: 6 }), () =>
        Effect.gen(function*() {
          const email = yield* newAddress
          yield* signUp(side, { email, registration_code: code })
          return yield* mailbox.secret(email)
        }))
      const answers = yield* Effect.all(links.map((link) => confirm(side, link)), { concurrency: "unbounded" })
      assert.deepStrictEqual(answers.map(({ status }) => status).toSorted(), [200, 200, 422, 422, 422, 422])
      assert.strictEqual(yield* uses, 2)
    }))

  it.effect("of two clubs is two accounts with a password each", () =>
    Effect.gen(function*() {
      const [one, other] = [studentsOf(yield* makeClub()), studentsOf(yield* makeClub())]
      const email = yield* newAddress
      yield* registered(one, { email, password: "first club's" })
      yield* registered(other, { email, password: "second club's" })
      const [mine, yours] = [yield* signIn(one, email, "first club's"), yield* signIn(other, email, "second club's")]
      assert.deepStrictEqual([mine.status, yours.status], [200, 200])
      assert.deepStrictEqual(outcome(yield* signIn(one, email, "second club's")), [401, "invalid_credentials"])
      const accounts = yield* Effect.forEach([mine, yours], (answer) => currentSession(grantedBy(answer)))
      const ids = accounts.map(({ json }) => at(json, "data", "account", "id"))
      assert.notStrictEqual(ids[0], ids[1])
      yield* send("DELETE", "/v1/auth/sessions", { token: grantedBy(mine) })
      assert.strictEqual((yield* currentSession(grantedBy(yours))).status, 200)
    }))

  it.effect("without a password gets one by a sign-up when its link is used, and keeps their name", () =>
    Effect.gen(function*() {
      const mailbox = yield* Mailbox
      const club = yield* makeClub()
      const side = studentsOf(club)
      const { email } = yield* makeStudent(club, { name: "Bia Lima" })
      yield* signUp(side, { email, name: "Somebody" })
      assert.deepStrictEqual(outcome(yield* signIn(side, email)), [403, "email_not_verified"])
      yield* confirm(side, yield* mailbox.secret(email))
      const { json } = yield* currentSession(grantedBy(yield* signIn(side, email)))
      assert.strictEqual(at(json, "data", "account", "name"), "Bia Lima")
    }))

  it.effect("is written to in the language of the club, whatever the browser asks for", () =>
    Effect.gen(function*() {
      const [english, portuguese] = [yield* makeClub({ locale: "en" }), yield* makeClub({ locale: "pt-BR" })]
      const email = yield* newAddress
      yield* signUp(studentsOf(english), { email }, { "accept-language": "pt-BR" })
      assert.deepStrictEqual(yield* subjects(email), ["Confirm your e-mail address"])
      yield* TestClock.adjust("1 second")
      yield* signUp(studentsOf(portuguese), { email }, { "accept-language": "en" })
      assert.deepStrictEqual(yield* subjects(email), ["Confirm your e-mail address", "Confirme seu e-mail"])
    }))
})
