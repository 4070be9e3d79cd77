import { verifyWebhook, WebhookVerificationError, type WebhookVerificationReason } from "../../../../sdk/index.ts"

// Checks a signature against a secret. The secret stays in the browser: nothing sends it.

/** The result of a signature check: it fits, or why it does not. */
export type Verified = "valid" | WebhookVerificationReason

/** True if this secret made one of the signatures of these headers, at the time in them. */
export const verified = async (
  secret: string,
  headers: Readonly<Record<string, string>>,
  body: string
): Promise<Verified> => {
  try {
    await verifyWebhook({ secret: secret.trim(), headers, body, now: Number(headers["webhook-timestamp"]) * 1000 })
    return "valid"
  } catch (thrown) {
    if (thrown instanceof WebhookVerificationError) return thrown.reason
    throw thrown
  }
}
