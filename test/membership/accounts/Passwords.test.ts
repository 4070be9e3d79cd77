import { assert, layer } from "@effect/vitest"
import { hash as argon2Hash } from "@node-rs/argon2"
import { Deferred, Effect, Exit, Fiber, Redacted } from "effect"
import { Passwords } from "../../../src/membership/accounts/Passwords.ts"

const password = Redacted.make("correct horse")
const many = (count: number) => Array.from({ length: count })

layer(Passwords.layer)("Passwords", (it) => {
  it.effect("are hashed by Argon2id with a salt each", () =>
    Effect.gen(function*() {
      const passwords = yield* Passwords
      const [one, other] = [yield* passwords.hash(password), yield* passwords.hash(password)]
      assert.match(one, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
      assert.notStrictEqual(one, other)
    }))

  it.effect("match their own hash and no other", () =>
    Effect.gen(function*() {
      const passwords = yield* Passwords
      const hash = yield* passwords.hash(password)
      assert.isTrue(yield* passwords.verify(password, hash))
      assert.isFalse(yield* passwords.verify(Redacted.make("correct horsf"), hash))
      assert.isFalse(yield* passwords.verify(Redacted.make(""), hash))
    }))

  it.effect("count to the last of 1024 characters", () =>
    Effect.gen(function*() {
      const passwords = yield* Passwords
      const hash = yield* passwords.hash(Redacted.make("a".repeat(1024)))
      assert.isTrue(yield* passwords.verify(Redacted.make("a".repeat(1024)), hash))
      assert.isFalse(yield* passwords.verify(Redacted.make(`${"a".repeat(1023)}b`), hash))
    }))

  it.effect("match in any form of their characters, and by a hash from before as they were sent", () =>
    Effect.gen(function*() {
      const passwords = yield* Passwords
      const [composed, decomposed] = [Redacted.make("caf\u00e9 com leite"), Redacted.make("cafe\u0301 com leite")]
      for (const entered of [composed, decomposed]) {
        const hash = yield* passwords.hash(entered)
        assert.isTrue(yield* passwords.verify(composed, hash))
        assert.isTrue(yield* passwords.verify(decomposed, hash))
      }
      const old = yield* Effect.promise(() => argon2Hash(Redacted.value(decomposed)))
      assert.isTrue(yield* passwords.verify(decomposed, old))
      assert.isFalse(yield* passwords.verify(Redacted.make("cafe com leite"), old))
    }))

  it.effect("match nothing where there is no hash, not even what the comparison is made with", () =>
    Effect.gen(function*() {
      const passwords = yield* Passwords
      assert.isFalse(yield* passwords.verify(Redacted.make("nobody"), null))
    }))

  it.effect("past the queue are refused at once, and everybody before is served", () =>
    Effect.gen(function*() {
      const passwords = yield* Passwords
      const hash = yield* passwords.hash(password)
      const tries = many(Passwords.capacity + 5).map(() => Effect.exit(passwords.verify(password, hash)))
      const exits = yield* Effect.all(tries, { concurrency: "unbounded" })
      const refused = exits.slice(Passwords.capacity)
      assert.isTrue(exits.slice(0, Passwords.capacity).every(Exit.isSuccess))
      for (const exit of refused) {
        assert.isTrue(Exit.isFailure(exit) &&
          exit.cause.reasons.some((reason) =>
            reason._tag === "Fail" && reason.error.error.code === "temporarily_unavailable"
          ))
      }
      assert.lengthOf(refused, 5)
      assert.isTrue(yield* passwords.verify(password, hash))
    }))

  it.effect("leave no place behind when callers give up", () =>
    Effect.gen(function*() {
      const passwords = yield* Passwords
      for (let round = 0; round < 3; round++) {
        const begun = yield* Deferred.make<void>()
        const fibers = yield* Effect.forEach(
          many(Passwords.capacity),
          () => Effect.forkChild(Effect.andThen(Deferred.succeed(begun, undefined), passwords.hash(password)))
        )
        yield* Deferred.await(begun)
        yield* Fiber.interruptAll(fibers)
      }
      const exits = yield* Effect.all(many(Passwords.capacity).map(() => Effect.exit(passwords.hash(password))), {
        concurrency: "unbounded"
      })
      assert.isTrue(exits.every(Exit.isSuccess))
    }))
})
