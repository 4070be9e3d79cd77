import { DateTime, Duration } from "effect"
import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto"

/** How long an operator stays: a working day. */
const stay = Duration.hours(12)

/** Made of the secret and for this alone: what it signs says nothing of the secret, and no other use makes the same. */
const keyOf = (secret: string) => new Uint8Array(hkdfSync("sha256", secret, "", "turma console operator", 32))

const signatureOf = (secret: string, until: string) =>
  createHmac("sha256", keyOf(secret)).update(until).digest("base64url")

/** A pass, and until when it is taken. */
export interface OperatorPass {
  readonly pass: string
  readonly until: DateTime.Utc
}

/** What an operator's browser keeps in place of the secret. Every process with that secret takes it, for twelve hours. */
export const operatorPass = (secret: string, now: DateTime.Utc): OperatorPass => {
  const until = DateTime.addDuration(now, stay)
  const text = String(until.epochMilliseconds)
  return { pass: `${text}.${signatureOf(secret, text)}`, until }
}

/** Whether this pass was made with this secret and is not over. */
export const isOperatorPass = (secret: string, pass: string, now: number): boolean => {
  const [, until, signature] = /^(\d{1,15})\.([\w-]{43})$/.exec(pass) ?? []
  if (until === undefined || signature === undefined) return false
  // Letter by letter: the last one has bits that no byte of the signature has, and another pass is no pass.
  return timingSafeEqual(Buffer.from(signature), Buffer.from(signatureOf(secret, until))) && now < Number(until)
}
