import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { AppLayer } from "../../harness/App.ts"
import { Mailbox } from "../../harness/Mailbox.ts"
import { makeClub, makeStudent } from "../../harness/Makers.ts"
import { SpansLayer, statements, traced } from "../../harness/Statements.ts"
import {
  access,
  admins,
  bothSides,
  confirm,
  forgot,
  newAddress,
  registered,
  resend,
  type Side,
  signIn,
  signUp,
  studentsOf
} from "./People.ts"

/** Addresses of every kind. No answer may tell one kind from another. */
const addresses = Effect.fn("addresses")(function*(side: Side) {
  const free = yield* newAddress
  const pending = yield* newAddress
  const contested = yield* newAddress
  yield* signUp(side, { email: pending })
  yield* signUp(side, { email: contested })
  yield* signUp(side, { email: contested, password: "somebody else" })
  const { email: existing } = yield* registered(side)
  const both = yield* registered(side)
  yield* signUp(side, { email: both.email, password: "somebody else" })
  return { free, pending, contested, existing, "existing and pending": both.email }
})

const counted = /^(?:date|x-request-id|ratelimit.*)$/

/** The parts of an answer that could tell something, in the order of their sending. */
const visible = ({ headers, status, text }: { headers: object; status: number; text: string }) => ({
  status,
  text,
  headers: Object.entries(headers).filter(([name]) => !counted.test(name))
})

const asked = {
  "sign-up": (side: Side, email: string) => signUp(side, { email }),
  "confirm/resend": resend,
  "password/forgot": forgot,
  access
}

layer(AppLayer.pipe(Layer.provideMerge(SpansLayer)))(
  "Whoever asks about an address",
  (it) => {
    for (const [person, makeSide] of bothSides) {
      for (const [route, ask] of Object.entries(asked)) {
        it.effect(`gets the same bytes from ${route} whatever it is to ${person}`, () =>
          Effect.gen(function*() {
            const side = yield* makeSide
            for (const [kind, email] of Object.entries(yield* addresses(side))) {
              const answer = visible(yield* ask(side, email))
              assert.deepStrictEqual([answer.status, answer.text], [202, `{"data":{"accepted":true}}`])
              assert.deepStrictEqual(answer, visible(yield* ask(side, yield* newAddress)), kind)
            }
          }))

        it.effect(`costs the same SQL at ${route} whatever it is to ${person}`, () =>
          Effect.gen(function*() {
            const side = yield* makeSide
            const expected = yield* statements(ask(side, yield* newAddress))
            assert.lengthOf(expected, 1)
            for (const [kind, email] of Object.entries(yield* addresses(side))) {
              assert.deepStrictEqual(yield* statements(ask(side, email)), expected, kind)
            }
          }))
      }

      it.effect(`gets the same bytes for any wrong password of ${person}`, () =>
        Effect.gen(function*() {
          const side = yield* makeSide
          for (const [kind, email] of Object.entries(yield* addresses(side))) {
            const answer = visible(yield* signIn(side, email, "a wrong one"))
            assert.deepStrictEqual(answer, visible(yield* signIn(side, yield* newAddress, "a wrong one")), kind)
            assert.strictEqual(answer.status, 401)
          }
        }))

      it.effect(`costs the same SQL for any wrong password of ${person}`, () =>
        Effect.gen(function*() {
          const side = yield* makeSide
          const expected = yield* statements(signIn(side, yield* newAddress, "a wrong one"))
          assert.lengthOf(expected, 1)
          for (const [kind, email] of Object.entries(yield* addresses(side))) {
            assert.deepStrictEqual(yield* statements(signIn(side, email, "a wrong one")), expected, kind)
          }
        }))

      it.effect(`has as many hashes computed for any wrong password of ${person}`, () =>
        Effect.gen(function*() {
          const side = yield* makeSide
          const hashes = (email: string) =>
            Effect.map(traced(signIn(side, email, "a wrong one")), ([, spans]) =>
              spans.map(({ name }) => name).filter((name) => name.startsWith("Passwords.")))
          const expected = yield* hashes(yield* newAddress)
          assert.isNotEmpty(expected)
          for (const [kind, email] of Object.entries(yield* addresses(side))) {
            assert.deepStrictEqual(yield* hashes(email), expected, kind)
          }
        }))

      it.effect(`cannot tell by signing up and in whether there is an account of ${person}`, () =>
        Effect.gen(function*() {
          const side = yield* makeSide
          const { email: existing } = yield* registered(side)
          const answers = yield* Effect.forEach([existing, yield* newAddress], (email) =>
            Effect.gen(function*() {
              yield* signUp(side, { email, password: "the stranger's" })
              return visible(yield* signIn(side, email, "the stranger's"))
            }))
          assert.deepStrictEqual(answers[0], answers[1])
          assert.include(answers[0]?.text, "email_not_verified")
        }))

      it.effect(`cannot tell by an earlier sign-up that ${person} has confirmed theirs since`, () =>
        Effect.gen(function*() {
          const side = yield* makeSide
          const mailbox = yield* Mailbox
          const email = yield* newAddress
          yield* signUp(side, { email, password: "the stranger's" })
          yield* mailbox.deliver
          yield* signUp(side, { email })
          const link = yield* mailbox.secret(email)
          const before = visible(yield* signIn(side, email, "the stranger's"))
          assert.strictEqual((yield* confirm(side, link)).status, 200)
          assert.deepStrictEqual(visible(yield* signIn(side, email, "the stranger's")), before)
        }))
    }

    it.effect("gets the same bytes at the same cost from a club that does not exist, a closed and an open one", () =>
      Effect.gen(function*() {
        const email = yield* newAddress
        const clubs = {
          unknown: studentsOf({ organization_id: "7f8f4ad1-9a3e-4f6c-8a53-1c2d3e4f5a6b" }),
          closed: studentsOf(yield* makeClub({ sign_up_open: false })),
          open: studentsOf(yield* makeClub())
        }
        for (const ask of Object.values(asked)) {
          const expected = yield* statements(ask(clubs.open, email))
          const answer = visible(yield* ask(clubs.open, email))
          for (const [kind, side] of Object.entries(clubs)) {
            assert.deepStrictEqual(visible(yield* ask(side, email)), answer, kind)
            assert.deepStrictEqual(yield* statements(ask(side, email)), expected, kind)
          }
        }
      }))

    it.effect("gets the same for a student without a password as for a stranger", () =>
      Effect.gen(function*() {
        const club = yield* makeClub()
        const side = studentsOf(club)
        const { email } = yield* makeStudent(club)
        const stranger = yield* newAddress
        assert.deepStrictEqual(visible(yield* signIn(side, email)), visible(yield* signIn(side, stranger)))
        assert.deepStrictEqual(
          yield* statements(signIn(side, email)),
          yield* statements(signIn(side, stranger))
        )
      }))

    it.effect("costs the same SQL for an administrator as for nobody, right up to the session", () =>
      Effect.gen(function*() {
        const { email } = yield* registered(admins)
        const refused = yield* statements(signIn(admins, email, "a wrong one"))
        assert.deepStrictEqual((yield* statements(signIn(admins, email))).slice(0, 1), refused)
      }))
  }
)
