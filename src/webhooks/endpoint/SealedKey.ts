import { Effect, Redacted } from "effect"
import type { Sealing } from "../../platform/sql/Sealing.ts"
import { bindingOfSigningKey, type EndpointId } from "../model/EndpointId.ts"
import { keyOfSeed, newSeed, publicBytesOf } from "../send/SigningKey.ts"

/** A key pair of Ed25519 as it is stored. */
export interface SealedKey {
  /** The seed of the private key, sealed. Nothing shows it. */
  readonly signing_key: Uint8Array
  /** 32 bytes. */
  readonly public_key: Uint8Array
}

/** A new key pair of this endpoint. */
export const sealedKey = Effect.fnUntraced(function*(sealing: Sealing["Service"], id: EndpointId) {
  const seed = Redacted.value(yield* newSeed)
  const signing_key = yield* sealing.seal(seed, bindingOfSigningKey(id))
  return { signing_key, public_key: publicBytesOf(keyOfSeed(seed)) } satisfies SealedKey
})
