import {
  type ApiDocument,
  type Content,
  type JsonSchema,
  type Listed,
  type Parameter,
  resolved
} from "./ApiDocument.ts"

const id = "01993f2a-7c00-7a10-8c4e-5b1d2f3a4c5d"

/** Texts that have a shape, by their format or by what the field is called. */
const texts: Readonly<Record<string, string>> = {
  uuid: id,
  "date-time": "2026-11-21T12:00:00.000Z",
  date: "2026-11-21",
  email: "bia@example.com",
  uri: "https://example.com/",
  url: "https://example.com/",
  password: "seis cordas e voz",
  currency: "BRL",
  mime: "text/plain",
  time_zone: "America/Sao_Paulo",
  locale: "pt-BR",
  platform: "generic"
}

const textOf = ({ format = "", minLength = 0 }: JsonSchema, name: string) =>
  (texts[format] ?? texts[name] ?? (name === "" ? "text" : name.replaceAll("_", " "))).padEnd(minLength, "x")

const isNull = ({ type }: JsonSchema) => type === "null"

/** The declared example, or the only or first possible value. */
const given = (schema: JsonSchema): { readonly value: unknown } | undefined => {
  if (schema.example !== undefined) return { value: schema.example }
  if (schema.examples?.[0] !== undefined) return { value: schema.examples[0] }
  if (schema.const !== undefined) return { value: schema.const }
  if (schema.enum?.[0] !== undefined) return { value: schema.enum[0] }
  return schema.default === undefined ? undefined : { value: schema.default }
}

interface Sampling {
  readonly document: ApiDocument
  /** True for an example with only the required fields. */
  readonly brief: boolean
}

const objectOf = (schema: JsonSchema, depth: number, sampling: Sampling) => {
  const all = Object.entries(schema.properties ?? {})
  const needed = all.filter(([name]) => schema.required?.includes(name) === true)
  const shown = sampling.brief ? (needed.length === 0 ? all.slice(0, 1) : needed) : all
  return Object.fromEntries(shown.map(([name, one]) => [name, sampleOf(one, depth + 1, sampling, name)]))
}

/** A value of the schema's shape, from the examples in it as far as it has any. */
const sampleOf = (schema: JsonSchema, depth: number, sampling: Sampling, name = ""): unknown => {
  const one = resolved(sampling.document, schema)
  const known = given(one)
  if (known !== undefined) return known.value
  const variant = [...one.anyOf ?? [], ...one.oneOf ?? []].find((each) => !isNull(each))
  if (variant !== undefined) return sampleOf(variant, depth, sampling, name)
  switch (one.type) {
    case "object":
      return depth > 6 ? {} : objectOf(one, depth, sampling)
    case "array":
      return depth > 6 || one.items === undefined
        ? []
        : [sampleOf(one.items, depth + 1, sampling, name.replace(/s$/, ""))]
    case "string":
      return textOf(one, name)
    case "integer":
    case "number":
      return one.minimum !== undefined && one.minimum > 0 ? one.minimum : 1
    case "boolean":
      return true
    default:
      return null
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** True if a value of this schema names something by its id. */
const needsId = (schema: JsonSchema, sampling: Sampling): boolean => {
  const { anyOf = [], format, items, oneOf = [], properties = {}, required = [] } = resolved(sampling.document, schema)
  if (format === "uuid") return true
  if (items !== undefined) return needsId(items, sampling)
  const variants = [...anyOf, ...oneOf].filter((each) => !isNull(each))
  if (variants.length > 0) return variants.every((each) => needsId(each, sampling))
  return required.some((name) => properties[name] !== undefined && needsId(properties[name], sampling))
}

/** True if the value is an object that has no other fields than those of the schema. */
const isShapeOf = (value: unknown, schema: JsonSchema, sampling: Sampling): boolean => {
  const { properties } = resolved(sampling.document, schema)
  return properties !== undefined && isRecord(value) && Object.keys(value).every((name) => name in properties)
}

/**
 * The example with whatever it leaves out although it must be there. In a brief one nothing is named by its id that need
 * not be: no example knows what its reader has.
 */
const completed = (value: unknown, schema: JsonSchema, depth: number, sampling: Sampling): unknown => {
  const one = resolved(sampling.document, schema)
  const variant = [...one.anyOf ?? [], ...one.oneOf ?? []].find((each) => isShapeOf(value, each, sampling))
  if (variant !== undefined) return completed(value, variant, depth, sampling)
  const { items, properties = {} } = one
  if (Array.isArray(value) && items !== undefined) {
    return value.map((each) => completed(each, items, depth + 1, sampling))
  }
  if (!isRecord(value) || one.properties === undefined) return value
  const isNeeded = (name: string) => one.required?.includes(name) === true
  const named = Object.keys(value).filter((name) => properties[name] !== undefined)
  const free = named.filter((name) => isNeeded(name) || !needsId(properties[name] ?? {}, sampling))
  const kept = new Set(sampling.brief && free.length > 0 ? free : named)
  const shown = Object.entries(properties).flatMap(([name, property]) => {
    if (kept.has(name)) return [[name, completed(value[name], property, depth + 1, sampling)]]
    return isNeeded(name) ? [[name, sampleOf(property, depth + 1, sampling, name)]] : []
  })
  return Object.fromEntries(shown)
}

/** The value that is shown for a body of this content. */
export const exampleOf = (document: ApiDocument, content: Content, brief: boolean): unknown => {
  const sampling = { document, brief }
  const [first] = Object.values(content.examples ?? {})
  const example = content.example ?? first?.value
  const { schema = {} } = content
  return example === undefined ? sampleOf(schema, 0, sampling) : completed(example, schema, 0, sampling)
}

/** The singular of a list's name: `deliveries` is a `delivery`. */
const singular = (list: string) => list.replace(/ies$/, "y").replace(/s$/, "")

/** The word for a parameter of a path in examples: `deliveryId` is `delivery`, `id` one of the list before it. */
const wordOf = (name: string, path: string) => {
  if (name === "token") return "hook token"
  const list = path.slice(0, path.indexOf(`/{${name}}`)).split("/").at(-1) ?? ""
  const word = name === "id" || name === "publicId" ? singular(list) : name.replace(/Id$/, "")
  return word.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replaceAll("-", " ")
}

/** The shell's variable for a parameter of a path. */
export const shellVariable = (name: string, path: string) => wordOf(name, path).toUpperCase().replaceAll(" ", "_")

/** Words that name no variable in a script. */
const reserved = new Set(["import"])

/** The script's variable for a parameter of a path. */
export const scriptVariable = (name: string, path: string) => {
  const word = wordOf(name, path).replaceAll(/ (\w)/g, (_, letter: string) => letter.toUpperCase())
  return reserved.has(word) ? `${word}Id` : word
}

const withVariables = (path: string, variable: (name: string) => string) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => variable(name))

const queryValue = (document: ApiDocument, { example, name, schema }: Parameter) => {
  const value = example ?? sampleOf(schema, 0, { document, brief: true }, name)
  return Array.isArray(value) ? value.join(",") : String(value)
}

/** Only what a request must say, and how long a page is. */
const queryOf = (document: ApiDocument, { parameters }: Listed) => {
  const shown = parameters.filter((one) => one.in === "query" && (one.required === true || one.name === "limit"))
  const pairs = shown.map((one) =>
    `${one.name}=${one.name === "limit" ? 10 : encodeURIComponent(queryValue(document, one))}`
  )
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`
}

const jsonType = "application/json"
const csvType = "text/csv"

/** The body of an operation's example as JSON; undefined if it takes no body, or no JSON. */
const requestExample = (document: ApiDocument, { requestBody }: Listed): unknown => {
  const content = requestBody?.content[jsonType]
  return content === undefined ? undefined : exampleOf(document, content, true)
}

const isSecured = ({ security = [] }: Listed) => security.some((scheme) => Object.keys(scheme).length > 0)
const streams = ({ responses }: Listed) =>
  Object.values(responses).some(({ content }) => content?.["text/event-stream"] !== undefined)

/** A body in one line, where that is short. */
const written = (body: unknown) => {
  const short = JSON.stringify(body)
  return short.length <= 72 ? short : JSON.stringify(body, undefined, 2)
}

/** The request as a command: `$TURMA`, `$TOKEN` and what the path names are variables of the shell. */
export const curlOf = (document: ApiDocument, operation: Listed): string => {
  const { method, path } = operation
  const body = requestExample(document, operation)
  const takesCsv = body === undefined && operation.requestBody?.content[csvType] !== undefined
  const sends = body !== undefined || takesCsv
  const url = `$TURMA${withVariables(path, (name) => `$${shellVariable(name, path)}`)}${queryOf(document, operation)}`
  const verb = method === (sends ? "POST" : "GET") ? "" : `-X ${method} `
  const lines = [
    `curl -sS --fail-with-body ${streams(operation) ? "-N " : ""}${verb}"${url}"`,
    ...isSecured(operation) ? [`-H "Authorization: Bearer $TOKEN"`] : [],
    ...body === undefined
      ? []
      : [`-H 'Content-Type: ${jsonType}'`, `-d '${written(body).replaceAll("'", String.raw`'\''`)}'`],
    ...takesCsv ? [`-H 'Content-Type: ${csvType}'`, "--data-binary @students.csv"] : []
  ]
  return lines.join(" \\\n  ")
}

const indented = (text: string, by: string) => text.replaceAll("\n", `\n${by}`)

const answersJson = ({ responses }: Listed) =>
  Object.entries(responses).some(([status, { content }]) => status < "300" && content?.[jsonType] !== undefined)

/** The same with `fetch`: `turma`, `token` and what the path names are constants. */
export const fetchOf = (document: ApiDocument, operation: Listed): string => {
  const { method, path } = operation
  const body = requestExample(document, operation)
  const url = withVariables(path, (name) => "${" + scriptVariable(name, path) + "}")
  const headers = [
    ...isSecured(operation) ? ["Authorization: `Bearer ${token}`"] : [],
    ...body === undefined ? [] : [`"Content-Type": "${jsonType}"`]
  ]
  const options = [
    ...method === "GET" ? [] : [`method: "${method}"`],
    ...headers.length === 0 ? [] : [`headers: { ${headers.join(", ")} }`],
    ...body === undefined ? [] : [`body: JSON.stringify(${indented(JSON.stringify(body, undefined, 2), "  ")})`]
  ]
  const given = options.length === 0 ? "" : `, {\n  ${options.join(",\n  ")}\n}`
  return [
    `const response = await fetch(\`\${turma}${url}${queryOf(document, operation)}\`${given})`,
    answersJson(operation)
      ? "console.log(response.status, await response.json())"
      : "console.log(response.status, await response.text())"
  ].join("\n")
}

/** Headers that the client, or a middleware of it, sends by itself. */
const ofMiddleware = new Set(["Idempotency-Key", "If-None-Match"])

/** The same with the typed client: one call, whose parts are named as in the tables beside it. */
export const clientCallOf = ({ operationId, parameters, path, requestBody }: Listed): string => {
  const names = parameters.filter((one) => one.in === "path").map(({ name }) => {
    const variable = scriptVariable(name, path)
    return variable === name ? name : `${name}: ${variable}`
  })
  const parts = [
    ...names.length === 0 ? [] : [`params: { ${names.join(", ")} }`],
    ...parameters.some((one) => one.in === "query") ? ["query"] : [],
    ...parameters.some((one) => one.in === "header" && !ofMiddleware.has(one.name)) ? ["headers"] : [],
    ...requestBody === undefined ? [] : ["payload"]
  ]
  return `yield* client.${operationId}(${parts.length === 0 ? "" : `{ ${parts.join(", ")} }`})`
}
