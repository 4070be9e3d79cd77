import { DateTime, Schema } from "effect"
import { OrganizationId } from "../identity/ids/ClubId.ts"
import { field } from "../platform/http/Field.ts"
import { eventData, EventTimestamp } from "./EventData.ts"
import { EventId, type EventType } from "./EventType.ts"

/** The fields of every event; `club_id` is the public id of the club. */
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
    id: EventId
      .pipe(field("Names the event: the same in every attempt and at every endpoint, and in the header `webhook-id`")),
    type: Schema.Literal(type).pipe(field("The fact that happened; it decides the form of `data`")),
    occurred_at: EventTimestamp
      .pipe(field("When it happened. Events may arrive in any order: of two about the same thing, the later one counts")),
    club_id: OrganizationId.pipe(field("The club that it happened in: its `organization_id`")),
    data: field<
      (typeof eventData)[Type]
    >("The things that the event is about, by their kind. It may gain fields")(eventData[type])
  })

const utf8 = new TextEncoder()

/** The bytes that are kept, signed and sent. The order of keys is part of the signature. */
export const bodyOf = ({ club_id, data, id, occurred_at, type }: Envelope): Uint8Array =>
  utf8.encode(JSON.stringify({ id, type, occurred_at: DateTime.formatIso(occurred_at), club_id, data }))
