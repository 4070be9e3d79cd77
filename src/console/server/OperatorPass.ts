import { DateTime, Duration, Redacted } from "effect"
import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto"

/** How long an operator stays: a working day. */
const stay = Duration.hours(12)

type Key = Redacted.Redacted<Uint8Array>

/** What passes are signed with, the first of them, and what those are that still count. */
export type PassKeys = readonly [current: Key, ...previous: ReadonlyArray<Key>]

/**
 * Keys made of the service's secret and of its own of 32 random bytes each. Another secret makes others, so it ends every
 * pass; and nobody finds out by a pass what the secret is, however short, since they would have to guess the rest too.
 */
export const passKeys = (secret: string, [current, ...previous]: PassKeys): PassKeys => {
  const keyOf = (own: Key): Key => {
    const both = Buffer.concat([Redacted.value(own), Buffer.from(secret)])
    return Redacted.make(new Uint8Array(hkdfSync("sha256", both, "", "turma console operator", 32)))
  }
  return [keyOf(current), ...previous.map(keyOf)]
}

const signatureOf = (key: Key, until: string) =>
  createHmac("sha256", Redacted.value(key)).update(until).digest("base64url")

/** A pass, and until when it is taken. */
export interface OperatorPass {
  readonly pass: string
  readonly until: DateTime.Utc
}

/** What an operator's browser keeps in place of the secret. Every process with those keys takes it, for twelve hours. */
export const operatorPass = ([current]: PassKeys, now: DateTime.Utc): OperatorPass => {
  const until = DateTime.addDuration(now, stay)
  const text = String(until.epochMilliseconds)
  return { pass: `${text}.${signatureOf(current, text)}`, until }
}

/** Whether this pass was made with one of these keys and is not over. */
export const isOperatorPass = (keys: PassKeys, pass: string, now: number): boolean => {
  const [, until, signature] = /^(\d{1,15})\.([\w-]{43})$/.exec(pass) ?? []
  if (until === undefined || signature === undefined) return false
  // Letter by letter: the last one has bits that no byte of the signature has, and another pass is no pass.
  const given = Buffer.from(signature)
  return keys.some((key) => timingSafeEqual(given, Buffer.from(signatureOf(key, until)))) && now < Number(until)
}
