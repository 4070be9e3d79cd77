import type { ApiDocument, JsonSchema } from "../../operations/documentation/ApiDocument.ts"
import { refsIn } from "../../platform/http/document/Schemas.ts"
import { type Operation, operationsIn, takesKey } from "./Operations.ts"
import { commentText, fieldText, typeText } from "./TypeText.ts"

// The generated part of turma-sdk: types of all requests and answers, and a table of the operations.

const head = "// Made from the contract by `npm run sdk:types`: change the contract, not this file.\n\n"

/** A CSV may be text, or the bytes of a file: the service finds out their encoding. */
const bodyText = (type: string, schema: JsonSchema, indent: string) =>
  type === "text/csv" ? "string | Uint8Array<ArrayBuffer>" : typeText(schema, indent)

const inner = "    "

const parametersText = ({ parameters }: Operation, place: "path" | "query") => {
  const fields = parameters.filter((one) => one.in === place).map(({ description, name, required, schema }) =>
    fieldText(name, description === undefined ? schema : { ...schema, description }, required === true, `${inner}  `)
  )
  return fields.length === 0 ? "" : `${inner}${place}: {\n${fields.join("")}${inner}}\n`
}

const operationText = (operation: Operation) => {
  const { answers, operationId, requestBody } = operation
  const bodies = Object.entries(requestBody?.content ?? {}).map(([type, { schema = {} }]) =>
    bodyText(type, schema, inner)
  )
  const answer = answers.map((one) => one === undefined ? "undefined" : typeText(one[1], inner)).join(" | ")
  return [
    `  "${operationId}": {\n`,
    parametersText(operation, "path"),
    parametersText(operation, "query"),
    takesKey(operation) ? `${inner}key: true\n` : "",
    bodies.length === 0 ? "" : `${inner}body${requestBody?.required === true ? "" : "?"}: ${bodies.join(" | ")}\n`,
    `${inner}answer: ${answer}\n`,
    "  }\n"
  ].join("")
}

/** The schemas that these values name, and those that they name. */
const reached = ({ components: { schemas } }: ApiDocument, from: unknown) => {
  const names = new Set(refsIn(from))
  for (const name of names) for (const other of refsIn(schemas[name])) names.add(other)
  return Object.entries(schemas).filter(([name]) => names.has(name))
}

const eventsOf = ({ webhooks }: ApiDocument) =>
  Object.entries(webhooks).map(([type, { post }]) =>
    [type, post.requestBody?.content["application/json"]?.schema ?? {}] as const
  )

const schemasText = (document: ApiDocument, operations: ReadonlyArray<Operation>) => {
  const events = eventsOf(document)
  const used = [
    events,
    operations.map(({ answers, parameters, requestBody }) => [answers, parameters, requestBody])
  ]
  const schemas = reached(document, used).map(([name, schema]) => fieldText(name, schema, true, "  "))
  return [
    `/** The schemas of the contract by their names in the reference: \`Schemas["Student"]\`. */\n`,
    `export interface Schemas {\n${schemas.join("")}}\n\n`,
    "/** What each operation takes and answers, by its id. */\n",
    `export interface Operations {\n${operations.map(operationText).join("")}}\n\n`,
    "/** The body of each webhook, by its type. */\n",
    `export interface Events {\n${events.map(([type, schema]) => fieldText(type, schema, true, "  ")).join("")}}\n`
  ].join("")
}

const routesText = (operations: ReadonlyArray<Operation>) =>
  [
    "/** Every operation by its id: method, path, and what there is to know about how to call it. */\n",
    "export const routes: Readonly<Record<string, string>> = {\n",
    operations.map(({ flags, method, operationId, path }) =>
      `  "${operationId}": "${[method, path, ...flags].join(" ")}"`
    ).join(",\n"),
    "\n}\n"
  ].join("")

/** The codes that refusals may have. */
const errorCodes = ({ components: { schemas } }: ApiDocument): ReadonlyArray<string> => {
  const codes = Object.values(schemas).flatMap(({ properties }) =>
    properties?.["error"]?.properties?.["code"]?.enum?.filter((code) => typeof code === "string") ?? []
  )
  return [...new Set(codes)].toSorted()
}

const resourceText = ({ kind, method, operationId, path, summary = "" }: Operation) =>
  `${commentText([`${summary}: \`${method} ${path}\``], inner)}${inner}readonly ${
    operationId.split(".")[1]
  }: ${kind}<"${operationId}">\n`

const resourcesText = (document: ApiDocument, operations: ReadonlyArray<Operation>) => {
  const groups = [...Map.groupBy(operations, ({ operationId }) => operationId.split(".")[0])].map(([group, members]) =>
    `  readonly ${group}: {\n${members.map(resourceText).join("")}  }\n`
  )
  const methods = [...Map.groupBy(operations, ({ method }) => method)].map(([method, members]) =>
    `  ${method}: {\n${members.map(({ operationId, path }) => `    "${path}": "${operationId}"\n`).join("")}  }\n`
  )
  const streams = operations.filter(({ kind }) => kind === "Stream").map(({ operationId }) => `"${operationId}"`)
  return [
    `import type { Call, List, Stream } from "./Call.ts"\n\n`,
    "/** Every operation of the contract by its group and its name, as the reference has them. */\n",
    `export interface Resources {\n${groups.join("")}}\n\n`,
    "/** The id of each operation by its method and its path. */\n",
    `export interface Paths {\n${methods.join("")}}\n\n`,
    "/** The operations that answer a stream of events. */\n",
    `export type StreamId = ${streams.join(" | ")}\n\n`,
    "/** The codes of the contract's errors. */\n",
    `export type ErrorCode =\n${errorCodes(document).map((code) => `  | "${code}"`).join("\n")}\n`
  ].join("")
}

/** The generated part of the SDK: the names of its files in `src/sdk/contract`. */
export const sdkFileNames = ["Resources.ts", "Routes.ts", "Schemas.ts"] as const

/** The texts of these files. */
export const sdkFiles = (document: ApiDocument): Readonly<Record<(typeof sdkFileNames)[number], string>> => {
  const operations = operationsIn(document)
  return {
    "Resources.ts": head + resourcesText(document, operations),
    "Routes.ts": head + routesText(operations),
    "Schemas.ts": head + schemasText(document, operations)
  }
}
