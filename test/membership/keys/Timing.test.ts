import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Logger, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { makeKeyToken } from "../../../src/identity/keys/KeyToken.ts"
import { AppLayer, foundClub, keyOf, outcome, send, tokenOf } from "../../harness/App.ts"
import { makeMember } from "../../harness/Makers.ts"
import { gap, timedPairs } from "../../harness/Pairs.ts"
import { SpansLayer, statements } from "../../harness/Statements.ts"

/** Tokens of one club that do not work, by the reason. */
const refusedTokens = Effect.gen(function*() {
  const club = yield* foundClub()
  const revoked = yield* keyOf(club)
  yield* send("DELETE", `${club.path}/keys/${revoked.id}`, { token: club.token })
  const elsewhere = yield* keyOf(club, { allowed_networks: ["203.0.113.0/24"] })
  const admin = yield* makeMember(club, "admin")
  const unowned = yield* keyOf({ path: club.path, token: yield* tokenOf(admin) })
  yield* send("DELETE", `${club.path}/members/${admin.id}`, { token: club.token })
  const { token } = yield* makeKeyToken
  return {
    club,
    tokens: {
      "there is not": Redacted.value(token),
      "was revoked": revoked.token,
      "is of another network": elsewhere.token,
      "has no holder": unowned.token
    }
  }
}).pipe(Effect.provide(SecureRandom.layerWebCrypto))

const TestLayer = AppLayer.pipe(Layer.provideMerge(SpansLayer), Layer.provideMerge(Logger.layer([])))

layer(TestLayer, { excludeTestServices: true })("What a key that does not work costs", (it) => {
  it.effect("is the same statement, whatever it does not work for", () =>
    Effect.gen(function*() {
      const { club, tokens } = yield* refusedTokens
      for (const path of ["/v1/key", `${club.path}/students`]) {
        const [first = [], ...others] = yield* Effect.forEach(Object.values(tokens), (token) =>
          statements(Effect.map(send("GET", path, { token }), (answer) =>
            assert.deepStrictEqual(outcome(answer), [401, "unauthenticated"]))))
        assert.lengthOf(first, 1, path)
        for (const other of others) {
          assert.deepStrictEqual(other, first, path)
        }
      }
    }))

  // Compares the fastest of many requests: the machine only adds time. `npm run bench:auth` compares the medians.
  it.effect("is about the same time", () =>
    Effect.gen(function*() {
      const { tokens } = yield* refusedTokens
      const { "there is not": unknown, ...known } = tokens
      for (const [reason, token] of Object.entries(known)) {
        const { one, other } = yield* timedPairs(
          40,
          () => send("GET", "/v1/key", { token }),
          () => send("GET", "/v1/key", { token: unknown })
        )
        assert.isBelow(gap(one[0] ?? 0, other[0] ?? Number.POSITIVE_INFINITY), 0.5, reason)
      }
    }))

  it.effect("is one statement for a key that works, as for a session", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const { token } = yield* keyOf(club)
      const read = (sent: string) => statements(send("GET", `${club.path}/courses`, { token: sent }))
      // The first use is recorded. Further uses within ten minutes are not.
      yield* read(token)
      assert.lengthOf(yield* read(token), (yield* read(club.token)).length)
    }))
})
