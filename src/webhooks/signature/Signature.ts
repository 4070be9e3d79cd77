import { DateTime, Result } from "effect"
import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from "node:crypto"

/** Seconds that a timestamp may differ from the receiver's clock (contract, Signature 4). */
export const timestampTolerance = 300

// Making a key costs four times what signing with it does, and a lane signs again and again with the same bytes.
const keys = new WeakMap<Uint8Array, KeyObject>()

const keyOf = (secret: Uint8Array): KeyObject => {
  const known = keys.get(secret)
  if (known !== undefined) return known
  const key = createSecretKey(secret)
  keys.set(secret, key)
  return key
}

/** `v1,<base64>` over `{id}.{timestamp}.{body}` (contract, Signature). `timestamp` is in Unix seconds. */
const signatureOver = (secret: Uint8Array, id: string, timestamp: number | string, body: Uint8Array): string =>
  `v1,${createHmac("sha256", keyOf(secret)).update(`${id}.${timestamp}.`).update(body).digest("base64")}`

/** `v1,<base64>`: HMAC-SHA256 over id, attempt's Unix seconds and the raw body (contract, Signature 1 and 2). */
export const signatureOf: (secret: Uint8Array, id: string, timestampSeconds: number, body: Uint8Array) => string =
  signatureOver

/**
 * The value of `webhook-signature`: a signature for each secret, newest first. Keys are kept by array: a secret's bytes
 * never change, and a lane passes the same arrays again and again.
 */
export const signatureHeader = (
  secrets: ReadonlyArray<Uint8Array>,
  id: string,
  timestampSeconds: number,
  body: Uint8Array
): string => secrets.map((secret) => signatureOver(secret, id, timestampSeconds, body)).join(" ")

/** Why a request is not to be trusted. */
export type SignatureProblem =
  | { readonly reason: "header_missing"; readonly header: "webhook-id" | "webhook-timestamp" | "webhook-signature" }
  | { readonly reason: "timestamp_malformed" }
  /** `seconds` is what the receiver's clock is ahead of the timestamp. */
  | { readonly reason: "timestamp_off"; readonly seconds: number }
  | { readonly reason: "no_match" }

/** A request as it was received, and the moment at which it is judged. Headers that did not come are undefined. */
export interface Received {
  readonly secrets: ReadonlyArray<Uint8Array>
  readonly id: string | undefined
  readonly timestamp: string | undefined
  readonly signature: string | undefined
  readonly body: Uint8Array
  readonly now: DateTime.Utc
}

const same = (a: string, b: string): boolean => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

/**
 * Judges a request as a receiver should (contract, Signature 4): the clock first, then any signature that matches, in
 * constant time. Versions other than `v1` are skipped.
 */
export const verifySignature = (
  { body, id, now, secrets, signature, timestamp }: Received
): Result.Result<void, SignatureProblem> => {
  if (!id) return Result.fail({ reason: "header_missing", header: "webhook-id" })
  if (!timestamp) return Result.fail({ reason: "header_missing", header: "webhook-timestamp" })
  if (!signature) return Result.fail({ reason: "header_missing", header: "webhook-signature" })
  if (!/^\d{1,15}$/.test(timestamp)) return Result.fail({ reason: "timestamp_malformed" })
  const seconds = Math.floor(DateTime.toEpochMillis(now) / 1000) - Number(timestamp)
  if (Math.abs(seconds) > timestampTolerance) return Result.fail({ reason: "timestamp_off", seconds })
  const sent = signature.split(" ")
  const matches = secrets.map((secret) => signatureOver(secret, id, timestamp, body))
    .some((expected) => sent.some((one) => same(one, expected)))
  return matches ? Result.void : Result.fail({ reason: "no_match" })
}
