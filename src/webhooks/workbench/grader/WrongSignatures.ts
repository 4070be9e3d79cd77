import type { DateTime } from "effect"
import type { EventId } from "../../../events/EventType.ts"
import { headersOf } from "../../send/AttemptHeaders.ts"
import type { Signers } from "../../send/Signature.ts"

// The only place that signs wrongly. Its requests go only to receivers under grading.

interface Sent {
  readonly event_id: EventId
  readonly body: Uint8Array
}

interface Keys {
  readonly signers: Signers
  /** Secrets and keys of nobody. */
  readonly stranger: Signers
}

type Headers = ReturnType<typeof headersOf>

/** Headers that a receiver must not accept: without a signature, signed by a stranger, or for another body. */
export const headersSignedWrongly = (
  how: "other_body" | "unsigned" | "wrong_signature",
  sent: Sent,
  { signers, stranger }: Keys,
  now: DateTime.Utc
): Readonly<Record<string, string>> => {
  if (how === "wrong_signature") return headersOf(sent, stranger, now)
  if (how === "other_body") {
    return headersOf({ ...sent, body: Buffer.concat([sent.body, Buffer.from(" ")]) }, signers, now)
  }
  const { "webhook-signature": _, ...unsigned } = headersOf(sent, signers, now)
  return unsigned
}

/**
 * The same headers with a stranger's signature before the right ones. So a receiver that knows only the older secret
 * sees them.
 */
export const withStranger = (headers: Headers, sent: Sent, stranger: Signers, now: DateTime.Utc): Headers => {
  const { "webhook-signature": foreign } = headersOf(sent, stranger, now)
  return { ...headers, "webhook-signature": `${foreign} ${headers["webhook-signature"]}` }
}
