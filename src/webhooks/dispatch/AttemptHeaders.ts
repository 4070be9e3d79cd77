import { DateTime } from "effect"
import type { EventId } from "../../events/EventType.ts"
import { signatureHeader } from "../signature/Signature.ts"

/** The product token of the contract (Events, Request). */
const userAgent = "Turma-webhooks/1"

/** What is sent of a delivery at any attempt. */
interface Sent {
  readonly event_id: EventId
  readonly body: Uint8Array
}

/** The headers of an attempt at this moment, signed with every secret, newest first. */
export const headersOf = ({ body, event_id }: Sent, secrets: ReadonlyArray<Uint8Array>, at: DateTime.Utc) => {
  const timestamp = Math.floor(DateTime.toEpochMillis(at) / 1000)
  return {
    "content-type": "application/json",
    "user-agent": userAgent,
    "webhook-id": event_id,
    "webhook-timestamp": `${timestamp}`,
    "webhook-signature": signatureHeader(secrets, event_id, timestamp, body)
  }
}
