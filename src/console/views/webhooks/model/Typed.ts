import type { Schemas } from "../../../../sdk/index.ts"

// The entered values as the API takes them. Pure.

type EventType = Schemas["WebhookDelivery"]["event_type"]

/** True if it has the form of an event type. The API knows which types exist. */
export const isEventType = (text: string): text is EventType => /^[a-z_]+\.[a-z_]+$/.test(text)

/** Those of these names that are types of events. */
export const asEventTypes = (names: Iterable<string>): Array<EventType> => [...names].filter(isEventType)

/** A limit. Null for an empty text. */
export const limitOf = (text: string): number | null => text.trim() === "" ? null : Number(text)

/** A limit, as a field has it. */
export const textOfLimit = (limit: number | null): string => limit === null ? "" : String(limit)
