import { DateTime, Option, Result } from "effect"
import type { KeyObject } from "node:crypto"
import type { EndpointId } from "../model/EndpointId.ts"
import { timestampTolerance, verifySignature } from "../signature/Signature.ts"
import type { SignatureCheck } from "./SignatureCheck.ts"

/** What signs for an endpoint: its secret, and its key where it has one. */
export interface Signer {
  readonly endpoint_id: EndpointId
  readonly kind: "newest" | "previous"
  readonly secret: Uint8Array
  /** Of Ed25519. */
  readonly publicKey: KeyObject | null
}

/** A request whose signature is to be judged. Header names are lower case. */
export interface Signed {
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Uint8Array
}

/** More signatures than this are not looked at: each is compared with everything that signs for the club. */
const mostSignatures = 16

/** A positive number of seconds that a date can hold. */
const timestampOf = (text: string | undefined): Option.Option<DateTime.Utc> =>
  text !== undefined && /^\d{1,11}$/.test(text) ? DateTime.make(Number(text) * 1000) : Option.none()

const nobody = { endpoint_id: null, position: null, secret: null, clock_seconds: null, verified: false }

/**
 * Judges the signature of a request against everything that signs for a club; none where it has no `webhook-signature`. Who signed is
 * told also where the clock refuses it, so that both can be put right at once.
 */
export const checkSignature = (
  { body, headers }: Signed,
  signers: ReadonlyArray<Signer>,
  now: DateTime.Utc
): Option.Option<SignatureCheck> => {
  const signature = headers["webhook-signature"]?.split(" ", mostSignatures).join(" ")
  const id = headers["webhook-id"]
  const timestamp = headers["webhook-timestamp"]
  if (signature === undefined) return Option.none()
  if (!signature || !id || !timestamp) return Option.some({ ...nobody, problem: "header_missing" })
  const at = timestampOf(timestamp)
  if (Option.isNone(at)) return Option.some({ ...nobody, problem: "timestamp_malformed" })
  const clock_seconds = Math.floor((DateTime.toEpochMillis(now) - DateTime.toEpochMillis(at.value)) / 1000)
  // As of its own moment: the clock is judged apart.
  const fits = ({ publicKey, secret }: Signer, signature: string) => {
    const publicKeys = publicKey === null ? [] : [publicKey]
    return Result.isSuccess(
      verifySignature({ secrets: [secret], publicKeys, id, timestamp, signature, body, now: at.value })
    )
  }
  const signer = signers.find((one) => fits(one, signature))
  if (signer === undefined) return Option.some({ ...nobody, clock_seconds, problem: "no_match" })
  const position = signature.split(" ").findIndex((one) => fits(signer, one))
  const isTimely = Math.abs(clock_seconds) <= timestampTolerance
  return Option.some({
    verified: isTimely,
    problem: isTimely ? null : "timestamp_off",
    endpoint_id: signer.endpoint_id,
    position: position === -1 ? null : position + 1,
    secret: signer.kind,
    clock_seconds
  })
}
