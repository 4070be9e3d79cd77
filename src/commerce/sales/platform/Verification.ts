import { Redacted, Result } from "effect"
import { createHmac } from "node:crypto"
import { isSameSecret } from "../../../platform/text/SameSecret.ts"
import type { BadSignature } from "./Platform.ts"

/** True if the platform sent the secret itself. Nothing equals an empty secret. */
export const isSecret = (sent: string | null | undefined, secret: Redacted.Redacted): boolean =>
  typeof sent === "string" && Redacted.value(secret) !== "" && isSameSecret(sent, Redacted.value(secret))

/**
 * True if one of `sent` is the HMAC of the parts, one after another, under the secret as text. It is in lower-case
 * hexadecimal, and computed once for all comparisons.
 */
export const isAnyHmac = (
  algorithm: "sha1" | "sha256",
  sent: ReadonlyArray<string>,
  secret: Redacted.Redacted,
  ...parts: ReadonlyArray<string | Uint8Array>
): boolean => {
  if (sent.length === 0 || Redacted.value(secret) === "") return false
  const hmac = createHmac(algorithm, Redacted.value(secret))
  for (const part of parts) hmac.update(part)
  const expected = hmac.digest("hex")
  return sent.some((one) => isSameSecret(one, expected))
}

/** The same for a single signature, which may be missing. */
export const isHmac = (
  algorithm: "sha1" | "sha256",
  sent: string | null | undefined,
  secret: Redacted.Redacted,
  ...parts: ReadonlyArray<string | Uint8Array>
): boolean => typeof sent === "string" && isAnyHmac(algorithm, [sent], secret, ...parts)

/** The verdict on a request. */
export const verdict = (genuine: boolean): Result.Result<void, BadSignature> =>
  genuine ? Result.void : Result.fail({ _tag: "BadSignature" })
