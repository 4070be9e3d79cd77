import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { AppLayer, outcome } from "../../harness/App.ts"
import { Mailbox } from "../../harness/Mailbox.ts"
import { warmPool } from "../../harness/Pool.ts"
import {
  access,
  bothSides,
  changePassword,
  currentSession,
  exchange,
  forgot,
  grantedBy,
  reset,
  signedIn,
  signIn,
  subjects
} from "./People.ts"

const refused = [401, "invalid_credentials"]
const changedMail = /password was changed|senha foi alterada/

layer(AppLayer)("Changing a password", (it) => {
  for (const [person, makeSide] of bothSides) {
    it.effect(`replaces the old one of ${person}, and a mail says so`, () =>
      Effect.gen(function*() {
        const side = yield* makeSide
        const { email, password, token } = yield* signedIn(side)
        const answer = yield* changePassword(side, token, password, "a better one")
        assert.deepStrictEqual([answer.status, answer.text], [200, `{"data":{"changed":true}}`])
        assert.deepStrictEqual(outcome(yield* signIn(side, email, password)), refused)
        assert.strictEqual((yield* signIn(side, email, "a better one")).status, 200)
        assert.match((yield* subjects(email)).at(-1) ?? "", changedMail)
      }))

    it.effect(`ends every session of ${person} but the one it came with`, () =>
      Effect.gen(function*() {
        const side = yield* makeSide
        const { email, password, token } = yield* signedIn(side)
        const other = grantedBy(yield* signIn(side, email))
        const stranger = yield* signedIn(side)
        yield* changePassword(side, token, password)
        assert.strictEqual((yield* currentSession(token)).status, 200)
        assert.strictEqual((yield* currentSession(other)).status, 401)
        assert.strictEqual((yield* currentSession(stranger.token)).status, 200)
      }))

    it.effect(`leaves ${person} no open link or code`, () =>
      Effect.gen(function*() {
        const mailbox = yield* Mailbox
        const side = yield* makeSide
        const { email, password, token } = yield* signedIn(side)
        yield* forgot(side, email)
        const link = yield* mailbox.secret(email)
        yield* access(side, email)
        const code = yield* mailbox.secret(email)
        yield* changePassword(side, token, password)
        assert.deepStrictEqual(outcome(yield* reset(side, link)), [422, "token_invalid"])
        assert.deepStrictEqual(outcome(yield* exchange(side, code)), [422, "code_invalid"])
      }))

    it.effect(`needs the current one of ${person}, and without it changes nothing`, () =>
      Effect.gen(function*() {
        const side = yield* makeSide
        const { email, password, token } = yield* signedIn(side)
        const other = grantedBy(yield* signIn(side, email))
        assert.deepStrictEqual(outcome(yield* changePassword(side, token, "a wrong one")), refused)
        assert.strictEqual((yield* currentSession(other)).status, 200)
        assert.strictEqual((yield* signIn(side, email, password)).status, 200)
        assert.lengthOf((yield* subjects(email)).filter((subject) => changedMail.test(subject)), 0)
      }))

    it.effect(`takes 8 to 1024 characters from ${person}`, () =>
      Effect.gen(function*() {
        const side = yield* makeSide
        const { password, token } = yield* signedIn(side)
        for (const next of ["1234567", "a".repeat(1025), "half \ud83c pair"]) {
          assert.deepStrictEqual(outcome(yield* changePassword(side, token, password, next)), [
            422,
            "validation_failed"
          ])
        }
        assert.strictEqual((yield* changePassword(side, token, password, "12345678")).status, 200)
        assert.strictEqual((yield* changePassword(side, token, "12345678", "a".repeat(1024))).status, 200)
      }))

    it.effect(`ten wrong guesses at the current one of ${person} are enough, and cost no sign-in`, () =>
      Effect.gen(function*() {
        const side = yield* makeSide
        const { email, password, token } = yield* signedIn(side)
        for (let i = 0; i < 10; i++) {
          assert.deepStrictEqual(outcome(yield* changePassword(side, token, "a wrong one")), refused)
        }
        assert.deepStrictEqual(outcome(yield* changePassword(side, token, password)), [429, "rate_limited"])
        assert.strictEqual((yield* signIn(side, email, password)).status, 200)
      }))

    it.effect(`of ${person} twice at once from the same one: the first wins`, () =>
      Effect.gen(function*() {
        yield* warmPool
        const side = yield* makeSide
        for (let round = 0; round < 5; round++) {
          const { email, password, token } = yield* signedIn(side)
          const other = grantedBy(yield* signIn(side, email))
          const answers = yield* Effect.all([
            changePassword(side, token, password, "the first one"),
            changePassword(side, other, password, "the second one")
          ], { concurrency: "unbounded" })
          assert.deepStrictEqual(answers.map(({ status }) => status).toSorted(), [200, 401])
        }
      }))

    it.effect(`of ${person} never undoes a reset that came in between`, () =>
      Effect.gen(function*() {
        yield* warmPool
        const mailbox = yield* Mailbox
        const side = yield* makeSide
        for (let round = 0; round < 5; round++) {
          const { email, password, token } = yield* signedIn(side)
          yield* forgot(side, email)
          const link = yield* mailbox.secret(email)
          const [recovered, changed] = yield* Effect.all([
            reset(side, link, "recovered one"),
            changePassword(side, token, password, "the thief's one")
          ], { concurrency: "unbounded" })
          assert.deepStrictEqual([recovered.status, changed.status].filter((status) => status === 200), [200])
          const works = recovered.status === 200 ? "recovered one" : "the thief's one"
          assert.strictEqual((yield* signIn(side, email, works)).status, 200)
          assert.strictEqual((yield* currentSession(token)).status, recovered.status === 200 ? 401 : 200)
        }
      }))

    it.effect(`is for who holds a session of ${person}`, () =>
      Effect.gen(function*() {
        const side = yield* makeSide
        const answer = yield* changePassword(side, "A".repeat(43), "correct horse")
        assert.deepStrictEqual(outcome(answer), [401, "unauthenticated"])
      }))
  }
})
