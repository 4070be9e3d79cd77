import { createHash } from "node:crypto"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { runTool } from "../test/tools/Tools.ts"

// What turma-sdk has of the OpenAPI document: types by openapi-typescript, and a table of the operations beside them.

/** What stands at the head of a generated file. */
const head = (sum: string) => `// Made by \`npm run sdk:types\` from the OpenAPI document, do not edit: ${sum}\n\n`

type Json = Readonly<Record<string, unknown>>

const isJson = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value)
const jsonAt = (value: unknown, ...path: ReadonlyArray<string>): Json => {
  const found = path.reduce((at, key) => isJson(at) ? at[key] : undefined, value)
  return isJson(found) ? found : {}
}
const textAt = (value: Json, key: string) => {
  const found = value[key]
  return typeof found === "string" ? found : ""
}
const listAt = (value: Json, key: string) => {
  const found: unknown = value[key]
  return Array.isArray(found) ? found.filter(isJson) : []
}

/** The value with each object in it rewritten, the inner ones first. */
const rewritten = (value: unknown, rewrite: (value: Json) => Json): unknown => {
  if (Array.isArray(value)) return value.map((item) => rewritten(item, rewrite))
  if (!isJson(value)) return value
  return rewrite(Object.fromEntries(Object.entries(value).map(([key, item]) => [key, rewritten(item, rewrite)])))
}

const isSchema = (value: Json) =>
  ["type", "anyOf", "allOf", "oneOf", "$ref", "enum", "const"].some((key) => key in value)

/** Whether these are fields by their names, which may be called `type` and `example` too. */
const isFields = ({ description, type }: Json) => isJson(description) || isJson(type)

// Examples are in the reference, and what a pattern matches no type says.
const untyped = new Set(["example", "examples", "pattern"])

// The events of a stream come parsed.
const schemaOfSdk = (value: Json): Json => {
  const { contentMediaType, contentSchema } = value
  if (contentMediaType === "application/json" && isJson(contentSchema)) return contentSchema
  if (isFields(value) || (!isSchema(value) && !("schema" in value))) return value
  return Object.fromEntries(Object.entries(value).filter(([key]) => !untyped.has(key)))
}

const isAnswer = (status: string) => status.startsWith("2")

const referencesOf = (value: unknown, kind = "schemas"): ReadonlyArray<string> =>
  [...JSON.stringify(value).matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)].flatMap(([, of, name]) =>
    of === kind && name !== undefined ? [name] : []
  )

/** The schemas that these values name, and those that they name. */
const reached = (schemas: Json, from: unknown): Json => {
  const names = new Set(referencesOf(from))
  for (const name of names) for (const other of referencesOf(schemas[name])) names.add(other)
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => names.has(name)))
}

/** What the reference stands for, where several operations answer alike. */
const resolvedIn = (shared: Json, response: Json): Json => {
  const { $ref: reference } = response
  return typeof reference === "string" ? jsonAt(shared, reference.split("/").at(-1) ?? "") : response
}

const withoutRefusals = (shared: Json) => (operation: Json): Json => ({
  ...operation,
  responses: Object.fromEntries(
    Object.entries(jsonAt(operation, "responses")).filter(([status]) => isAnswer(status)).map(([status, response]) => {
      const { headers: _, ...rest } = resolvedIn(shared, jsonAt(response))
      return [status, rest]
    })
  )
})

const operationsOf = (items: Json, change: (operation: Json) => Json): Json =>
  Object.fromEntries(
    Object.entries(items).map(([path, item]) => [
      path,
      Object.fromEntries(Object.entries(jsonAt(item)).map(([method, one]) => [method, change(jsonAt(one))]))
    ])
  )

/** The document as far as the SDK has types of it: what is sent, and what is answered if all goes well. */
export const sdkDocument = (document: Json): Json => {
  const slim = jsonAt(rewritten(document, schemaOfSdk))
  const answersOf = withoutRefusals(jsonAt(slim, "components", "responses"))
  const paths = operationsOf(jsonAt(slim, "paths"), answersOf)
  const webhooks = operationsOf(jsonAt(slim, "webhooks"), (one) => ({ ...answersOf(one), parameters: [] }))
  const taken = new Set(referencesOf(paths, "parameters"))
  const parameters = Object.fromEntries(
    Object.entries(jsonAt(slim, "components", "parameters")).filter(([name]) => taken.has(name))
  )
  return {
    openapi: slim["openapi"],
    info: { title: "Turma", version: "1" },
    paths,
    webhooks,
    components: {
      parameters,
      schemas: reached(jsonAt(slim, "components", "schemas"), [paths, webhooks, parameters])
    }
  }
}

/** An operation of the contract as the SDK's table has it. */
interface Operation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly summary: string
  readonly flags: ReadonlyArray<string>
}

const behind = (document: Json, value: Json): Json =>
  "$ref" in value ? behind(document, jsonAt(document, ...textAt(value, "$ref").split("/").slice(1))) : value

const flagsOf = (document: Json, operation: Json): ReadonlyArray<string> => {
  const parameters = listAt(operation, "parameters").map((one) => behind(document, one))
  const contents = Object.values(jsonAt(operation, "responses")).map((one) =>
    jsonAt(behind(document, jsonAt(one)), "content")
  )
  const bodies = contents.map((content) => behind(document, jsonAt(content, "application/json", "schema")))
  const security: unknown = operation["security"] ?? document["security"]
  const flags = {
    body: jsonAt(operation, "requestBody")["required"] === true,
    open: Array.isArray(security) && security.length === 0,
    key: parameters.some((one) => textAt(one, "name") === "Idempotency-Key"),
    list: bodies.some((body) => {
      const data = behind(document, jsonAt(body, "properties", "data"))
      return textAt(data, "type") === "array" || textAt(jsonAt(data, "properties", "entries"), "type") === "array"
    }),
    stream: contents.some((content) => "text/event-stream" in content)
  }
  return Object.entries(flags).filter(([, holds]) => holds).map(([flag]) => flag)
}

const listed = (document: Json): ReadonlyArray<Operation> =>
  Object.entries(jsonAt(document, "paths")).flatMap(([path, item]) =>
    Object.entries(jsonAt(item)).map(([method, one]) => ({
      id: textAt(jsonAt(one), "operationId"),
      method: method.toUpperCase(),
      path,
      summary: textAt(jsonAt(one), "summary"),
      flags: flagsOf(document, jsonAt(one)).filter((flag) => flag !== "list" || method === "get")
    }))
  )

const routesText = (operations: ReadonlyArray<Operation>) =>
  [
    "/** Every operation by its id: method, path, and what there is to know about how to call it. */",
    "export const routes: Readonly<Record<string, string>> = {",
    operations.map(({ flags, id, method, path }) => `  "${id}": "${[method, path, ...flags].join(" ")}"`).join(",\n"),
    "}\n"
  ].join("\n")

const grouped = <A>(items: ReadonlyArray<A>, groupOf: (item: A) => string) =>
  items.reduce(
    (groups, item) => groups.set(groupOf(item), [...groups.get(groupOf(item)) ?? [], item]),
    new Map<string, Array<A>>()
  )

const kindOf = ({ flags }: Operation) => flags.includes("stream") ? "Stream" : flags.includes("list") ? "List" : "Call"

const resourcesText = (operations: ReadonlyArray<Operation>, codes: ReadonlyArray<string>) => {
  const groups = [...grouped(operations, ({ id }) => id.split(".")[0] ?? "")].map(([group, members]) =>
    [
      `  readonly ${group}: {`,
      ...members.flatMap((one) => [
        `    /** ${one.summary}: \`${one.method} ${one.path}\` */`,
        `    readonly ${one.id.split(".")[1]}: ${kindOf(one)}<"${one.id}">`
      ]),
      "  }"
    ].join("\n")
  )
  const methods = [...grouped(operations, ({ method }) => method)].map(([method, members]) =>
    [`  ${method}: {`, ...members.map(({ id, path }) => `    "${path}": "${id}"`), "  }"].join("\n")
  )
  return [
    `import type { Call, List, Stream } from "./Call.ts"\n`,
    "/** Every operation of the contract by its group and its name, as the reference has them. */",
    `export interface Resources {\n${groups.join("\n")}\n}\n`,
    "/** The id of each operation by its method and its path. */",
    `export interface Paths {\n${methods.join("\n")}\n}\n`,
    "/** The operations that answer a stream of events. */",
    `export type StreamId = ${
      operations.filter((one) => kindOf(one) === "Stream").map(({ id }) => `"${id}"`).join(" | ")
    }\n`,
    "/** The codes of the contract's errors. */",
    `export type ErrorCode =\n${codes.map((code) => `  | "${code}"`).join("\n")}\n`
  ].join("\n")
}

/** The codes that refusals may have. */
const errorCodes = (document: Json): ReadonlyArray<string> => {
  const codes = Object.values(jsonAt(document, "components", "schemas")).flatMap((schema) => {
    const found: unknown = jsonAt(schema, "properties", "error", "properties", "code")["enum"]
    return Array.isArray(found) ? found.filter((code) => typeof code === "string") : []
  })
  return [...new Set(codes)].toSorted()
}

/** What the generator makes of it, without what only leads to the operations. */
const schemasText = async (document: Json): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), "turma-sdk-"))
  try {
    await writeFile(join(folder, "openapi.json"), JSON.stringify(document))
    const { code, stderr, stdout } = await runTool(
      "openapi-typescript",
      ["openapi.json", "--output", "made.ts"],
      folder
    )
    if (code !== 0) throw new Error(`openapi-typescript failed: ${stdout}${stderr}`)
    const text = await readFile(join(folder, "made.ts"), "utf8")
    return text
      .replaceAll(/^(?: {4})+/gm, (indent) => indent.slice(indent.length / 2))
      .replace(/^\/\*\*[^]*?\*\/\n+/, "")
      .replaceAll(/^export (?:interface (?:paths|webhooks) \{\n[^]*?^\}|type \$defs = [^\n]*)\n/gm, "")
      .replaceAll(
        /^ +(?:headers|requestBodies|responses|pathItems|query|header|path|cookie|requestBody)\??: (?:never|\{\n +\[name: string\]: unknown;\n +\});\n/gm,
        ""
      )
      .replaceAll(
        /^ +\/\*\*\n +\* @enum \{string\}\n +\*\/\n|^ +\/\*\* @enum \{string\} \*\/\n|^ +\* @enum \{string\}\n/gm,
        ""
      )
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** A sum over everything that the generated files come from. */
export const sdkSum = (document: Json): string =>
  createHash("sha256").update(JSON.stringify([sdkDocument(document), errorCodes(document), listed(document)])).digest(
    "hex"
  )

/** The generated files of `src/sdk/contract`, by name. The tools of `test/tools` must be there. */
export const sdkFiles = async (document: Json): Promise<Readonly<Record<string, string>>> => {
  const operations = listed(document)
  const texts = {
    "Schemas.ts": await schemasText(sdkDocument(document)),
    "Routes.ts": routesText(operations),
    "Resources.ts": resourcesText(operations, errorCodes(document))
  }
  const sum = sdkSum(document)
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, head(sum) + text]))
}
