import { DateTime, Effect } from "effect"
import type { Sealing } from "../../../platform/sql/Sealing.ts"
import { bindingOfSecret, bindingOfSigningKey, type EndpointId } from "../../model/EndpointId.ts"
import type { Signers } from "../../send/Signature.ts"
import { keyOfSeed } from "../../send/SigningKey.ts"
import type { LaneState } from "./Lease.ts"

const same = (a: Uint8Array, b: Uint8Array) => Buffer.compare(a, b) === 0

/** Opens the signers of an endpoint at a time. Dies if a seal does not open because its key is missing. */
export type SecretCache = (lane: LaneState, at: DateTime.Utc) => Effect.Effect<Signers>

/** Sealed values and their opened signers. Each value is opened once, for as long as it is among the latest. */
class Opened<A> {
  #sealed: ReadonlyArray<Uint8Array> = []
  values: ReadonlyArray<A> = []
  readonly #open: (sealed: Uint8Array) => Effect.Effect<A>

  constructor(open: (sealed: Uint8Array) => Effect.Effect<A>) {
    this.#open = open
  }

  /** True if these secrets are the latest. */
  has(sealed: ReadonlyArray<Uint8Array>): boolean {
    return sealed.length === this.#sealed.length && sealed.every((one, i) => same(one, this.#sealed[i] ?? one))
  }

  update(sealed: ReadonlyArray<Uint8Array>): Effect.Effect<ReadonlyArray<A>> {
    if (this.has(sealed)) return Effect.succeed(this.values)
    const opened = Effect.forEach(sealed, (one) => {
      const value = this.values[this.#sealed.findIndex((known) => same(known, one))]
      return value === undefined ? this.#open(one) : Effect.succeed(value)
    })
    return Effect.map(opened, (values) => {
      this.#sealed = sealed
      this.values = values
      return values
    })
  }
}

/** The sealed values that sign at a time, newest first: the newest, and previous ones for as long as each overlaps. */
const sealedAt = ({ previous_secrets, secret, signing_key }: LaneState, at: DateTime.Utc) => {
  const secrets = secret === null ? [] : [secret]
  const keys = signing_key === null ? [] : [signing_key]
  for (const previous of previous_secrets) {
    if (!DateTime.isLessThan(at, previous.expires_at)) continue
    if (previous.secret !== null) secrets.push(previous.secret)
    if (previous.signing_key !== null) keys.push(previous.signing_key)
  }
  return { secrets, keys }
}

/**
 * The secrets and private keys that sign for an endpoint at a time, newest first. Previous ones sign for as long as
 * each overlaps (contract, Signature 5). Each is opened once while the lane is leased.
 */
export const secretCache = (sealing: Sealing["Service"], endpoint_id: EndpointId): SecretCache => {
  const open = (binding: string) => (sealed: Uint8Array) => Effect.orDie(sealing.open(sealed, binding))
  const openKey = open(bindingOfSigningKey(endpoint_id))
  const secrets = new Opened(open(bindingOfSecret(endpoint_id)))
  const keys = new Opened((sealed) => Effect.map(openKey(sealed), keyOfSeed))
  let signers: Signers = { secrets: [], keys: [] }
  /** The one that they sign for. */
  let latest: LaneState | undefined

  return (lane, at) => {
    // Within one take, only the end of a previous secret changes the signers.
    if (lane === latest && lane.previous_secrets.length === 0) return Effect.succeed(signers)
    const sealed = sealedAt(lane, at)
    if (secrets.has(sealed.secrets) && keys.has(sealed.keys)) {
      latest = lane
      return Effect.succeed(signers)
    }
    return Effect.zipWith(secrets.update(sealed.secrets), keys.update(sealed.keys), (secrets, keys) => {
      signers = { secrets, keys }
      latest = lane
      return signers
    })
  }
}
