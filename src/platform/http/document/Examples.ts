import { isObject, type JsonObject, targetOf } from "./Schemas.ts"

/** The present of every example: the day on which everything in them happens. */
const moment = "2026-04-01T09:30:00.000Z"

// The same thing has the same id in every example, whatever the field is called.
const sameThing: Readonly<Record<string, string>> = {
  actor_user: "user",
  assignee_user: "user",
  account: "user",
  by: "user",
  me: "user",
  member: "user",
  organization: "club",
  webhookEndpoint: "endpoint",
  webhookDelivery: "delivery",
  webhookEvent: "event",
  webhookAttempt: "attempt"
}

/** FNV-1a of a name, as eight hexadecimal digits. */
const hash = (text: string): string => {
  let sum = 0x811c9dc5
  for (const unit of text) sum = Math.imul(sum ^ (unit.codePointAt(0) ?? 0), 0x01000193)
  return (sum >>> 0).toString(16).padStart(8, "0")
}

const singular = (name: string) => name.replace(/ies$/, "y").replace(/([^s])s$/, "$1")
const lowered = (name: string) => name.slice(0, 1).toLowerCase() + name.slice(1)

/** The thing that an id belongs to: `student_id`, `studentId` and the `id` of a `Student` all belong to a student. */
const thingOf = (name: string) => {
  const thing = lowered(singular(name.replace(/_?ids?$|Ids?$|(?:Input|Detail|Summary)$/, "")))
  return sameThing[thing] ?? thing
}

/** The public id of a club is random, and the same in the examples of events. */
const clubId = "6f0c1f1e-4b0a-4c6e-9d53-2f1f9b6a7e10"

/** An id that is always the same for the same thing. */
export const exampleId = (thing: string): string => {
  if (thing === "club") return clubId
  const digits = hash(thing) + hash(`${thing}'s`)
  return `019d4860-d9c0-7${digits.slice(0, 3)}-8${digits.slice(3, 6)}-${digits.slice(4)}`
}

/** Formats that are exact enough to have one value for all. */
const ofFormat: Readonly<Record<string, string>> = { "date-time": moment, date: moment.slice(0, 10) }

interface Place {
  /** The field or the parameter that has the value; empty at the top. */
  readonly name: string
  /** The thing that an `id` here identifies. */
  readonly thing: string
  /** The components that the value is within. */
  readonly within: ReadonlyArray<string>
}

const first = <A, B>(all: ReadonlyArray<A>, map: (one: A) => B | undefined): B | undefined => {
  for (const one of all) {
    const found = map(one)
    if (found !== undefined) return found
  }
  return undefined
}

const listOf = (value: unknown): ReadonlyArray<JsonObject> => Array.isArray(value) ? value.filter(isObject) : []

/** Composes examples of schemas; `components` are the named ones that they refer to. */
export const examplesOf = (components: Readonly<Record<string, unknown>>) => {
  const ofObject = (properties: JsonObject, { name, thing, within }: Place) => {
    const owner = name === "" || name === "data" ? thing : thingOf(name)
    return Object.fromEntries(Object.entries(properties).flatMap(([key, property]) => {
      const value = isObject(property) ? exampleOf(property, { name: key, thing: owner, within }) : undefined
      return value === undefined ? [] : [[key, value]]
    }))
  }

  const ofArray = (schema: JsonObject, place: Place): unknown => {
    const { items, minItems, prefixItems } = schema
    if (prefixItems !== undefined) return listOf(prefixItems).map((item) => exampleOf(item, place) ?? null)
    const item = isObject(items) ? exampleOf(items, place) : undefined
    // A recursive list ends with an empty one.
    return item === undefined
      ? []
      : Array.from({ length: typeof minItems === "number" && minItems > 1 ? minItems : 1 }, () => item)
  }

  const ofComponent = (name: string, place: Place) => {
    const target = components[name]
    if (place.within.includes(name) || !isObject(target)) return undefined
    const thing = thingOf(name)
    return exampleOf(target, { name: "", thing, within: [...place.within, name] })
  }

  const ofType = (schema: JsonObject, place: Place): unknown => {
    const format = typeof schema["format"] === "string" ? schema["format"] : ""
    if (format === "uuid") return exampleId(/^ids?$/.test(place.name) ? place.thing : thingOf(place.name))
    switch (schema["type"]) {
      case "boolean":
        return true
      case "null":
        return null
      case "array":
        return ofArray(schema, place)
      case "object":
        return isObject(schema["properties"]) ? ofObject(schema["properties"], place) : undefined
      default:
        return ofFormat[format]
    }
  }

  /** Undefined if the schema does not say what a value could be. */
  const exampleOf = (schema: JsonObject, place: Place): unknown => {
    const { allOf, anyOf, examples, oneOf } = schema
    if (Array.isArray(examples) && examples.length > 0) return examples[0]
    if (schema["const"] !== undefined) return schema["const"]
    if (Array.isArray(schema["enum"])) return schema["enum"][0]
    const name = targetOf(schema)
    if (name !== undefined) return ofComponent(name, place)
    if (schema["type"] !== undefined) return ofType(schema, place)
    return first(listOf(anyOf ?? oneOf ?? allOf), (one) => exampleOf(one, place))
  }

  /**
   * A value that the schema takes. In this order: its own example, the only or first possible value, or a value built
   * from the examples of its parts. `name` is the value's name, `thing` the thing that its `id` identifies.
   */
  return (schema: unknown, name: string, thing: string): unknown =>
    isObject(schema) ? exampleOf(schema, { name, thing: thingOf(thing), within: [] }) : undefined
}
