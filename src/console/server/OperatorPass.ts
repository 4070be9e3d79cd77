import { type DateTime, Duration, Redacted } from "effect"
import { hkdfSync } from "node:crypto"
import { makePass, type Pass, type PassKeys } from "../../platform/http/Pass.ts"

/** How long an operator stays: a working day. */
const stay = Duration.hours(12)

/**
 * Keys from the operators' secret and from keys of the service, 32 random bytes each. Another secret makes other keys,
 * so it ends every pass. Nobody can guess a secret from a pass, however short it is: they would have to guess the
 * random bytes too.
 */
export const passKeys = (secret: string, [current, ...previous]: PassKeys): PassKeys => {
  const keyOf = (own: PassKeys[0]): PassKeys[0] => {
    const both = Buffer.concat([Redacted.value(own), Buffer.from(secret)])
    return Redacted.make(new Uint8Array(hkdfSync("sha256", both, "", "turma console operator", 32)))
  }
  return [keyOf(current), ...previous.map(keyOf)]
}

/** The pass that an operator's browser keeps in place of the secret, for twelve hours. */
export const operatorPass = (keys: PassKeys, now: DateTime.Utc): Pass => makePass(keys, now, stay)
