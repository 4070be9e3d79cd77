import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Logger, Redacted } from "effect"
import { HashCost, Passwords } from "../../../src/membership/accounts/Passwords.ts"
import { appLayer } from "../../harness/App.ts"
import { makeUser } from "../../harness/Makers.ts"
import { gap, timedPairs } from "../../harness/Pairs.ts"
import { admins, newAddress, signIn, signUp } from "./People.ts"

const known = Effect.gen(function*() {
  const passwords = yield* Passwords
  const { email } = yield* makeUser({ password_hash: yield* passwords.hash(Redacted.make("correct horse")) })
  return email
}).pipe(Effect.provide(Passwords.layer))

/**
 * Compares the fastest of many requests: the machine only adds time to the work. Without its hashes, a request would
 * take a small part of that time. `npm run bench:auth` compares the medians.
 */
const closeEnough = ({ one, other }: { one: ReadonlyArray<number>; other: ReadonlyArray<number> }) =>
  assert.isBelow(gap(one[0] ?? 0, other[0] ?? Number.POSITIVE_INFINITY), 0.5)

const TestLayer = appLayer({}, { hashCost: HashCost.defaultValue() }).pipe(Layer.provideMerge(Logger.layer([])))

layer(TestLayer, { excludeTestServices: true })(
  "The time that an answer takes",
  (it) => {
    it.effect("does not tell a wrong password from an unknown address", () =>
      Effect.gen(function*() {
        const emails = [yield* known, yield* known, yield* known]
        const wrong = (email: string) => signIn(admins, email, "a wrong one")
        closeEnough(yield* timedPairs(
          20,
          (pair) => wrong(emails[pair % emails.length] ?? ""),
          () => Effect.flatMap(newAddress, wrong)
        ))
      }))

    it.effect("does not tell a sign-up with a free address from one with an account", () =>
      Effect.gen(function*() {
        const email = yield* known
        closeEnough(yield* timedPairs(
          20,
          () => signUp(admins, { email }),
          () => Effect.flatMap(newAddress, (email) => signUp(admins, { email }))
        ))
      }))
  }
)
