// The parts of the OpenAPI document that become pages. The generator fills them.

/** A schema, as far as it is shown. */
export interface JsonSchema {
  readonly $ref?: string
  readonly title?: string
  readonly description?: string
  readonly type?: string
  readonly format?: string
  readonly pattern?: string
  readonly const?: unknown
  readonly enum?: ReadonlyArray<unknown>
  readonly default?: unknown
  readonly example?: unknown
  readonly examples?: ReadonlyArray<unknown>
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly oneOf?: ReadonlyArray<JsonSchema>
  readonly allOf?: ReadonlyArray<JsonSchema>
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: ReadonlyArray<string>
  readonly additionalProperties?: boolean | JsonSchema
  readonly items?: JsonSchema
  readonly prefixItems?: ReadonlyArray<JsonSchema>
  /** Of what a text holds as JSON. */
  readonly contentSchema?: JsonSchema
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
}

/** The body for one content type. */
export interface Content {
  readonly schema?: JsonSchema
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, Example>>
}

interface Example {
  readonly value?: unknown
}

export interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly example?: unknown
  readonly schema: JsonSchema
}

export interface Answer {
  readonly description: string
  readonly content?: Readonly<Record<string, Content>>
}

/** One route with one method, or one request that we send. */
interface Operation {
  readonly operationId: string
  readonly summary?: string
  readonly description?: string
  readonly tags?: ReadonlyArray<string>
  readonly parameters: ReadonlyArray<Parameter>
  readonly requestBody?: {
    readonly content: Readonly<Record<string, Content>>
    readonly required?: boolean
  }
  readonly responses: Readonly<Record<string, Answer>>
  readonly security?: ReadonlyArray<Readonly<Record<string, unknown>>>
}

interface Tag {
  readonly name: string
  readonly description?: string
}

interface TagGroup {
  readonly name: string
  readonly tags: ReadonlyArray<string>
}

export interface ApiDocument {
  readonly info: { readonly title: string; readonly version: string }
  readonly tags: ReadonlyArray<Tag>
  /** Of the operations that say nothing of it. */
  readonly security: ReadonlyArray<Readonly<Record<string, unknown>>>
  readonly "x-tagGroups"?: ReadonlyArray<TagGroup>
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> }
}

/** An operation with its place. */
export interface Listed extends Operation {
  readonly method: string
  readonly path: string
}

/** The operations of one subject, which have one page. */
export interface Section extends Tag {
  /** Its page is `/docs/reference/<slug>`. */
  readonly slug: string
  readonly operations: ReadonlyArray<Listed>
}

/** Subjects that belong together. */
export interface Group {
  readonly name: string
  readonly sections: ReadonlyArray<Section>
}

/** `Webhook endpoints` is `webhook-endpoints` in addresses. */
const slugOf = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")

/** Parts that many operations share stand once in a document, behind references. */
interface Reference {
  readonly $ref: string
}

type Shared<Part> = Part | Reference

interface WrittenContent extends Omit<Content, "examples"> {
  readonly examples?: Readonly<Record<string, Shared<Example>>>
}

type WrittenContents = Readonly<Record<string, WrittenContent>>

interface WrittenAnswer extends Omit<Answer, "content"> {
  readonly content?: WrittenContents
}

interface WrittenOperation extends Omit<Operation, "parameters" | "requestBody" | "responses"> {
  readonly parameters?: ReadonlyArray<Shared<Parameter>>
  readonly requestBody?: Omit<NonNullable<Operation["requestBody"]>, "content"> & { readonly content: WrittenContents }
  readonly responses: Readonly<Record<string, Shared<WrittenAnswer>>>
}

interface WrittenDocument extends Omit<ApiDocument, "components" | "paths" | "webhooks"> {
  readonly paths: Readonly<Record<string, Readonly<Record<string, WrittenOperation>>>>
  readonly webhooks: Readonly<Record<string, { readonly post: WrittenOperation }>>
  readonly components: ApiDocument["components"] & {
    readonly parameters?: Readonly<Record<string, Parameter>>
    readonly responses?: Readonly<Record<string, WrittenAnswer>>
    readonly examples?: Readonly<Record<string, Example>>
  }
}

const mapValues = <A, B>(record: Readonly<Record<string, A>>, map: (value: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]))

const behind = <Part>(shared: Readonly<Record<string, Part>> = {}) => (part: Shared<Part>): Part => {
  if (typeof part !== "object" || part === null || !("$ref" in part)) return part
  const target = shared[part.$ref.split("/").at(-1) ?? ""]
  if (target === undefined) throw new Error(`The document has nothing at ${part.$ref}`)
  return target
}

/** The document as JSON, with what its operations share in its place. */
export const readDocument = (text: string): ApiDocument => {
  const document: WrittenDocument = JSON.parse(text)
  const { components } = document
  const shown = (contents: WrittenContents): Readonly<Record<string, Content>> =>
    mapValues(contents, ({ examples = {}, ...content }) => ({
      ...content,
      examples: mapValues(examples, behind(components.examples))
    }))
  const answer = ({ content, ...written }: WrittenAnswer): Answer => ({
    ...written,
    ...content === undefined ? {} : { content: shown(content) }
  })
  const whole = ({ requestBody, ...operation }: WrittenOperation): Operation => ({
    security: document.security,
    ...operation,
    ...requestBody === undefined ? {} : { requestBody: { ...requestBody, content: shown(requestBody.content) } },
    parameters: (operation.parameters ?? []).map(behind(components.parameters)),
    responses: mapValues(mapValues(operation.responses, behind(components.responses)), answer)
  })
  return {
    ...document,
    paths: mapValues(document.paths, (item) => mapValues(item, whole)),
    webhooks: mapValues(document.webhooks, ({ post }) => ({ post: whole(post) }))
  }
}

const listed = (document: ApiDocument): ReadonlyArray<Listed> =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ ...operation, path, method: method.toUpperCase() }))
  )

/** The operations by subject, and the subjects by group as the document groups them; what it leaves out comes last. */
export const groupsOf = (document: ApiDocument): ReadonlyArray<Group> => {
  const operations = listed(document)
  const sectionOf = ({ description, name }: Tag): Section => ({
    name,
    ...(description === undefined ? {} : { description }),
    slug: slugOf(name),
    operations: operations.filter(({ tags = [] }) => tags[0] === name)
  })
  const grouped = document["x-tagGroups"] ?? []
  const named = new Set(grouped.flatMap(({ tags }) => tags))
  const others = document.tags.filter(({ name }) => !named.has(name)).map(({ name }) => name)
  return [...grouped, { name: grouped.length === 0 ? "Reference" : "More", tags: others }]
    .map(({ name, tags }) => ({
      name,
      sections: tags.flatMap((tag) => document.tags.filter((one) => one.name === tag)).map(sectionOf)
        .filter((section) => section.operations.length > 0)
    }))
    .filter(({ sections }) => sections.length > 0)
}

const prefix = "#/components/schemas/"

/** The meaning of a schema: behind a reference, with the rules beside it merged in. */
export const resolved = (document: ApiDocument, schema: JsonSchema): JsonSchema => {
  const { $ref, allOf, ...own } = schema
  const target = $ref === undefined ? undefined : document.components.schemas[$ref.slice(prefix.length)]
  const base = target === undefined ? {} : resolved(document, target)
  const whole: JsonSchema = { ...base, ...own }
  for (const one of allOf ?? []) Object.assign(whole, resolved(document, one))
  return whole
}

/** The name of a component; undefined for a schema that is written out in its place. */
export const componentName = ({ $ref }: JsonSchema) => $ref?.slice(prefix.length)
