import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { HttpServerRequest } from "effect/http"
import { TestClock } from "effect/testing"
import { ClientAddress } from "../../../src/identity/limits/ClientAddress.ts"
import { RateLimited } from "../../../src/identity/limits/RateLimit.ts"
import { RateLimiter } from "../../../src/identity/limits/RateLimiter.ts"
import { WriteCounters } from "../../../src/identity/limits/WriteCounters.ts"
import type { AccountScope } from "../../../src/identity/people/AccountScope.ts"
import { InvalidCredentials } from "../../../src/membership/accounts/Credential.ts"
import { SignInAttempts } from "../../../src/membership/accounts/SignInAttempts.ts"

const admin: AccountScope = { kind: "admin" }
const email = "ana@example.com"

/** Attempts to sign in from a network. */
const makeTries = Effect.gen(function*() {
  let network = ""
  const attempts = yield* Effect.provide(
    SignInAttempts,
    SignInAttempts.layer.pipe(
      Layer.provide(WriteCounters.layerNoDeps),
      Layer.provide(Layer.succeed(ClientAddress, {
        address: Effect.succeedNone,
        key: Effect.succeed("unused"),
        network: Effect.sync(() => network)
      })),
      Layer.provide(RateLimiter.layerMemory)
    )
  )
  const one = (from: string, end: Effect.Effect<string, InvalidCredentials>) =>
    Effect.suspend(() => {
      network = from
      return attempts.signIn(admin, email, end)
    }).pipe(
      Effect.catch((error) => Effect.succeed(error instanceof RateLimited ? "limited" : "refused")),
      Effect.provideService(
        HttpServerRequest.HttpServerRequest,
        HttpServerRequest.fromWeb(new Request("http://turma.example/"))
      )
    )
  const fail = (from: string, times: number) =>
    Effect.forEach(Array.from({ length: times }), () => one(from, Effect.fail(new InvalidCredentials())))
  return { fail, succeed: (from: string) => one(from, Effect.succeed("in")) }
})

it.effect("A hundred wrong passwords from anywhere lock an address for 15 minutes", () =>
  Effect.gen(function*() {
    const { fail, succeed } = yield* makeTries
    // One attempt too many from each network uses up nothing of the address's own limit.
    for (let n = 0; n < 9; n++) {
      assert.deepStrictEqual(yield* fail(`network ${n}`, 11), [...Array(10).fill("refused"), "limited"])
    }
    assert.deepStrictEqual(yield* fail("network 9", 9), Array(9).fill("refused"))
    assert.strictEqual(yield* succeed("elsewhere"), "in")
    assert.deepStrictEqual(yield* fail("network 9", 1), ["refused"])
    assert.strictEqual(yield* succeed("elsewhere"), "limited")
    yield* TestClock.adjust("15 minutes")
    assert.strictEqual(yield* succeed("elsewhere"), "in")
  }))

it.effect("Tries that an address has no room for leave a network what it had", () =>
  Effect.gen(function*() {
    const { fail, succeed } = yield* makeTries
    for (let n = 0; n < 10; n++) yield* fail(`network ${n}`, 10)
    yield* TestClock.adjust("14 minutes")
    assert.deepStrictEqual(yield* fail("elsewhere", 20), Array(20).fill("limited"))
    yield* TestClock.adjust("1 minute")
    assert.deepStrictEqual(yield* fail("elsewhere", 9), Array(9).fill("refused"))
    assert.strictEqual(yield* succeed("elsewhere"), "in")
  }))
