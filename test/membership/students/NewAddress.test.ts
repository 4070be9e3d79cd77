import { assert, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { StudentAdmission } from "../../../src/membership/students/StudentAdmission.ts"
import { AppLayer, at, foundClub, outcome, send, tokenAs } from "../../harness/App.ts"
import { Mailbox } from "../../harness/Mailbox.ts"
import { makeStudent } from "../../harness/Makers.ts"
import { warmPool } from "../../harness/Pool.ts"
import {
  access,
  confirm,
  currentSession,
  exchange,
  forgot,
  grantedBy,
  reset,
  signedIn,
  signIn,
  signUp,
  studentsOf,
  subjects
} from "../accounts/People.ts"

/** A student with a password and a session, support's changes to them, and a new address. */
const withStudent = Effect.fnUntraced(function*(given: { readonly locale?: "en" | "pt-BR" } = {}) {
  const club = yield* foundClub(given)
  const side = studentsOf(club)
  const student = yield* signedIn(side)
  const id = at((yield* currentSession(student.token)).json, "data", "account", "id")
  const support = yield* tokenAs(club, "support")
  const patch = (body: object) => send("PATCH", `${club.path}/students/${id}`, { token: support, body })
  return { club, side, student, patch, to: `new-${student.email}` }
})

const status = (token: string) => Effect.map(currentSession(token), ({ status }) => status)

const changedMail = /address in the club .* was changed/

layer(AppLayer)("A student whose address is changed", (it) => {
  it.effect("is signed out everywhere, and signs in with the new address and the old password", () =>
    Effect.gen(function*() {
      const { patch, side, student, to } = yield* withStudent()
      const other = grantedBy(yield* signIn(side, student.email))
      assert.strictEqual((yield* patch({ email: to })).status, 200)
      for (const token of [student.token, other]) assert.strictEqual(yield* status(token), 401)
      assert.deepStrictEqual(outcome(yield* signIn(side, student.email)), [401, "invalid_credentials"])
      assert.strictEqual((yield* signIn(side, to)).status, 200)
    }))

  it.effect("stays signed in where anything else is changed, or nothing, and is told nothing", () =>
    Effect.gen(function*() {
      const { patch, student } = yield* withStudent()
      const before = yield* subjects(student.email)
      yield* patch({ name: "Bia Costa", document: "52998224725", email: student.email.toUpperCase() })
      assert.strictEqual(yield* status(student.token), 200)
      assert.deepStrictEqual(yield* subjects(student.email), before)
    }))

  it.effect("is told so at both addresses, with the moment in the club's time zone and whom to write to", () =>
    Effect.gen(function*() {
      const mailbox = yield* Mailbox
      const { club, patch, student, to } = yield* withStudent()
      yield* send("PATCH", club.path, { token: club.token, body: { time_zone: "America/Sao_Paulo" } })
      yield* patch({ email: to })
      for (const [address, other] of [[student.email, to], [to, student.email]] as const) {
        const mail = (yield* mailbox.to(address)).at(-1)
        assert.match(mail?.subject ?? "", changedMail)
        assert.include(mail?.text, club.owner.email)
        assert.match(mail?.text ?? "", /on December 31, 1969 at 9:00.PM \(America\/Sao_Paulo\)/)
        assert.notInclude(mail?.text.replaceAll(address, ""), other.replace(address, ""))
      }
    }))

  it.effect("is told in the club's language", () =>
    Effect.gen(function*() {
      const { patch, student, to } = yield* withStudent({ locale: "pt-BR" })
      yield* patch({ email: to })
      for (const address of [student.email, to]) {
        assert.match((yield* subjects(address)).at(-1) ?? "", /Seu e-mail no clube .* foi alterado/)
      }
    }))

  it.effect("is not signed out and told nothing where the change is refused", () =>
    Effect.gen(function*() {
      const { club, patch, student } = yield* withStudent()
      const taken = yield* makeStudent(club)
      assert.deepStrictEqual(outcome(yield* patch({ email: taken.email })), [409, "email_in_use"])
      assert.strictEqual(yield* status(student.token), 200)
      assert.lengthOf(yield* subjects(taken.email), 0)
      assert.notMatch((yield* subjects(student.email)).at(-1) ?? "", changedMail)
    }))

  it.effect("is let in meanwhile by no password, code or link that is on its way with the old address", () =>
    Effect.gen(function*() {
      yield* warmPool
      const mailbox = yield* Mailbox
      for (let round = 0; round < 5; round++) {
        const { patch, side, student, to } = yield* withStudent()
        yield* access(side, student.email)
        const code = yield* mailbox.secret(student.email)
        const entering = [exchange(side, code), ...Array.from({ length: 5 }, () => signIn(side, student.email))]
        const [changed, ...answers] = yield* Effect.all([patch({ email: to }), ...entering], {
          concurrency: "unbounded"
        })
        assert.strictEqual(changed.status, 200)
        for (const answer of answers.filter(({ status }) => status === 200)) {
          assert.strictEqual(yield* status(grantedBy(answer)), 401)
        }
      }
    }))

  it.effect("is not reached by what was asked for the old address and is worked off afterwards", () =>
    Effect.gen(function*() {
      const { patch, side, student, to } = yield* withStudent()
      const before = (yield* subjects(student.email)).length
      yield* access(side, student.email)
      yield* forgot(side, student.email)
      yield* patch({ email: to })
      assert.lengthOf(yield* subjects(student.email), before + 1)
      assert.lengthOf(yield* subjects(to), 1)
    }))

  it.effect("leaves the old address to somebody else, who gets nothing of theirs", () =>
    Effect.gen(function*() {
      const mailbox = yield* Mailbox
      const { patch, side, student, to } = yield* withStudent()
      yield* forgot(side, student.email)
      const link = yield* mailbox.secret(student.email)
      yield* patch({ email: to })
      yield* signUp(side, { email: student.email, password: "another one" })
      assert.strictEqual((yield* confirm(side, yield* mailbox.secret(student.email))).status, 200)
      assert.deepStrictEqual(outcome(yield* reset(side, link)), [422, "token_invalid"])
      assert.deepStrictEqual(outcome(yield* signIn(side, student.email)), [401, "invalid_credentials"])
      const ids = yield* Effect.forEach(
        [signIn(side, student.email, "another one"), signIn(side, to)],
        Effect.fnUntraced(function*(entering) {
          return at((yield* currentSession(grantedBy(yield* entering))).json, "data", "account", "id")
        })
      )
      assert.notStrictEqual(ids[0], ids[1])
      assert.strictEqual(yield* status(student.token), 401)
    }))

  it.effect("gets no password from a sign-up that waited for the old address", () =>
    Effect.gen(function*() {
      const mailbox = yield* Mailbox
      const club = yield* foundClub()
      const side = studentsOf(club)
      const { email, id } = yield* makeStudent(club)
      yield* signUp(side, { email })
      const link = yield* mailbox.secret(email)
      const body = { email: `new-${email}` }
      yield* send("PATCH", `${club.path}/students/${id}`, { token: club.token, body })
      assert.deepStrictEqual(outcome(yield* confirm(side, link)), [422, "token_invalid"])
      for (const address of [email, body.email]) {
        assert.deepStrictEqual(outcome(yield* signIn(side, address)), [401, "invalid_credentials"])
      }
    }))
})

layer(AppLayer)("An account's credentials", (it) => {
  it.effect("are nothing that an import or a sale changes, whatever else they say of the person", () =>
    Effect.gen(function*() {
      const admission = yield* StudentAdmission
      const { club, side, student } = yield* withStudent()
      const document = Redacted.make("52998224725")
      for (const origin of ["import", "purchase"] as const) {
        const [known, other] = yield* admission.admit(club.id, [
          { name: "Somebody Else", email: student.email, document },
          { name: "Ana Souza", email: `${origin}-${student.email}`, document }
        ], origin)
        assert.deepStrictEqual([known?.created, other?.created], [false, true])
      }
      assert.strictEqual(yield* status(student.token), 200)
      assert.strictEqual((yield* signIn(side, student.email)).status, 200)
    }))

  it.effect("hold no address of an administrator that anybody could change", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const body = { email: "other@example.com" }
      const own = yield* send("PATCH", "/v1/me", { token: club.token, body })
      const member = yield* send("PATCH", `${club.path}/members/${club.owner.id}`, { token: club.token, body })
      for (const answer of [own, member]) assert.deepStrictEqual(outcome(answer), [422, "validation_failed"])
    }))

  it.effect("of a student without a password end with the first one, and a mail says so", () =>
    Effect.gen(function*() {
      const mailbox = yield* Mailbox
      const club = yield* foundClub()
      const side = studentsOf(club)
      const { email } = yield* makeStudent(club)
      yield* access(side, email)
      const entered = grantedBy(yield* exchange(side, yield* mailbox.secret(email)))
      yield* access(side, email)
      const code = yield* mailbox.secret(email)
      yield* signUp(side, { email })
      assert.strictEqual((yield* confirm(side, yield* mailbox.secret(email))).status, 200)
      assert.strictEqual(yield* status(entered), 401)
      assert.deepStrictEqual(outcome(yield* exchange(side, code)), [422, "code_invalid"])
      assert.match((yield* subjects(email)).at(-1) ?? "", /password was changed/)
      assert.strictEqual((yield* signIn(side, email)).status, 200)
    }))
})
