import { Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { randomFillSync } from "node:crypto"

/** Bytes asked of the system at once. */
const poolSize = 4096

/**
 * Secure randomness for many small draws, such as ids and nonces on a hot path: each question to the system costs some
 * 15 µs, so it is asked for a few kilobytes at a time. No byte is given twice, or kept once it is given.
 */
export const PooledRandomLayer = Layer.sync(SecureRandom.SecureRandom, () => {
  const pool = new Uint8Array(poolSize)
  let used = poolSize
  return SecureRandom.make((size) => {
    if (size > poolSize) return randomFillSync(new Uint8Array(size))
    if (used + size > poolSize) {
      randomFillSync(pool)
      used = 0
    }
    const given = pool.slice(used, used + size)
    pool.fill(0, used, used += size)
    return given
  })
})
