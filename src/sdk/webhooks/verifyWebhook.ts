import { wallClock } from "../attempts/Clock.ts"
import type { WebhookEvent } from "../contract/Call.ts"
import { type Signed, signedOf, type WebhookHeaders } from "./Signed.ts"
import { WebhookVerificationError } from "./WebhookVerificationError.ts"

/** A request that claims to be a webhook of Turma. */
export interface ReceivedWebhook {
  /**
   * The endpoint's secret, `whsec_…`, or its public key, `whpk_…`, where it signs with Ed25519; several while one is
   * replaced by another.
   */
  readonly secret: string | ReadonlyArray<string>
  /** The headers of the request: a `Headers`, or an object as Node has it. */
  readonly headers: WebhookHeaders
  /** The body as it came, before anything parsed it. */
  readonly body: string | Uint8Array | ArrayBuffer
  /** The most seconds that the sender's clock may be off; 300 by default. */
  readonly toleranceSeconds?: number | undefined
  /** The time in milliseconds since 1970, instead of the machine's clock. */
  readonly now?: number | undefined
}

const encoder = new TextEncoder()

const bytesOf = (body: ReceivedWebhook["body"]): Uint8Array => {
  if (typeof body === "string") return encoder.encode(body)
  // Neither by `instanceof`: tests in jsdom have classes of another realm.
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength)
  if (Object.prototype.toString.call(body) === "[object ArrayBuffer]") return new Uint8Array(body)
  throw new WebhookVerificationError("body_not_raw", "The body must be the text or the bytes as they came, not parsed")
}

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

const decoded = (text: string): Uint8Array<ArrayBuffer> | undefined =>
  base64.test(text) ? Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)) : undefined

const hmac = { name: "HMAC", hash: "SHA-256" }
const publicPrefix = "whpk_"
const publicBytes = 32

/** More signatures are not looked at: six keys sign at most, and each costs a verification for each key. */
const mostAsymmetric = 12

const keyOf = (text: unknown) => {
  // An unset variable of the environment comes here too, since no compiler checks it.
  const isPublic = typeof text === "string" && text.startsWith(publicPrefix)
  const bytes = typeof text === "string" ? decoded(text.replace(/^(?:whsec|whpk)_/, "")) : undefined
  if (bytes === undefined || bytes.length === 0 || (isPublic && bytes.length !== publicBytes)) {
    throw new WebhookVerificationError(
      "secret_invalid",
      "A secret must be whsec_ and base64, or a public key whpk_ and base64, as the endpoint was shown"
    )
  }
  return isPublic
    ? crypto.subtle.importKey("raw", bytes, "Ed25519", false, ["verify"])
    : crypto.subtle.importKey("raw", bytes, hmac, false, ["sign"])
}

const keysOf = (secret: ReceivedWebhook["secret"]) => {
  const keys = [secret].flat()
  // Refused like every other invalid key.
  return Promise.all((keys.length === 0 ? [undefined] : keys).map(keyOf))
}

const checkTime = ({ timestamp }: Signed, tolerance: number, now: number) => {
  const off = Math.floor(now / 1000) - Number(timestamp)
  // Nothing is too old by a comparison with NaN.
  if (!(tolerance >= 0) || Number.isNaN(off)) {
    throw new RangeError("toleranceSeconds must be 0 or more, and now a time in milliseconds")
  }
  if (off > tolerance) {
    throw new WebhookVerificationError(
      "timestamp_too_old",
      `It was sent ${off} s ago: it is repeated, or a clock is wrong`
    )
  }
  if (-off > tolerance) {
    throw new WebhookVerificationError("timestamp_too_new", `It was sent ${-off} s from now: a clock is wrong`)
  }
}

/** Takes as long wherever the two differ. */
const isSame = (one: Uint8Array, other: Uint8Array) =>
  one.length === other.length &&
  one.reduce((differing, byte, place) => differing | (byte ^ (other[place] ?? 0)), 0) === 0

const isSignedBy = async (
  keys: Awaited<ReturnType<typeof keysOf>>,
  { asymmetric, id, signatures, timestamp }: Signed,
  body: Uint8Array
) => {
  const head = encoder.encode(`${id}.${timestamp}.`)
  const signed = new Uint8Array(head.length + body.length)
  signed.set(head)
  signed.set(body, head.length)
  // Once for each key, and not for each signature: a stranger sends as many of them as fit into a header.
  const secrets = keys.filter(({ type }) => type === "secret")
  const made = await Promise.all(secrets.map((key) => crypto.subtle.sign("HMAC", key, signed)))
  const isMade = signatures.some((signature) => {
    const bytes = decoded(signature)
    return bytes !== undefined && made.some((one) => isSame(new Uint8Array(one), bytes))
  })
  const publicKeys = keys.filter(({ type }) => type === "public")
  if (isMade || publicKeys.length === 0) return isMade
  const sent = asymmetric.slice(0, mostAsymmetric).flatMap((signature) => decoded(signature) ?? [])
  const verified = await Promise
    .all(publicKeys.flatMap((key) => sent.map((one) => crypto.subtle.verify("Ed25519", key, one, signed))))
  return verified.includes(true)
}

const isEvent = (value: unknown): value is WebhookEvent =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string" && "data" in value

const parsed = (body: Uint8Array): WebhookEvent => {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body))
    if (isEvent(value)) return value
  } catch {
    // What follows says it.
  }
  throw new WebhookVerificationError("body_invalid", "The body is signed, and no event")
}

/**
 * The event of a webhook, if Turma has sent it just now. Otherwise it rejects with a `WebhookVerificationError` that
 * says why. The body is parsed only after its signature is verified. An invalid `toleranceSeconds` or `now` is a
 * `RangeError`.
 *
 * ```ts
 * const event = await verifyWebhook({ secret, headers: request.headers, body: await request.text() })
 * if (event.type === "student.created") console.log(event.data.student.name)
 * ```
 */
export const verifyWebhook = async (
  { body, headers, now = wallClock(), secret, toleranceSeconds = 300 }: ReceivedWebhook
): Promise<WebhookEvent> => {
  const bytes = bytesOf(body)
  const keys = await keysOf(secret)
  const signed = signedOf(headers)
  checkTime(signed, toleranceSeconds, now)
  if (await isSignedBy(keys, signed, bytes)) return parsed(bytes)
  throw new WebhookVerificationError(
    "no_matching_signature",
    "No signature fits: the secret is another endpoint's, or the body is not as it came"
  )
}
