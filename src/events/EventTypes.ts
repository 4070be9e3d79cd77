import { JsonSchema, Schema } from "effect"
import { envelopeOf } from "./Envelope.ts"
import { EventType } from "./EventType.ts"
import { exampleData } from "./ExampleData.ts"

/** When each type is sent (contract, Catalog of types). */
const emittedWhen: Readonly<Record<EventType, string>> = {
  "student.created":
    "A student account is created in the club (sign-up, purchase, invitation, import or registration link). The e-mail may be unconfirmed",
  "student.updated": "The student's name or e-mail became another",
  "student.removed": "A student was removed and their data anonymized; the body carries only the id",
  "access.granted":
    "Access to a delivery was gained (purchase, subscription, grant, invitation, import, registration link, free delivery)",
  "access.revoked": "Access was lost (refund, cancellation without grace, revocation, removal)",
  "access.extended": "The end date of an access became later",
  "access.shortened": "The end date of an access became earlier",
  "access.restored": "A revocation was undone",
  "access.moved": "The enrollment changed cohort",
  "purchase.paid":
    "A purchase of a mapped product was approved; once per purchase, even if the platform sends it again",
  "purchase.refunded": "A refund or a chargeback; `purchase.status` tells which",
  "subscription.past_due": "A subscription charge is late; once per lateness, not per attempt of the platform",
  "subscription.canceled":
    "A subscription was canceled; with `current_period_end` in the future, access lasts until then",
  "lesson.completed":
    "A student completed a lesson for the first time; undoing and completing it again does not repeat it",
  "course.completed": "A student finished all published lessons of the course; once per student and course",
  "webhook.test": "The message of the test button; it corresponds to no real fact"
}

const isObject = (value: unknown): value is JsonSchema.JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const isSaid = (part: unknown): part is JsonSchema.JsonSchema =>
  isObject(part) && Object.keys(part).every((key) => key === "description" || key === "examples")

/** Moves a field's description and examples beside its type: the generator may put them into an `allOf`. */
const withSaid = (schema: JsonSchema.JsonSchema): JsonSchema.JsonSchema => {
  const { allOf, ...rest } = schema
  return Array.isArray(allOf) && allOf.every(isSaid) ? Object.assign(rest, ...allOf) : schema
}

/** Bodies may gain fields, so every object is open. The student of a body never gains the tax document. */
const published = (schema: JsonSchema.JsonSchema): JsonSchema.JsonSchema =>
  Object.fromEntries(Object.entries(withSaid(schema)).filter(([key]) =>
    key !== "additionalProperties"
  ).map(([key, value]) => [
    key,
    key === "student" && isObject(value)
      ? { ...published(value), propertyNames: { not: { const: "document" } } }
      : publishedValue(value)
  ]))

const publishedValue = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(publishedValue) : isObject(value) ? published(value) : value

const schemaOf = (type: EventType): JsonSchema.JsonSchema => ({
  $schema: JsonSchema.META_SCHEMA_URI_DRAFT_2020_12,
  title: type,
  description: emittedWhen[type],
  ...published(Schema.toJsonSchemaDocument(envelopeOf(type)).schema)
})

/** One type as an integrator gets to know it. `schema` and `example` show the whole body. */
export interface EventTypeDescription {
  readonly type: EventType
  readonly description: string
  /** JSON Schema, draft 2020-12. */
  readonly schema: JsonSchema.JsonSchema
  readonly example: JsonSchema.JsonSchema
}

/** All types, in the contract's order. */
export const eventTypes: ReadonlyArray<EventTypeDescription> = EventType.literals.map((type) => ({
  type,
  description: emittedWhen[type],
  schema: schemaOf(type),
  example: {
    id: "019d4860-d9c0-7f21-8b6c-0d1e2f3a4b5c",
    type,
    occurred_at: "2026-04-01T09:30:00.000Z",
    club_id: "6f0c1f1e-4b0a-4c6e-9d53-2f1f9b6a7e10",
    data: exampleData[type]
  }
}))
