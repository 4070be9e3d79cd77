import { hash as argon2Hash, verify as argon2Verify } from "@node-rs/argon2"
import { Context, Effect, Layer, Redacted, Ref, Semaphore } from "effect"
import { TemporarilyUnavailable } from "../../http/errors.ts"

/** OWASP's floor for Argon2id, the library's default algorithm: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Hashes computed at once. Each holds 19 MiB and a core for its 20 ms. */
const concurrency = 2

/** Callers that may wait beyond that: about a second of work. */
const queue = 64

/** Of no password that anybody knows: an unknown address costs what a known one does. */
const nobody = Effect.promise(() => argon2Hash(crypto.randomUUID(), cost))

/**
 * Argon2id behind a concurrency limit, so that a flood of sign-ins exhausts
 * neither memory nor the cores; past its queue it fails with 503.
 */
export class Passwords extends Context.Service<Passwords, {
  hash(password: Redacted.Redacted): Effect.Effect<string, TemporarilyUnavailable>
  /** Compares with a stored hash. Without one it does the same work and answers false. */
  verify(password: Redacted.Redacted, stored: string | null): Effect.Effect<boolean, TemporarilyUnavailable>
}>()("turma/auth/Passwords") {
  static readonly layer = Layer.effect(
    Passwords,
    Effect.gen(function*() {
      const semaphore = yield* Semaphore.make(concurrency)
      const waiting = yield* Ref.make(0)
      const dummy = yield* Effect.cached(nobody)

      const limited = <A>(work: Effect.Effect<A>) =>
        Effect.acquireUseRelease(
          Ref.updateAndGet(waiting, (n) => n + 1),
          (n): Effect.Effect<A, TemporarilyUnavailable> =>
            n > concurrency + queue ? Effect.fail(new TemporarilyUnavailable()) : semaphore.withPermits(1)(work),
          () => Ref.update(waiting, (n) => n - 1)
        )

      const hash = Effect.fn("Passwords.hash")((password: Redacted.Redacted) =>
        limited(Effect.promise(() => argon2Hash(Redacted.value(password), cost)))
      )

      const verify = Effect.fn("Passwords.verify")(function*(password: Redacted.Redacted, stored: string | null) {
        const against = stored ?? (yield* dummy)
        const matches = yield* limited(Effect.promise(() => argon2Verify(against, Redacted.value(password))))
        return matches && stored !== null
      })

      return Passwords.of({ hash, verify })
    })
  )
}
