import { Redacted, Result } from "effect"
import { createHash, createHmac, timingSafeEqual } from "node:crypto"
import type { BadSignature } from "./Platform.ts"

const digest = (text: string): Uint8Array => createHash("sha256").update(text).digest()

// Of equal length whatever is compared, so that the time tells nothing of either.
const same = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b))

/** Whether the platform sent the secret itself. Nothing equals an empty secret. */
export const isSecret = (sent: string | null | undefined, secret: Redacted.Redacted): boolean =>
  typeof sent === "string" && Redacted.value(secret) !== "" && same(sent, Redacted.value(secret))

/** Whether `sent` is the HMAC, in lower-case hexadecimal, of the parts one after another under the secret as text. */
export const isHmac = (
  algorithm: "sha1" | "sha256",
  sent: string | null | undefined,
  secret: Redacted.Redacted,
  ...parts: ReadonlyArray<string | Uint8Array>
): boolean => {
  if (typeof sent !== "string" || Redacted.value(secret) === "") return false
  const hmac = createHmac(algorithm, Redacted.value(secret))
  for (const part of parts) hmac.update(part)
  return same(sent, hmac.digest("hex"))
}

/** The verdict on a request. */
export const verdict = (genuine: boolean): Result.Result<void, BadSignature> =>
  genuine ? Result.void : Result.fail({ _tag: "BadSignature" })
