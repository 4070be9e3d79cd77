import { DateTime, type Duration, Redacted } from "effect"
import { createHmac, timingSafeEqual } from "node:crypto"

type Key = Redacted.Redacted<Uint8Array>

/** What passes are signed with, the first of them, and what those are that still count. */
export type PassKeys = readonly [current: Key, ...previous: ReadonlyArray<Key>]

const signatureOf = (key: Key, until: string) =>
  createHmac("sha256", Redacted.value(key)).update(until).digest("base64url")

/** What a browser keeps in place of a secret, and until when it is taken. */
export interface Pass {
  readonly pass: string
  readonly until: DateTime.Utc
}

/** A pass of so long. Every process with those keys takes it, and none keeps it. */
export const makePass = ([current]: PassKeys, now: DateTime.Utc, stay: Duration.Duration): Pass => {
  const until = DateTime.addDuration(now, stay)
  const text = String(until.epochMilliseconds)
  return { pass: `${text}.${signatureOf(current, text)}`, until }
}

/** Whether this pass was made with one of these keys and is not over; `now` in milliseconds. */
export const isPass = (keys: PassKeys, pass: string, now: number): boolean => {
  const [, until, signature] = /^(\d{1,15})\.([\w-]{43})$/.exec(pass) ?? []
  if (until === undefined || signature === undefined) return false
  // Letter by letter: the last one has bits that no byte of the signature has, and another pass is no pass.
  const given = Buffer.from(signature)
  return keys.some((key) => timingSafeEqual(given, Buffer.from(signatureOf(key, until)))) && now < Number(until)
}
