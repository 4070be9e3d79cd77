import { DateTime } from "effect"
import type { EventId } from "../../events/EventType.ts"
import { signatureHeader, type Signers } from "./Signature.ts"

/** The product token of the contract (Events, Request). */
const userAgent = "Turma-webhooks/1"

/** The fields of a delivery that every attempt sends. */
interface Sent {
  readonly event_id: EventId
  readonly body: Uint8Array
}

const timestampAt = (at: DateTime.Utc) => Math.floor(DateTime.toEpochMillis(at) / 1000)

/**
 * The headers of an attempt that began at this moment and was signed so. The signature alone is kept with an attempt, so
 * a change of what is written here changes what is shown of attempts before it.
 */
export const headersWith = (event_id: EventId, at: DateTime.Utc, signature: string) => ({
  "content-type": "application/json",
  "user-agent": userAgent,
  "webhook-id": event_id,
  "webhook-timestamp": `${timestampAt(at)}`,
  "webhook-signature": signature
})

/** The headers of an attempt at this moment, signed with every secret and key, newest first. */
export const headersOf = ({ body, event_id }: Sent, signers: Signers, at: DateTime.Utc) =>
  headersWith(event_id, at, signatureHeader(signers.secrets, event_id, timestampAt(at), body, signers.keys))
