import { withoutDocuments } from "../../identity/people/TaxDocuments.ts"
import { isObject, type JsonObject } from "../../platform/http/document/Schemas.ts"
import { marked } from "./Marks.ts"
import { ownNames } from "./OwnNames.ts"
import { alternativesOf, resolved, type SchemaDocument } from "./ShortSchemas.ts"

// The part of an answer that an agent sees, by the contract's own schema of the answer.

/** Which fields are shown: each whole, or some of its own. */
export interface FieldTree extends ReadonlyMap<string, FieldTree | "whole"> {}

const none: FieldTree = new Map()

/** `id author.name` as a tree. */
export const fieldTree = (fields: string): FieldTree => {
  const tree = new Map<string, Map<string, "whole"> | "whole">()
  for (const field of fields.split(" ").filter((one) => one !== "")) {
    const [name = "", part] = field.split(".")
    const known = tree.get(name)
    if (part === undefined) tree.set(name, "whole")
    else if (known === undefined || known === "whole") tree.set(name, new Map([[part, "whole"]]))
    else known.set(part, "whole")
  }
  return tree
}

/** Shows a value of an answer, or what an agent is to see of it. */
interface Show {
  (value: unknown): unknown
}

/** How a part of an answer is shown, and whether words that people wrote may be in it. */
export interface Shown {
  readonly show: Show
  readonly hasWords: boolean
  /** The result, as JSON Schema: names and types, since a model reads the schemas of all tools at once. */
  readonly schema: JsonObject
}

/** Ids and moments, which nobody's words look like. */
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

const isSafe = (text: string) => uuid.test(text) || moment.test(text)

/** Whatever people wrote: also a student who writes the own document in a message. */
const word: Show = (value) => typeof value === "string" && !isSafe(value) ? marked(withoutDocuments(value)) : value

/**
 * JSON without a more exact schema, or that differs from its schema, as no answer of ours does. Every text in it counts
 * as a person's. So do the names of its fields, unless an event of ours has them.
 */
const anything: Show = (value) => {
  if (Array.isArray(value)) return value.map(anything)
  if (!isObject(value)) return word(value)
  return Object.fromEntries(Object.entries(value).map((
    [name, one]
  ) => [ownNames.has(name) ? name : marked(withoutDocuments(name)), anything(one)]))
}

const unknown: Shown = { show: anything, hasWords: true, schema: {} }

/** A text of ours. */
const ours: Show = (value) => typeof value === "object" ? anything(value) : value

/** One of these values, and nothing else. */
const oneOf = (members: ReadonlyArray<unknown>): Show => (value) => members.includes(value) ? value : anything(value)

const scalar = ({ const: only, enum: members, format, type }: JsonObject, isOwn: boolean): Shown => {
  if (typeof type !== "string") return unknown
  const schema = { type }
  if (only !== undefined) return { show: oneOf([only]), hasWords: false, schema }
  if (Array.isArray(members)) return { show: oneOf(members), hasWords: false, schema }
  // A number, a switch or an id: any other text in its place is not ours.
  if (type !== "string" || format === "uuid") return { show: anything, hasWords: false, schema }
  return isOwn ? { show: ours, hasWords: false, schema } : { show: anything, hasWords: true, schema }
}

const listOf = (
  node: JsonObject,
  document: SchemaDocument,
  tree: FieldTree | "whole",
  isOwn: boolean,
  own: FieldTree
): Shown => {
  const { hasWords, schema, show } = shownOf(node["items"], document, tree, isOwn, own)
  return {
    show: (value) => Array.isArray(value) ? value.map(show) : anything(value),
    hasWords,
    schema: { type: "array", items: schema }
  }
}

/** JSON of any kind comes too, but of that there is nothing to say. */
const described = ([name, { schema }]: readonly [string, Shown]) =>
  Object.keys(schema).length === 0 ? [] : [[name, schema] as const]

const objectOf = (
  properties: JsonObject,
  document: SchemaDocument,
  tree: FieldTree | "whole",
  isOwn: boolean,
  own: FieldTree
): Shown => {
  const names = tree === "whole" ? Object.keys(properties) : [...tree.keys()]
  const fields = names.map((name) => {
    if (!Object.hasOwn(properties, name)) throw new Error(`An answer has no field ${name}`)
    const inner = tree === "whole" ? "whole" : tree.get(name) ?? "whole"
    const ofField = own.get(name) ?? none
    return [
      name,
      ofField === "whole"
        ? shownOf(properties[name], document, inner, true)
        : shownOf(properties[name], document, inner, isOwn, ofField)
    ] as const
  })
  return {
    show: (value) =>
      isObject(value)
        ? Object.fromEntries(fields.flatMap(([name, { show }]) => name in value ? [[name, show(value[name])]] : []))
        : anything(value),
    hasWords: fields.some(([, { hasWords }]) => hasWords),
    schema: { type: "object", properties: Object.fromEntries(fields.flatMap(described)) }
  }
}

/** The same, or null: each of one type, since not every client knows lists of types. */
const orNull = (schema: JsonObject): JsonObject =>
  schema["type"] === undefined ? schema : { anyOf: [schema, { type: "null" }] }

const shownAs = (
  only: JsonObject,
  document: SchemaDocument,
  tree: FieldTree | "whole",
  isOwn: boolean,
  own: FieldTree
): Shown => {
  const { properties, type } = only
  if (type === "array") return listOf(only, document, tree, isOwn, own)
  if (isObject(properties)) return objectOf(properties, document, tree, isOwn, own)
  return type === "object" ? unknown : scalar(only, isOwn)
}

/**
 * The visible form of a part of an answer with this schema. `isOwn`: its texts are the service's own. `own` names
 * fields, and fields of those, with such texts.
 */
export const shownOf = (
  node: unknown,
  document: SchemaDocument,
  tree: FieldTree | "whole",
  isOwn: boolean,
  own: FieldTree = none
): Shown => {
  const whole = resolved(node, document)
  const [only, ...others] = alternativesOf(whole, document)
  if (only === undefined || others.length > 0) return unknown
  const shown = shownAs(only, document, tree, isOwn, own)
  return only === whole ? shown : { ...shown, schema: orNull(shown.schema) }
}
