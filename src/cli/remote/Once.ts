import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"

/** A key for one creation: sent again after an answer that was lost, it creates nothing twice. */
export const onceOnly = Effect.gen(function*() {
  const random = yield* SecureRandom.SecureRandom
  return yield* random.uuidV4()
}).pipe(Effect.orDie, Effect.provide(SecureRandom.layerWebCrypto))
