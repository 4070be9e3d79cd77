import { Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { randomFillSync } from "node:crypto"

/**
 * For what a test makes. Its UUIDv7s are in the order in which they were made, also those of one moment: `PostgresLayer` keeps
 * it, so that all that provide it have the same one. Not one for several tests: the next one's clock may be behind.
 */
export const RandomLayer = Layer.sync(
  SecureRandom.SecureRandom,
  () => SecureRandom.make((size) => randomFillSync(new Uint8Array(size)))
)
