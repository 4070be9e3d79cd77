import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { AppLayer, at, codeOf, outcome, send } from "../../harness/App.ts"
import { Mailbox } from "../../harness/Mailbox.ts"
import { isAbout } from "../../harness/Refusals.ts"
import {
  admins,
  bothSides,
  confirm,
  currentSession,
  grantedBy,
  newAddress,
  registered,
  resend,
  signIn,
  signUp,
  subjects
} from "./People.ts"

const invalid = [422, "validation_failed"]

layer(AppLayer)("A sign-up", (it) => {
  for (const [person, makeSide] of bothSides) {
    it.effect(`of ${person} is accepted, and issues no session`, () =>
      Effect.gen(function*() {
        const answer = yield* signUp(yield* makeSide, { email: yield* newAddress })
        assert.deepStrictEqual([answer.status, answer.text], [202, `{"data":{"accepted":true}}`])
      }))

    it.effect(`of ${person} makes no account before its link is used`, () =>
      Effect.gen(function*() {
        const mailbox = yield* Mailbox
        const side = yield* makeSide
        const email = yield* newAddress
        yield* signUp(side, { email })
        assert.deepStrictEqual(outcome(yield* signIn(side, email)), [403, "email_not_verified"])
        yield* confirm(side, yield* mailbox.secret(email))
        assert.strictEqual((yield* signIn(side, email)).status, 200)
      }))

    it.effect(`with the address of ${person} mails them that they have an account, and changes nothing`, () =>
      Effect.gen(function*() {
        const side = yield* makeSide
        const { email } = yield* registered(side)
        yield* signUp(side, { email, name: "Mallory", password: "the stranger's" })
        assert.lengthOf(yield* subjects(email), 2)
        const mailbox = yield* Mailbox
        const [, mail] = yield* mailbox.to(email)
        assert.match(mail?.subject ?? "", /already have an account|já tem uma conta/)
        assert.notInclude(mail?.text, "Mallory")
        assert.notMatch(mail?.text ?? "", /[?&]token=/)
        const { json } = yield* currentSession(grantedBy(yield* signIn(side, email)))
        assert.strictEqual(at(json, "data", "account", "name"), "Ana Souza")
      }))

    it.effect(`before ${person} signs up applies nothing to the account of their own link`, () =>
      Effect.gen(function*() {
        const mailbox = yield* Mailbox
        const side = yield* makeSide
        const email = yield* newAddress
        yield* signUp(side, { email, name: "Mallory", password: "the stranger's" })
        const strangers = yield* mailbox.secret(email)
        yield* signUp(side, { email, name: "Bia Lima", password: "my own words" })
        yield* confirm(side, yield* mailbox.secret(email))
        assert.deepStrictEqual(outcome(yield* confirm(side, strangers)), [422, "token_invalid"])
        assert.notStrictEqual((yield* signIn(side, email, "the stranger's")).status, 200)
        const { json } = yield* currentSession(grantedBy(yield* signIn(side, email, "my own words")))
        assert.strictEqual(at(json, "data", "account", "name"), "Bia Lima")
      }))

    it.effect(`after ${person} signed up takes nothing from their link`, () =>
      Effect.gen(function*() {
        const mailbox = yield* Mailbox
        const side = yield* makeSide
        const email = yield* newAddress
        yield* signUp(side, { email, name: "Bia Lima", password: "my own words" })
        const own = yield* mailbox.secret(email)
        yield* signUp(side, { email, name: "Mallory", password: "the stranger's" })
        const strangers = yield* mailbox.secret(email)
        yield* confirm(side, own)
        assert.deepStrictEqual(outcome(yield* confirm(side, strangers)), [422, "token_invalid"])
        assert.notStrictEqual((yield* signIn(side, email, "the stranger's")).status, 200)
        assert.strictEqual((yield* signIn(side, email, "my own words")).status, 200)
      }))

    it.effect(`of ${person} gets its link once more for the asking`, () =>
      Effect.gen(function*() {
        const mailbox = yield* Mailbox
        const side = yield* makeSide
        const email = yield* newAddress
        yield* signUp(side, { email })
        const first = yield* mailbox.secret(email)
        yield* resend(side, email)
        const second = yield* mailbox.secret(email)
        assert.notStrictEqual(first, second)
        assert.strictEqual((yield* confirm(side, second)).status, 200)
        assert.deepStrictEqual(outcome(yield* confirm(side, first)), [422, "token_invalid"])
      }))

    it.effect(`of ${person} is used by one of its links, and the other is worth nothing then`, () =>
      Effect.gen(function*() {
        const mailbox = yield* Mailbox
        const side = yield* makeSide
        const email = yield* newAddress
        yield* signUp(side, { email })
        const first = yield* mailbox.secret(email)
        yield* resend(side, email)
        const second = yield* mailbox.secret(email)
        assert.notStrictEqual(first, second)
        assert.strictEqual((yield* confirm(side, second)).status, 200)
        assert.deepStrictEqual(outcome(yield* confirm(side, first)), [422, "token_invalid"])
        assert.strictEqual((yield* signIn(side, email)).status, 200)
      }))

    it.effect(`of ${person} gets no link once more while there are several`, () =>
      Effect.gen(function*() {
        const side = yield* makeSide
        const email = yield* newAddress
        yield* signUp(side, { email })
        yield* signUp(side, { email, password: "the stranger's" })
        assert.lengthOf(yield* subjects(email), 2)
        yield* resend(side, email)
        assert.lengthOf(yield* subjects(email), 2)
      }))

    it.effect(`with the address of ${person} gets no link by asking once more`, () =>
      Effect.gen(function*() {
        const mailbox = yield* Mailbox
        const side = yield* makeSide
        const { email } = yield* registered(side)
        yield* signUp(side, { email, name: "Mallory", password: "the stranger's" })
        yield* mailbox.deliver
        yield* resend(side, email)
        const mails = yield* mailbox.to(email)
        assert.lengthOf(mails.filter(({ text }) => /[?&]token=/.test(text)), 1)
        assert.notInclude(mails.at(-1)?.text, "Mallory")
      }))

    it.effect(`that nobody made mails ${person} no link for the asking`, () =>
      Effect.gen(function*() {
        const email = yield* newAddress
        yield* resend(yield* makeSide, email)
        assert.lengthOf(yield* subjects(email), 0)
      }))

    it.effect(`of ${person} takes names of 1 to 200 characters`, () =>
      Effect.gen(function*() {
        const side = yield* makeSide
        for (const name of ["A", "é".repeat(200), "🎸".repeat(200)]) {
          const { email, password } = yield* registered(side, { name })
          const { json } = yield* currentSession(grantedBy(yield* signIn(side, email, password)))
          assert.strictEqual(at(json, "data", "account", "name"), name)
        }
        for (const name of ["", "A".repeat(201), "🎸".repeat(201)]) {
          assert.deepStrictEqual(outcome(yield* signUp(side, { email: yield* newAddress, name })), invalid)
        }
      }))

    it.effect(`of ${person} takes passwords of 8 to 1024 characters of any kind`, () =>
      Effect.gen(function*() {
        const side = yield* makeSide
        for (const password of ["        ", "a".repeat(1024), "🎸".repeat(8), "🎸".repeat(1024)]) {
          const { email } = yield* registered(side, { password })
          assert.strictEqual((yield* signIn(side, email, password)).status, 200)
        }
        for (const password of ["1234567", "🎸".repeat(7), "a".repeat(1025)]) {
          assert.deepStrictEqual(outcome(yield* signUp(side, { email: yield* newAddress, password })), invalid)
        }
      }))

    it.effect(`of ${person} takes addresses of up to 320 characters`, () =>
      Effect.gen(function*() {
        const side = yield* makeSide
        const local = (length: number) => `${"a".repeat(length - "@mail.example".length)}@mail.example`
        assert.strictEqual((yield* signUp(side, { email: local(320) })).status, 202)
        for (const email of [local(321), "", "ana", "ana@", "@mail.example", "a b@mail.example", "a@b@mail.example"]) {
          assert.deepStrictEqual(outcome(yield* signUp(side, { email })), invalid, email)
        }
      }))

    it.effect(`of ${person} takes no text that cannot be stored`, () =>
      Effect.gen(function*() {
        const side = yield* makeSide
        const email = yield* newAddress
        for (const bad of ["nul\u0000nul!", "half \ud83c pair"]) {
          assert.deepStrictEqual(outcome(yield* signUp(side, { email, name: bad })), invalid)
          assert.deepStrictEqual(outcome(yield* signUp(side, { email, password: bad })), invalid)
          assert.deepStrictEqual(
            outcome(yield* signUp(side, { email: `${bad.replaceAll(" ", "")}@mail.example` })),
            invalid
          )
        }
      }))

    it.effect(`of ${person} that is refused names the field and repeats no value`, () =>
      Effect.gen(function*() {
        const side = yield* makeSide
        for (const [field, value] of [["email", "not-an-address"], ["password", "tiny-pw"]] as const) {
          const answer = yield* signUp(side, { email: yield* newAddress, [field]: value })
          assert.isTrue(isAbout(at(answer.json, "error", "message"), field), answer.text)
          assert.notInclude(answer.text, value)
        }
      }))
  }

  it.effect("needs every field and takes no other", () =>
    Effect.gen(function*() {
      const whole = { name: "Ana", email: yield* newAddress, password: "correct horse" }
      for (const field of ["name", "email", "password"]) {
        const { [field]: _, ...body } = { ...whole } as Record<string, string>
        assert.deepStrictEqual(outcome(yield* send("POST", `${admins.base}/sign-up`, { body })), invalid, field)
      }
      const more = yield* send("POST", `${admins.base}/sign-up`, { body: { ...whole, role: "owner" } })
      assert.deepStrictEqual(outcome(more), invalid)
      const broken = yield* send("POST", `${admins.base}/sign-up`, { body: "{" })
      assert.deepStrictEqual([broken.status, codeOf(broken)], [400, "malformed_request"])
    }))

  it.effect("makes an administrator who belongs to no club", () =>
    Effect.gen(function*() {
      const { email } = yield* registered(admins)
      const me = yield* send("GET", "/v1/me", { token: grantedBy(yield* signIn(admins, email)) })
      assert.deepStrictEqual(at(me.json, "data", "organizations"), [])
      assert.isTrue(at(me.json, "data", "verified"))
    }))
})
