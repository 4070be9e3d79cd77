import { Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { randomFillSync } from "node:crypto"

/** Bytes asked of the system at once. */
const poolSize = 4096

/**
 * Secure randomness for many small draws, such as ids on a hot path: the system is asked for a few kilobytes at a time,
 * and no byte is given twice.
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
    used += size
    return pool.slice(used - size, used)
  })
})
