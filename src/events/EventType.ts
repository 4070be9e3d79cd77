import { Schema } from "effect"
import { brandedId } from "../platform/schema/brandedId.ts"

/**
 * The catalog of types (contract, Events). Ids of what follows from waiting work depend on the places of types here, so a
 * new type comes last.
 */
export const EventType = Schema.Literals([
  "student.created",
  "student.updated",
  "student.removed",
  "access.granted",
  "access.revoked",
  "access.extended",
  "access.shortened",
  "access.restored",
  "access.moved",
  "purchase.paid",
  "purchase.refunded",
  "subscription.past_due",
  "subscription.canceled",
  "lesson.completed",
  "course.completed",
  "webhook.test"
]).annotate({ identifier: "EventType", description: "The kind of fact in an event" })
export type EventType = typeof EventType.Type

/**
 * The id of an event: `webhook-id` of every attempt and `id` of the envelope. A UUIDv7 of the time the fact was
 * recorded. For queued work it carries the time the work was queued.
 */
export const EventId = brandedId("EventId")
export type EventId = typeof EventId.Type
