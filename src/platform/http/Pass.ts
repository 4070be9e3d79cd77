import { DateTime, type Duration, Redacted } from "effect"
import { createHmac, timingSafeEqual } from "node:crypto"

type Key = Redacted.Redacted<Uint8Array>

/** The keys that sign passes: the first signs new ones, and the others still count. */
export type PassKeys = readonly [current: Key, ...previous: ReadonlyArray<Key>]

const signatureOf = (key: Key, until: string) =>
  createHmac("sha256", Redacted.value(key)).update(until).digest("base64url")

/** A signed text that a browser keeps in place of a secret, and the end of its time. */
export interface Pass {
  readonly pass: string
  readonly until: DateTime.Utc
}

/** A pass that lasts for `stay`. Every process with those keys accepts it, and no process stores it. */
export const makePass = ([current]: PassKeys, now: DateTime.Utc, stay: Duration.Duration): Pass => {
  const until = DateTime.addDuration(now, stay)
  const text = String(until.epochMilliseconds)
  return { pass: `${text}.${signatureOf(current, text)}`, until }
}

/** True if one of these keys signed this pass and its time has not ended; `now` in milliseconds. */
export const isPass = (keys: PassKeys, pass: string, now: number): boolean => {
  const [, until, signature] = /^(\d{1,15})\.([\w-]{43})$/.exec(pass) ?? []
  if (until === undefined || signature === undefined) return false
  // Letter by letter: the last one has bits that no byte of the signature has, and a changed pass must not count.
  const given = Buffer.from(signature)
  return keys.some((key) => timingSafeEqual(given, Buffer.from(signatureOf(key, until)))) && now < Number(until)
}
