import { html, type Markup } from "../../platform/pages/Html.ts"
import { type ApiDocument, componentName, type JsonSchema, resolved } from "./ApiDocument.ts"
import { renderDescription } from "./Markdown.ts"

// A schema as people read it: each field with its type, bounds and meaning, and what is inside of it below.

const isNull = ({ type }: JsonSchema) => type === "null"

/** What a value may be, other than null. */
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

const inWords = (list: ReadonlyArray<string>) => new Intl.ListFormat("en", { type: "disjunction" }).format(list)

/** The kind of a value in a word or two. */
const typeOf = (document: ApiDocument, given: JsonSchema): string => {
  const { nullable, schema } = unwrapped(document, given)
  const variants = variantsOf(schema)
  const name = (): string => {
    if (variants.length > 0) {
      return variants.every((one) => isSimple(document, one))
        ? inWords([...new Set(variants.map((one) => typeOf(document, one)))])
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

/** `1 to 40 characters`; nothing where there is no bound. A bound that numbers of JSON have anyway says nothing. */
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

const code = (value: unknown) => html`<code>${typeof value === "string" ? value : JSON.stringify(value)}</code>`

const codes = (values: ReadonlyArray<unknown>) =>
  values.map((value, index) => index === 0 ? code(value) : html`, ${code(value)}`)

const opaque = (pattern: string | undefined, format: string | undefined) => pattern === undefined || format === "uuid"

/** What holds of a value beside its type. */
const rulesOf = (schema: JsonSchema): ReadonlyArray<Markup> => {
  const values = schema.enum ?? (schema.const === undefined ? [] : [schema.const])
  const lengths = [
    between(schema.minLength, schema.maxLength, "characters"),
    between(schema.minItems, schema.maxItems, "items"),
    between(schema.minimum ?? schema.exclusiveMinimum, schema.maximum, "")
  ].flatMap((text) => text === undefined ? [] : [html`${text}`])
  return [
    ...lengths,
    ...schema.uniqueItems === true ? [html`no item twice`] : [],
    ...values.length === 0 ? [] : [values.length === 1 ? html`always ${codes(values)}` : html`one of ${codes(values)}`],
    ...opaque(schema.pattern, schema.format) ? [] : [html`matches ${code(schema.pattern)}`],
    ...schema.default === undefined ? [] : [html`by default ${code(schema.default)}`]
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
  /** The components that this is inside of: one inside of itself is named and not shown again. */
  readonly inside: ReadonlyArray<string>
}

/** What is inside a value: the fields of an object, of the items of a list, or of each of its kinds. */
const insideOf = (place: Place, given: JsonSchema): Markup | undefined => {
  const { document, inside } = place
  const name = componentName(given)
  if (name !== undefined && inside.includes(name)) return html`<p class="soft small">A ${name}, as above.</p>`
  const deeper = name === undefined ? place : { document, inside: [...inside, name] }
  const { schema } = unwrapped(document, given)
  const variants = variantsOf(schema)
  if (variants.length > 0) return kindsOf(deeper, variants)
  if (schema.type === "array" && schema.items !== undefined) return insideOf(deeper, schema.items)
  if (schema.properties !== undefined) return fieldList(deeper, schema)
  return typeof schema.additionalProperties === "object" ? insideOf(deeper, schema.additionalProperties) : undefined
}

/** What tells one kind from another: a field that is constant, or what the kind is called. */
const kindName = (document: ApiDocument, given: JsonSchema): Markup => {
  const schema = resolved(document, given)
  const fixed = Object.entries(schema.properties ?? {}).map(([name, one]) => [name, resolved(document, one)] as const)
    .find(([, one]) => one.const !== undefined || one.enum?.length === 1)
  if (fixed !== undefined) return html`With ${code(fixed[0])} ${code(fixed[1].const ?? fixed[1].enum?.[0])}`
  return html`${componentName(given) ?? schema.title ?? typeOf(document, given)}`
}

const kindsOf = (place: Place, variants: ReadonlyArray<JsonSchema>): Markup | undefined => {
  const kinds = variants.flatMap((variant) => {
    const inner = insideOf(place, variant)
    return inner === undefined
      ? []
      : [html`<details><summary>${kindName(place.document, variant)}</summary>${inner}</details>`]
  })
  return kinds.length === 0 ? undefined : html`${kinds}`
}

/** What a field of this schema is: its type, its rules, and what is said of it. */
const describe = (document: ApiDocument, given: JsonSchema, note: Markup | undefined): Markup => {
  const { schema } = unwrapped(document, given)
  const items = schema.items === undefined ? undefined : unwrapped(document, schema.items).schema
  const rules = [...rulesOf(schema), ...items === undefined ? [] : rulesOf(items).map((rule) => html`each ${rule}`)]
  const example = exampleIn(schema)
  const description = given.description ?? schema.description
  return html`<span class="type">${typeOf(document, given)}</span>${note}${
    rules.map((rule) => html`<span class="rule">${rule}</span>`)
  }${example === undefined ? undefined : html`<span class="rule">such as ${code(example)}</span>`}${
    description === undefined ? undefined : renderDescription(description)
  }`
}

/** A named value with what is said of it, and what is inside of it. */
export const fieldItem = (place: Place, name: string, schema: JsonSchema, note?: Markup): Markup => {
  const inner = insideOf(place, schema)
  const nested = inner === undefined
    ? undefined
    : html`<details class="inner"><summary>Inside <code>${name}</code></summary>${inner}</details>`
  return html`<li><code class="name">${name}</code> ${describe(place.document, schema, note)}${nested}</li>`
}

const required = html`<span class="must">required</span>`

const fieldList = (place: Place, { properties = {}, required: must = [] }: JsonSchema): Markup =>
  html`<ul class="fields">${
    Object.entries(properties).map(([name, one]) =>
      fieldItem(place, name, one, must.includes(name) ? required : undefined)
    )
  }</ul>`

/** The fields of a body. */
export const bodyFields = (document: ApiDocument, schema: JsonSchema): Markup => {
  const place = { document, inside: [] }
  return insideOf(place, schema) ?? html`<p>${describe(document, schema, undefined)}</p>`
}

/** Every name of a field in a schema, for the search. */
export const fieldNames = (document: ApiDocument, given: JsonSchema, depth = 0): ReadonlyArray<string> => {
  if (depth > 5) return []
  const { schema } = unwrapped(document, given)
  const inner = [...variantsOf(schema), ...schema.items === undefined ? [] : [schema.items]]
  return [
    ...Object.entries(schema.properties ?? {}).flatMap((
      [name, one]
    ) => [name, ...fieldNames(document, one, depth + 1)]),
    ...inner.flatMap((one) => fieldNames(document, one, depth + 1))
  ]
}
