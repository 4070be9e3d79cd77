import { DateTime, Schema } from "effect"
import { OrganizationId } from "../identity/ids/ClubId.ts"
import { eventData, Timestamp } from "./Data.ts"
import { EventId, type EventType } from "./EventType.ts"

/** What every event says of itself; `club_id` is the public id of the club. */
export interface Envelope {
  readonly id: EventId
  /** One of the catalog. */
  readonly type: string
  readonly occurred_at: DateTime.Utc
  readonly club_id: OrganizationId
  /** JSON in the shape of the type. */
  readonly data: unknown
}

/** The envelope of one type as it is sent. */
export const envelopeOf = <const Type extends EventType>(type: Type) =>
  Schema.Struct({
    id: EventId,
    type: Schema.Literal(type),
    occurred_at: Timestamp,
    club_id: OrganizationId,
    data: eventData[type]
  })

const utf8 = new TextEncoder()

/** The bytes that are kept, signed and sent. The order of keys is part of the signature. */
export const bodyOf = ({ club_id, data, id, occurred_at, type }: Envelope): Uint8Array =>
  utf8.encode(JSON.stringify({ id, type, occurred_at: DateTime.formatIso(occurred_at), club_id, data }))
