import { Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { randomFillSync } from "node:crypto"

/** Bytes asked of the system at once. */
const poolSize = 4096

/** Milliseconds by which a clock is set back at least before ids follow it. By less it is trimmed: they stay in order. */
const setBack = 1000

/**
 * UUIDv7s in order, as `SecureRandom` makes them, until the clock is set back. `SecureRandom` itself would keep its
 * latest time for ever. After a moment of a clock that is a month ahead, all rows of a month would have ids of its end.
 * Searches by time would miss them.
 */
const idsOfTheClock = (make: () => SecureRandom.SecureRandom["Service"]): SecureRandom.UuidGenerator => {
  let random = make()
  let latest = -Infinity
  const at = (now: number) => {
    if (now <= latest - setBack) {
      random = make()
      latest = now
    } else latest = Math.max(latest, now)
    return random
  }
  function uuidV7(options?: { readonly format?: "string" | undefined }): Effect.Effect<string>
  function uuidV7<Format extends "string" | "bytes">(
    options: { readonly format: Format }
  ): Effect.Effect<Format extends "bytes" ? Uint8Array : string>
  function uuidV7({ format = "string" }: { readonly format?: "string" | "bytes" | undefined } = {}) {
    return Effect.clockWith((clock) => at(clock.currentTimeMillisUnsafe()).uuidV7({ format }))
  }
  return uuidV7
}

/**
 * Secure randomness for many small draws, such as ids and nonces on a hot path. Each call to the system costs some 15
 * µs, so it gets a few kilobytes at a time. No byte is used twice, or kept after its use. UUIDv7s follow a clock that
 * is set back.
 */
export const PooledRandomLayer = Layer.sync(SecureRandom.SecureRandom, () => {
  const pool = new Uint8Array(poolSize)
  let used = poolSize
  const draw = (size: number) => {
    if (size > poolSize) return randomFillSync(new Uint8Array(size))
    if (used + size > poolSize) {
      randomFillSync(pool)
      used = 0
    }
    const given = pool.slice(used, used + size)
    pool.fill(0, used, used += size)
    return given
  }
  const make = () => SecureRandom.make(draw)
  return { ...make(), uuidV7: idsOfTheClock(make) }
})
