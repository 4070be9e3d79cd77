import { either } from "../../platform/text/either.ts"
import { type ApiDocument, componentName, type JsonSchema, resolved } from "./ApiDocument.ts"

// A schema as people read it: each field with its type, bounds and meaning, and what is inside of it. Pages and Markdown are
// written from the same.

/** A rule of a value: words, and values that stand behind them as code. */
export interface Rule {
  readonly words: string
  readonly values: ReadonlyArray<string>
}

/** The description of a value. */
export interface Shape {
  /** Its kind in a word or two. */
  readonly type: string
  readonly rules: ReadonlyArray<Rule>
  readonly description: string | undefined
  readonly inside: Inside | undefined
}

/** A shape with a name. */
export interface Field extends Shape {
  readonly name: string
  readonly required: boolean
}

/** One of the kinds that a value may be of, and what tells it from the others: a constant field, or what it is called. */
export interface Kind {
  readonly title: { readonly field: string; readonly value: string } | string
  readonly inside: Inside
}

/** The values inside a value: the fields of an object, of the items of a list, or of each of its kinds. */
export type Inside =
  | { readonly is: "fields"; readonly fields: ReadonlyArray<Field> }
  | { readonly is: "kinds"; readonly kinds: ReadonlyArray<Kind> }
  /** A component inside of itself is named and not shown again. */
  | { readonly is: "again"; readonly name: string }

const isNull = ({ type }: JsonSchema) => type === "null"

/** The alternatives of a value, other than null. */
const variantsOf = ({ anyOf = [], oneOf = [] }: JsonSchema) => [...anyOf, ...oneOf].filter((one) => !isNull(one))

const isNullable = ({ anyOf = [], oneOf = [] }: JsonSchema) => [...anyOf, ...oneOf].some(isNull)

/** The schema without the null that it may also be, and whether it may. */
const unwrapped = (
  document: ApiDocument,
  given: JsonSchema
): { readonly schema: JsonSchema; readonly nullable: boolean } => {
  const schema = resolved(document, given)
  const [only, ...others] = variantsOf(schema)
  if (only === undefined || others.length > 0) return { schema, nullable: isNullable(schema) }
  const inner = unwrapped(document, only)
  const { anyOf: _, oneOf: __, ...own } = schema
  return { schema: { ...inner.schema, ...own }, nullable: inner.nullable || isNullable(schema) }
}

const formats: Readonly<Record<string, string>> = {
  "date-time": "timestamp",
  date: "date",
  uuid: "UUID",
  uri: "URL",
  email: "e-mail address",
  binary: "bytes"
}

const isSimple = (document: ApiDocument, schema: JsonSchema) => {
  const { properties, type } = resolved(document, schema)
  return properties === undefined && type !== "array"
}

/** The kind of a value in a word or two. */
const typeOf = (document: ApiDocument, given: JsonSchema): string => {
  const { nullable, schema } = unwrapped(document, given)
  const variants = variantsOf(schema)
  const name = (): string => {
    if (variants.length > 0) {
      return variants.every((one) => isSimple(document, one))
        ? either([...new Set(variants.map((one) => typeOf(document, one)))])
        : "one of several"
    }
    if (schema.type === "array") {
      return schema.items === undefined
        ? "list"
        : `list of ${typeOf(document, schema.items)}`
    }
    if (schema.const !== undefined) return "constant"
    return formats[schema.format ?? ""] ?? schema.type ?? "any JSON"
  }
  return nullable ? `${name()} or null` : name()
}

/** `1 to 40 characters`; empty without a bound. A bound that numbers of JSON have anyway is not shown. */
const between = (least: number | undefined, most: number | undefined, unit: string) => {
  const says = (bound: number | undefined) => bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER
  const number = (bound: number | undefined) => (bound ?? 0).toLocaleString("en")
  const units = unit === "" ? "" : ` ${unit}`
  if (says(least) && says(most)) {
    return least === most
      ? `${number(least)}${units}`
      : `${number(least)} to ${number(most)}${units}`
  }
  if (says(most)) return `at most ${number(most)}${units}`
  return says(least) && !(least === 0 && unit !== "") ? `at least ${number(least)}${units}` : undefined
}

const written = (value: unknown) => typeof value === "string" ? value : JSON.stringify(value)

const rule = (words: string, ...values: ReadonlyArray<unknown>): Rule => ({ words, values: values.map(written) })

const opaque = (pattern: string | undefined, format: string | undefined) => pattern === undefined || format === "uuid"

/** The rules of a value beside its type. */
const rulesOf = (schema: JsonSchema): ReadonlyArray<Rule> => {
  const values = schema.enum ?? (schema.const === undefined ? [] : [schema.const])
  const lengths = [
    between(schema.minLength, schema.maxLength, "characters"),
    between(schema.minItems, schema.maxItems, "items"),
    between(schema.minimum ?? schema.exclusiveMinimum, schema.maximum, "")
  ].flatMap((text) => text === undefined ? [] : [rule(text)])
  return [
    ...lengths,
    ...schema.uniqueItems === true ? [rule("no item twice")] : [],
    ...values.length === 0 ? [] : [rule(values.length === 1 ? "always" : "one of", ...values)],
    ...opaque(schema.pattern, schema.format) ? [] : [rule("matches", schema.pattern)],
    ...schema.default === undefined ? [] : [rule("by default", schema.default)]
  ]
}

const shortest = (value: unknown) => {
  const text = typeof value === "string" ? value : JSON.stringify(value)
  return value === undefined || text.length > 80 ? undefined : text
}

const exampleIn = ({ const: constant, enum: values, example, examples, properties, type }: JsonSchema) =>
  constant !== undefined || values !== undefined || properties !== undefined || type === "array"
    ? undefined
    : shortest(example ?? examples?.[0])

interface Place {
  readonly document: ApiDocument
  /** The components that this is inside of. */
  readonly inside: ReadonlyArray<string>
}

const insideOf = (place: Place, given: JsonSchema): Inside | undefined => {
  const { document, inside } = place
  const name = componentName(given)
  if (name !== undefined && inside.includes(name)) return { is: "again", name }
  const deeper = name === undefined ? place : { document, inside: [...inside, name] }
  const { schema } = unwrapped(document, given)
  const variants = variantsOf(schema)
  if (variants.length > 0) return kindsOf(deeper, variants)
  if (schema.type === "array" && schema.items !== undefined) return insideOf(deeper, schema.items)
  if (schema.properties !== undefined) return fieldsOf(deeper, schema)
  if (schema.contentSchema !== undefined) return insideOf(deeper, schema.contentSchema)
  return typeof schema.additionalProperties === "object" ? insideOf(deeper, schema.additionalProperties) : undefined
}

const titleOf = (document: ApiDocument, given: JsonSchema): Kind["title"] => {
  const schema = resolved(document, given)
  const fixed = Object.entries(schema.properties ?? {}).map(([name, one]) => [name, resolved(document, one)] as const)
    .find(([, one]) => one.const !== undefined || one.enum?.length === 1)
  if (fixed !== undefined) return { field: fixed[0], value: written(fixed[1].const ?? fixed[1].enum?.[0]) }
  return componentName(given) ?? schema.title ?? typeOf(document, given)
}

const kindsOf = (place: Place, variants: ReadonlyArray<JsonSchema>): Inside | undefined => {
  const kinds = variants.flatMap((variant) => {
    const inside = insideOf(place, variant)
    return inside === undefined ? [] : [{ title: titleOf(place.document, variant), inside }]
  })
  return kinds.length === 0 ? undefined : { is: "kinds", kinds }
}

const shapeIn = (place: Place, given: JsonSchema): Shape => {
  const { document } = place
  const { schema } = unwrapped(document, given)
  const items = schema.items === undefined ? undefined : unwrapped(document, schema.items).schema
  const example = exampleIn(schema)
  return {
    type: typeOf(document, given),
    rules: [
      ...rulesOf(schema),
      ...items === undefined ? [] : rulesOf(items).map(({ values, words }) => ({ words: `each ${words}`, values })),
      ...example === undefined ? [] : [rule("such as", example)]
    ],
    description: given.description ?? schema.description,
    inside: insideOf(place, given)
  }
}

const fieldsOf = (place: Place, { properties = {}, required = [] }: JsonSchema): Inside => ({
  is: "fields",
  fields: Object.entries(properties).map(([name, one]) => ({
    ...shapeIn(place, one),
    name,
    required: required.includes(name)
  }))
})

/** A value of this schema, and all that is inside of it. */
export const shapeOf = (document: ApiDocument, schema: JsonSchema): Shape => shapeIn({ document, inside: [] }, schema)

/** Every name of a field in a schema, for the search. */
export const fieldNames = (document: ApiDocument, given: JsonSchema, depth = 0): ReadonlyArray<string> => {
  if (depth > 5) return []
  const { schema } = unwrapped(document, given)
  const inner = [...variantsOf(schema), schema.items, schema.contentSchema].filter((one) => one !== undefined)
  return [
    ...Object.entries(schema.properties ?? {}).flatMap((
      [name, one]
    ) => [name, ...fieldNames(document, one, depth + 1)]),
    ...inner.flatMap((one) => fieldNames(document, one, depth + 1))
  ]
}
