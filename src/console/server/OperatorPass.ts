import { type DateTime, Duration, Redacted } from "effect"
import { hkdfSync } from "node:crypto"
import { makePass, type Pass, type PassKeys } from "../../platform/http/Pass.ts"

/** How long an operator stays: a working day. */
const stay = Duration.hours(12)

/**
 * Keys made of the service's secret and of its own of 32 random bytes each. Another secret makes others, so it ends every
 * pass; and nobody finds out by a pass what the secret is, however short, since they would have to guess the rest too.
 */
export const passKeys = (secret: string, [current, ...previous]: PassKeys): PassKeys => {
  const keyOf = (own: PassKeys[0]): PassKeys[0] => {
    const both = Buffer.concat([Redacted.value(own), Buffer.from(secret)])
    return Redacted.make(new Uint8Array(hkdfSync("sha256", both, "", "turma console operator", 32)))
  }
  return [keyOf(current), ...previous.map(keyOf)]
}

/** What an operator's browser keeps in place of the secret, for twelve hours. */
export const operatorPass = (keys: PassKeys, now: DateTime.Utc): Pass => makePass(keys, now, stay)
