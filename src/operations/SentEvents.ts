import type { EventTypeDescription } from "../events/EventTypes.ts"
import { isObject, type JsonObject, mapValues, refTo } from "../platform/http/document/Schemas.ts"

// The events as the OpenAPI document has them. Most of them contain their subject: it has one description, by name.

const header = (name: string, description: string, schema: Record<string, unknown>) => ({
  name,
  in: "header",
  required: true,
  description,
  schema
})

const webhookHeaders = [
  header("webhook-id", "The event's id, the same in every attempt: ignore an id that you have seen", {
    type: "string",
    format: "uuid"
  }),
  header("webhook-timestamp", "Unix seconds of the attempt; refuse one more than 5 minutes from your clock", {
    type: "integer"
  }),
  header(
    "webhook-signature",
    "`v1,<base64>` of the HMAC-SHA256 over `{webhook-id}.{webhook-timestamp}.{raw body}`; while a secret is rotated, two of them, separated by a space; `v1a,` belongs to a public key",
    { type: "string" }
  )
]

/** The subjects of several types of event, by the field that holds them. */
const things: Readonly<Record<string, string>> = {
  student: "A student as events tell of them, without the tax document",
  enrollment: "The access of a student to a delivery, as events tell of it",
  course: "A course as events name it",
  purchase: "A purchase as events tell of it",
  subscription: "A subscription as events tell of it",
  product: "The product that was sold, as the sales platform calls it"
}

/** The subject of a schema: `enrollments` hold each an `enrollment`. */
const thingOf = (field: string) => field.replace(/s$/, "")

const nameOf = (thing: string) => `Event${thing.slice(0, 1).toUpperCase()}${thing.slice(1)}`

/** The document states the draft of its schemas once for all. */
const bodyOf = (schema: JsonObject): JsonObject => {
  const { $schema: _, ...body } = schema
  return body
}

/** An object without the annotations of a single use. */
const shapeOf = (schema: JsonObject): JsonObject => {
  const { description: _, ...shape } = schema
  return shape
}

/** The shapes of every thing in these fields, and in what they hold. */
const shapesIn = (fields: JsonObject): ReadonlyArray<readonly [thing: string, shape: string]> =>
  Object.entries(fields).flatMap(([field, schema]) => {
    const one = isObject(schema) && isObject(schema["items"]) ? schema["items"] : schema
    if (!isObject(one) || !isObject(one["properties"])) return []
    const thing = thingOf(field)
    const inner = shapesIn(one["properties"])
    return thing in things ? [[thing, JSON.stringify(shapeOf(one))], ...inner] : inner
  })

/** The shape that each thing has in most places. */
const usualIn = (all: ReadonlyArray<JsonObject>): ReadonlyMap<string, string> => {
  const found = Map.groupBy(all.flatMap(shapesIn), ([thing]) => thing)
  const most = (shapes: ReadonlyArray<string>) =>
    shapes.toSorted((a, b) => shapes.filter((one) => one === b).length - shapes.filter((one) => one === a).length)[0]
  return new Map([...found].map(([thing, shapes]) => [thing, most(shapes.map(([, shape]) => shape)) ?? ""]))
}

/** Makes a component of each thing that these fields hold; what has another shape in one place stays there. */
const sharing = (all: ReadonlyArray<JsonObject>) => {
  const usual = usualIn(all)
  const schemas: Record<string, JsonObject> = {}
  const inner = (schema: JsonObject, field: string): JsonObject => ({
    ...schema,
    ...isObject(schema["properties"]) ? { properties: within(schema["properties"]) } : {},
    ...isObject(schema["items"]) ? { items: told(schema["items"], field) } : {}
  })
  const told = (schema: unknown, field: string): unknown => {
    if (!isObject(schema)) return schema
    const thing = thingOf(field)
    const shape = shapeOf(schema)
    if (usual.get(thing) !== JSON.stringify(shape)) return inner(schema, field)
    schemas[nameOf(thing)] ??= { ...inner(shape, field), description: things[thing] }
    return { $ref: refTo(nameOf(thing)), ..."description" in schema ? { description: schema["description"] } : {} }
  }
  const within = (fields: JsonObject): JsonObject => mapValues(fields, told)
  return { schemas, within }
}

const dataOf = ({ properties }: JsonObject): JsonObject => {
  const data = isObject(properties) ? properties["data"] : undefined
  return isObject(data) && isObject(data["properties"]) ? data["properties"] : {}
}

/** The fields of every event beside its data, with the names of their components. */
const envelope = { id: "EventId", occurred_at: "EventOccurredAt", club_id: "EventClubId" }

const envelopeOf = ({ properties }: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(envelope).map((
    [field, name]
  ) => [name, isObject(properties) ? properties[field] : undefined]))

const withData = (schema: JsonObject, within: (fields: JsonObject) => JsonObject): JsonObject => {
  const { properties } = schema
  if (!isObject(properties) || !isObject(properties["data"])) return schema
  return {
    ...schema,
    properties: {
      ...properties,
      ...mapValues(envelope, (name) => ({ $ref: refTo(name) })),
      data: { ...properties["data"], properties: within(dataOf(schema)) }
    }
  }
}

/**
 * The requests that we send (contract, Events), as the `webhooks` of an OpenAPI document, and the `schemas` of its
 * components that they refer to.
 */
export const webhooksOf = (eventTypes: ReadonlyArray<EventTypeDescription>) => {
  const { schemas, within } = sharing(eventTypes.map(({ schema }) => dataOf(schema)))
  const requests = Object.fromEntries(eventTypes.map(({ description, example, schema, type }) => [type, {
    post: {
      operationId: `event.${type}`,
      summary: type,
      description,
      parameters: webhookHeaders,
      // The signature proves the sender.
      security: [],
      requestBody: {
        required: true,
        content: { "application/json": { schema: withData(bodyOf(schema), within), example } }
      },
      responses: {
        "2XX": { description: "The event is accepted. Any other answer, or no answer within 15 seconds, is a failure" }
      }
    }
  }]))
  return { requests, schemas: { ...schemas, ...envelopeOf(eventTypes[0]?.schema ?? {}) } }
}
