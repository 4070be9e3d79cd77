import { DateTime, Result } from "effect"
import { createHmac, createSecretKey, type KeyObject, sign, timingSafeEqual, verify } from "node:crypto"

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

/**
 * `v1,<base64>`: HMAC-SHA256 over id, attempt's Unix seconds and the raw body (contract, Signature 1 and 2). Of a request that
 * came, the seconds are as its header has them.
 */
export const signatureOf: (
  secret: Uint8Array,
  id: string,
  timestampSeconds: number | string,
  body: Uint8Array
) => string = signatureOver

/** The secrets and keys that sign at a time, each newest first. */
export interface Signers {
  /** For HMAC. */
  readonly secrets: ReadonlyArray<Uint8Array>
  /** Private keys of Ed25519. */
  readonly keys: ReadonlyArray<KeyObject>
}

/** The signed text: `{id}.{timestamp}.{body}`. */
export const signedBytes = (id: string, timestamp: number | string, body: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body])

/** `v1a,<base64>` for each key: Ed25519 over the string that `v1` signs (Standard Webhooks, signature schemes). */
const asymmetricSignatures = (keys: ReadonlyArray<KeyObject>, signed: Buffer): ReadonlyArray<string> =>
  keys.map((key) => `v1a,${sign(null, signed, key).toString("base64")}`)

/**
 * The value of `webhook-signature`: a signature for each secret and then for each key, newest first. Keys of secrets are
 * kept by array: a secret's bytes never change, and a lane passes the same arrays again and again.
 */
export const signatureHeader = (
  secrets: ReadonlyArray<Uint8Array>,
  id: string,
  timestampSeconds: number,
  body: Uint8Array,
  keys: ReadonlyArray<KeyObject> = []
): string => {
  const signatures = secrets.map((secret) => signatureOver(secret, id, timestampSeconds, body))
  if (keys.length > 0) signatures.push(...asymmetricSignatures(keys, signedBytes(id, timestampSeconds, body)))
  return signatures.join(" ")
}

/** Why a request is not to be trusted. */
export type SignatureProblem =
  | { readonly reason: "header_missing"; readonly header: "webhook-id" | "webhook-timestamp" | "webhook-signature" }
  | { readonly reason: "timestamp_malformed" }
  /** `seconds`: how far the receiver's clock is ahead of the timestamp. */
  | { readonly reason: "timestamp_off"; readonly seconds: number }
  | { readonly reason: "no_match" }

/** A received request, and the time of its check. Missing headers are undefined. */
export interface Received {
  readonly secrets: ReadonlyArray<Uint8Array>
  /** Public keys of Ed25519. */
  readonly publicKeys?: ReadonlyArray<KeyObject>
  readonly id: string | undefined
  readonly timestamp: string | undefined
  readonly signature: string | undefined
  readonly body: Uint8Array
  readonly now: DateTime.Utc
}

/** Compares two signatures in constant time. */
export const same = (a: string, b: string): boolean => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

/** More signatures of `v1a` are not looked at: six keys sign at most, and each costs a verification for each key. */
const mostAsymmetric = 12

const isSignedBy = (publicKeys: ReadonlyArray<KeyObject>, sent: ReadonlyArray<string>, signed: Buffer) => {
  const signatures = sent.filter((one) => one.startsWith("v1a,")).slice(0, mostAsymmetric)
    .map((one) => Buffer.from(one.slice("v1a,".length), "base64"))
  return publicKeys.some((key) => signatures.some((signature) => verify(null, signed, key, signature)))
}

/**
 * Judges a request as a receiver should (contract, Signature 4): the clock first, then any signature that matches, in
 * constant time. It skips versions other than `v1`, and other than `v1a` if there are public keys.
 */
export const verifySignature = (
  { body, id, now, publicKeys = [], secrets, signature, timestamp }: Received
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
  return matches || (publicKeys.length > 0 && isSignedBy(publicKeys, sent, signedBytes(id, timestamp, body)))
    ? Result.void :
    Result.fail({ reason: "no_match" })
}
