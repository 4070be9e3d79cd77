import { DateTime, Effect } from "effect"
import type { Sealing } from "../../platform/sql/Sealing.ts"
import { bindingOfSecret, type EndpointId } from "../model/EndpointId.ts"
import type { LaneState } from "./Lease.ts"

interface Opened {
  readonly sealed: Uint8Array
  readonly secret: Uint8Array
}

const same = (a: Uint8Array, b: Uint8Array) => Buffer.compare(a, b) === 0

/** Opens the secrets that sign for an endpoint at a moment. Dies where a seal does not open because its key is missing. */
export type SecretCache = (lane: LaneState, at: DateTime.Utc) => Effect.Effect<ReadonlyArray<Uint8Array>>

/**
 * The secrets that sign for an endpoint at a moment, newest first: the previous ones for as long as each overlaps
 * (contract, Signature 5). Each is opened once for as long as a lane is held.
 */
export const secretCache = (sealing: Sealing["Service"], endpoint_id: EndpointId): SecretCache => {
  let opened: ReadonlyArray<Opened> = []
  let secrets: ReadonlyArray<Uint8Array> = []
  const binding = bindingOfSecret(endpoint_id)

  const open = Effect.fnUntraced(function*(sealed: Uint8Array) {
    const known = opened.find((one) => same(one.sealed, sealed))
    return known ?? { sealed, secret: yield* sealing.open(sealed, binding) }
  })

  return (lane, at) => {
    const sealed = lane.secret === null ? [] : [lane.secret]
    for (const { expires_at, secret } of lane.previous_secrets) {
      if (DateTime.isLessThan(at, expires_at)) sealed.push(secret)
    }
    if (sealed.length === opened.length && sealed.every((one, index) => same(one, opened[index]?.sealed ?? one))) {
      return Effect.succeed(secrets)
    }
    return Effect.map(Effect.orDie(Effect.forEach(sealed, open)), (all) => {
      opened = all
      secrets = all.map(({ secret }) => secret)
      return secrets
    })
  }
}
