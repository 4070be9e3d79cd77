import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { AppLayer, outcome } from "../../harness/App.ts"
import { Mailbox } from "../../harness/Mailbox.ts"
import { makeClub } from "../../harness/Makers.ts"
import { warmPool } from "../../harness/Pool.ts"
import {
  accessCode,
  admins,
  bothSides,
  confirm,
  exchange,
  newAddress,
  registered,
  resend,
  reset,
  resetLink,
  type Side,
  signIn,
  signUp,
  signUpLink,
  studentsOf
} from "./People.ts"

const tokenInvalid = [422, "token_invalid"]
const codeInvalid = [422, "code_invalid"]

/** One unused secret of each purpose, on this side. */
const secrets = Effect.fn("secrets")(function*(side: Side) {
  const { email } = yield* registered(side)
  const toReset = yield* resetLink(side, email)
  const toEnter = yield* accessCode(side, email)
  const other = yield* newAddress
  return { toConfirm: yield* signUpLink(side, other), toReset, toEnter }
})

const use = { toConfirm: confirm, toReset: reset, toEnter: exchange }
const refusals = { toConfirm: tokenInvalid, toReset: tokenInvalid, toEnter: codeInvalid }
const purposes = ["toConfirm", "toReset", "toEnter"] as const

layer(AppLayer)("A secret from a mail", (it) => {
  for (const [person, makeSide] of bothSides) {
    it.effect(`to ${person} works once`, () =>
      Effect.gen(function*() {
        const side = yield* makeSide
        // A reset ends the code, so the reset comes last.
        for (const purpose of ["toConfirm", "toEnter", "toReset"] as const) {
          const { [purpose]: secret } = yield* secrets(side)
          assert.strictEqual((yield* use[purpose](side, secret)).status, 200, purpose)
          assert.deepStrictEqual(outcome(yield* use[purpose](side, secret)), refusals[purpose])
        }
      }))

    it.effect(`to ${person} works for its purpose alone, and still does after it was tried for another`, () =>
      Effect.gen(function*() {
        const side = yield* makeSide
        const mailed = yield* secrets(side)
        for (const purpose of purposes) {
          for (const other of purposes.filter((other) => other !== purpose)) {
            assert.deepStrictEqual(
              outcome(yield* use[other](side, mailed[purpose])),
              refusals[other],
              `${purpose}, ${other}`
            )
          }
        }
        assert.strictEqual((yield* confirm(side, mailed.toConfirm)).status, 200)
        assert.strictEqual((yield* exchange(side, mailed.toEnter)).status, 200)
        assert.strictEqual((yield* reset(side, mailed.toReset)).status, 200)
      }))

    it.effect(`to ${person} that is unknown or no secret at all is refused alike`, () =>
      Effect.gen(function*() {
        const side = yield* makeSide
        for (const secret of ["A".repeat(43), "x", "é".repeat(43), `${"A".repeat(42)}=`, "A".repeat(200)]) {
          for (const purpose of purposes) {
            assert.deepStrictEqual(outcome(yield* use[purpose](side, secret)), refusals[purpose], secret)
          }
        }
      }))

    it.effect(`to ${person} is redeemed by one of twenty at once`, () =>
      Effect.gen(function*() {
        yield* warmPool
        const side = yield* makeSide
        for (const purpose of ["toConfirm", "toEnter", "toReset"] as const) {
          const { [purpose]: secret } = yield* secrets(side)
          const tries = Array.from({ length: 20 }, () => use[purpose](side, secret))
          const statuses = (yield* Effect.all(tries, { concurrency: "unbounded" })).map(({ status }) => status)
          assert.deepStrictEqual(statuses.toSorted(), [200, ...Array.from({ length: 19 }, () => 422)], purpose)
        }
      }))

    it.effect(`to ${person}: two different reset links at once, one is used and the other refused`, () =>
      Effect.gen(function*() {
        yield* warmPool
        const side = yield* makeSide
        for (let round = 0; round < 5; round++) {
          const { email } = yield* registered(side)
          const first = yield* resetLink(side, email)
          const second = yield* resetLink(side, email)
          const answers = yield* Effect.all([reset(side, first), reset(side, second)], { concurrency: "unbounded" })
          assert.deepStrictEqual(answers.map(({ status }) => status).toSorted(), [200, 422])
        }
      }))

    it.effect(`to ${person}: the links of two sign-ups at once, one makes the account`, () =>
      Effect.gen(function*() {
        yield* warmPool
        const side = yield* makeSide
        for (let round = 0; round < 5; round++) {
          const email = yield* newAddress
          const first = yield* signUpLink(side, email)
          const second = yield* signUpLink(side, email)
          const answers = yield* Effect.all([confirm(side, first), confirm(side, second)], { concurrency: "unbounded" })
          assert.deepStrictEqual(answers.map(({ status }) => status).toSorted(), [200, 422])
          assert.strictEqual((yield* signIn(side, email)).status, 200)
        }
      }))
  }

  it.effect("is worth nothing to the other identity, and is not used up by trying", () =>
    Effect.gen(function*() {
      const students = studentsOf(yield* makeClub())
      for (const [own, other] of [[admins, students], [students, admins]] as const) {
        const mailed = yield* secrets(own)
        for (const purpose of purposes) {
          assert.deepStrictEqual(outcome(yield* use[purpose](other, mailed[purpose])), refusals[purpose], purpose)
        }
        assert.strictEqual((yield* confirm(own, mailed.toConfirm)).status, 200)
        assert.strictEqual((yield* exchange(own, mailed.toEnter)).status, 200)
        assert.strictEqual((yield* reset(own, mailed.toReset)).status, 200)
      }
    }))
})

const lifetimes = { toConfirm: 24 * 60, toReset: 60, toEnter: 15 }

layer(AppLayer)("In time, a secret from a mail", (it) => {
  for (const [person, makeSide] of bothSides) {
    for (const purpose of purposes) {
      it.effect(`${purpose} of ${person} works for ${lifetimes[purpose]} minutes, to the last millisecond`, () =>
        Effect.gen(function*() {
          const side = yield* makeSide
          const inTime = yield* secrets(side)
          const late = yield* secrets(side)
          yield* TestClock.adjust(lifetimes[purpose] * 60_000 - 1)
          assert.strictEqual((yield* use[purpose](side, inTime[purpose])).status, 200)
          yield* TestClock.adjust(1)
          assert.deepStrictEqual(outcome(yield* use[purpose](side, late[purpose])), refusals[purpose])
        }))
    }

    it.effect(`sent once more to ${person} works for 24 hours from then`, () =>
      Effect.gen(function*() {
        const mailbox = yield* Mailbox
        const side = yield* makeSide
        const inTime = yield* newAddress
        const late = yield* newAddress
        for (const email of [inTime, late]) yield* signUp(side, { email })
        yield* mailbox.deliver
        yield* TestClock.adjust("23 hours")
        for (const email of [inTime, late]) yield* resend(side, email)
        const secret = yield* mailbox.secret(inTime)
        const lateSecret = yield* mailbox.secret(late)
        yield* TestClock.adjust(24 * 3_600_000 - 1)
        assert.strictEqual((yield* confirm(side, secret)).status, 200)
        yield* TestClock.adjust(1)
        assert.deepStrictEqual(outcome(yield* confirm(side, lateSecret)), tokenInvalid)
      }))

    it.effect(`is not sent once more to ${person} when the sign-up has expired`, () =>
      Effect.gen(function*() {
        const mailbox = yield* Mailbox
        const side = yield* makeSide
        const email = yield* newAddress
        yield* signUp(side, { email })
        yield* mailbox.deliver
        yield* TestClock.adjust("24 hours")
        yield* resend(side, email)
        assert.lengthOf(yield* mailbox.to(email), 1)
        assert.deepStrictEqual(outcome(yield* signIn(side, email)), [401, "invalid_credentials"])
      }))
  }
})
