import { hash as argon2Hash, verify as argon2Verify } from "@node-rs/argon2"
import { Context, Effect, Layer, Redacted, Ref, Semaphore } from "effect"
import { TemporarilyUnavailable } from "../../platform/http/errors.ts"

/**
 * The cost of a hash: memory in KiB, passes and lanes. OWASP's floor for Argon2id, the library's default algorithm, is
 * 19 MiB in two passes. Only tests set another cost.
 */
export const HashCost = Context.Reference("turma/membership/accounts/HashCost", {
  defaultValue: () => ({ memoryCost: 19_456, timeCost: 2, parallelism: 1 })
})

/** Hashes computed at once. Each holds 19 MiB and a core for its 20 ms. */
const concurrency = 2

/** Callers that may wait beyond that: about a second of work. */
const queue = 64

/**
 * Argon2id behind a concurrency limit, so that many sign-ins at once exhaust neither memory nor the cores. With a full
 * queue it fails with 503.
 */
export class Passwords extends Context.Service<Passwords, {
  hash(password: Redacted.Redacted): Effect.Effect<string, TemporarilyUnavailable>
  /**
   * Compares with a stored hash. Without one it does the same work and answers false. It compares the password in NFC
   * and also as it was sent, since older hashes come from the password as sent.
   */
  verify(password: Redacted.Redacted, stored: string | null): Effect.Effect<boolean, TemporarilyUnavailable>
}>()("turma/membership/accounts/Passwords") {
  /** Callers served or waiting at once; the next one fails. */
  static readonly capacity = concurrency + queue

  static readonly layer = Layer.effect(
    Passwords,
    Effect.gen(function*() {
      const semaphore = yield* Semaphore.make(concurrency)
      const callers = yield* Ref.make(0)
      const cost = yield* HashCost
      // The hash to compare with if there is no stored one. It is computed at the start, so that no request takes
      // longer for it.
      const dummyHash = argon2Hash("nobody", cost)

      // A running hash cannot be stopped, so an interrupted caller keeps the permit until the hash ends.
      const limited = <A>(compute: () => Promise<A>) =>
        Effect.acquireUseRelease(
          Ref.updateAndGet(callers, (n) => n + 1),
          (n): Effect.Effect<A, TemporarilyUnavailable> =>
            n > Passwords.capacity
              ? Effect.fail(new TemporarilyUnavailable())
              : semaphore.withPermits(1)(Effect.uninterruptible(Effect.promise(compute))),
          () => Ref.update(callers, (n) => n - 1)
        )

      const hash = Effect.fn("Passwords.hash")((password: Redacted.Redacted) =>
        limited(() => argon2Hash(Redacted.value(password).normalize("NFC"), cost))
      )

      // Compares each, after a match too: so the time depends on the sent password, and not on the stored hash.
      const spellingsOf = (sent: string) => new Set([sent.normalize("NFC"), sent])

      const verify = Effect.fn("Passwords.verify")(function*(password: Redacted.Redacted, stored: string | null) {
        const compared = stored ?? (yield* Effect.promise(() => dummyHash))
        const matches = yield* Effect.forEach(
          spellingsOf(Redacted.value(password)),
          (spelling) => limited(() => argon2Verify(compared, spelling))
        )
        return stored !== null && matches.includes(true)
      })

      return Passwords.of({ hash, verify })
    })
  )
}
