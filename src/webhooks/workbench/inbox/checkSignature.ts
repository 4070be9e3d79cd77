import { DateTime, Effect, Option } from "effect"
import { type KeyObject, verify } from "node:crypto"
import type { EndpointId } from "../../model/EndpointId.ts"
import { same, signatureOf, signedBytes, timestampTolerance } from "../../send/Signature.ts"
import type { SignatureCheck } from "./SignatureCheck.ts"

/** The signer of an endpoint: its secret, and its key if it has one. */
export interface Signer {
  readonly endpoint_id: EndpointId
  readonly kind: "newest" | "previous"
  readonly secret: Uint8Array
  /** Of Ed25519. */
  readonly publicKey: KeyObject | null
}

/** A request with a signature to check. Header names are in lower case. */
export interface Signed {
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Uint8Array
}

/** More signatures than this are not looked at. */
const mostSignatures = 16

/**
 * The most computations over a body for one request: an HMAC for each secret, a verification for each key and
 * signature.
 */
export const mostVerifications = 64

/** A positive number of seconds that a date can hold. */
const timestampOf = (text: string | undefined): Option.Option<DateTime.Utc> =>
  text !== undefined && /^\d{1,11}$/.test(text) ? DateTime.make(Number(text) * 1000) : Option.none()

const nobody = { endpoint_id: null, position: null, secret: null, clock_seconds: null, verified: false }

/** The signer, and the place of its signature, from 1 on. */
interface Match {
  readonly signer: Signer
  readonly position: number
}

/** The listed signatures, and the text that they sign. */
interface Listed {
  readonly signatures: ReadonlyArray<string>
  readonly id: string
  readonly timestamp: string
  readonly body: Uint8Array
}

const bySecret = ({ body, id, signatures, timestamp }: Listed, signers: ReadonlyArray<Signer>): Match | undefined => {
  if (!signatures.some((one) => one.startsWith("v1,"))) return undefined
  for (const signer of signers) {
    const expected = signatureOf(signer.secret, id, timestamp, body)
    const at = signatures.findIndex((one) => same(one, expected))
    if (at !== -1) return { signer, position: at + 1 }
  }
  return undefined
}

/** In another thread: each costs as much as some thousand comparisons. */
const isSignedBy = (key: KeyObject, signed: Buffer, signature: string) =>
  Effect.callback<boolean>((resume) =>
    verify(
      null,
      signed,
      key,
      Buffer.from(signature, "base64"),
      (error, fits) => resume(Effect.succeed(error === null && fits))
    )
  )

const byKey = Effect.fnUntraced(function*(
  { body, id, signatures, timestamp }: Listed,
  signers: ReadonlyArray<Signer>,
  most: number
) {
  const signed = signedBytes(id, timestamp, body)
  const pairs = signers.flatMap((signer) =>
    signatures.flatMap((signature, at) =>
      signer.publicKey !== null && signature.startsWith("v1a,")
        ? [{ signer, key: signer.publicKey, signature: signature.slice("v1a,".length), position: at + 1 }]
        : []
    )
  )
  for (const { key, position, signature, signer } of pairs.slice(0, most)) {
    if (yield* isSignedBy(key, signed, signature)) return { signer, position }
  }
  return undefined
})

/**
 * Checks the signature of a request against the signers of an inbox's endpoints, in that order. `None` without a
 * `webhook-signature`. Computes over the body `mostVerifications` times at most. Names the signer even if the clock
 * refuses the signature, so that both can be corrected at once.
 */
export const checkSignature = Effect.fnUntraced(function*(
  { body, headers }: Signed,
  signers: ReadonlyArray<Signer>,
  now: DateTime.Utc
) {
  const some = (check: SignatureCheck) => Option.some(check)
  const signature = headers["webhook-signature"]
  const id = headers["webhook-id"]
  const timestamp = headers["webhook-timestamp"]
  if (signature === undefined) return Option.none<SignatureCheck>()
  if (!signature || !id || !timestamp) return some({ ...nobody, problem: "header_missing" })
  const at = timestampOf(timestamp)
  if (Option.isNone(at)) return some({ ...nobody, problem: "timestamp_malformed" })
  const clock_seconds = Math.floor((DateTime.toEpochMillis(now) - DateTime.toEpochMillis(at.value)) / 1000)
  const listed = { signatures: signature.split(" ", mostSignatures), id, timestamp, body }
  const tried = signers.slice(0, mostVerifications)
  const hasSecrets = listed.signatures.some((one) => one.startsWith("v1,"))
  const left = mostVerifications - (hasSecrets ? tried.length : 0)
  const match = bySecret(listed, tried) ?? (yield* byKey(listed, tried, left))
  if (match === undefined) return some({ ...nobody, clock_seconds, problem: "no_match" })
  const isTimely = Math.abs(clock_seconds) <= timestampTolerance
  return some({
    verified: isTimely,
    problem: isTimely ? null : "timestamp_off",
    endpoint_id: match.signer.endpoint_id,
    position: match.position,
    secret: match.signer.kind,
    clock_seconds
  })
})
