import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { sdkFileNames, sdkFiles } from "../../src/cli/sdk/SdkFiles.ts"
import { readDocument } from "../../src/operations/documentation/ApiDocument.ts"
import { allRoutes } from "../../src/sdk/client/Route.ts"
import { createTurma } from "../../src/sdk/index.ts"
import { document, isObject, operations } from "../harness/Document.ts"
import { withFiles } from "../harness/Files.ts"
import { hasTrials } from "../harness/Trials.ts"
import { needTools } from "../tools/Needed.ts"
import { compile, project, runTool } from "../tools/Tools.ts"

const json = JSON.stringify(document)

const filesOf = (text: string) => sdkFiles(readDocument(text))

/** Events of a stream arrive parsed, so their types describe the JSON in them. */
const parsed = (_: string, value: unknown): unknown =>
  isObject(value) && isObject(value["contentSchema"]) ? value["contentSchema"] : value

/** The other generator drops all items after the first ones of an array. So its document has no first items. */
const asTheyCan = (name: string, value: unknown): unknown => {
  if (!isObject(value) || value["items"] === undefined) return parsed(name, value)
  const { prefixItems: _, ...array } = value
  return array
}

/** Compares the SDK's types with those of another generator for the same document. */
const comparison = `
  import type { components, operations } from "./theirs.ts"
  import type { Events, Operations, Schemas } from "${join(project, "src/sdk/contract/Schemas.ts")}"

  type None = Record<never, never>
  type Deep<T> = T extends (infer Item)[] ? number extends T["length"] ? Deep<Item>[] : { [K in keyof T]: Deep<T[K]> }
    : T extends object ? { [K in keyof T]: Deep<T[K]> }
    : T
  type Same<A, B> = (<T>() => T extends Deep<A> ? 1 : 2) extends (<T>() => T extends Deep<B> ? 1 : 2) ? true : false
  type Differing<Compared> = { [K in keyof Compared]: Compared[K] extends true ? never : K }[keyof Compared]
  declare const same: <Others extends never>() => Others

  type Id = keyof Operations
  type Bytes = Uint8Array<ArrayBuffer>
  type Given<T> = [NonNullable<T>] extends [never] ? None : NonNullable<T>
  type Part<T, Name extends string> = Name extends keyof T ? T[Name] : None
  type ContentOf<T> = T extends { content: infer Content } ? Content[keyof Content] : undefined

  type Params<Of extends Id> = operations[Of]["parameters"]
  type Body<T> = T extends { requestBody?: never } ? None
    : T extends { requestBody: { content: infer Content } } ? { body: Content[keyof Content] }
    : T extends { requestBody?: { content: infer Content } } ? { body?: Content[keyof Content] }
    : None
  type OwnBody<T> = T extends { body: infer Own } ? { body: Exclude<Own, Bytes> }
    : T extends { body?: infer Own } ? "body" extends keyof T ? { body?: Own } : None
    : None
  type Answers<T> = { [Status in keyof T]: Status extends 200 | 201 | 202 | 204 ? ContentOf<T[Status]> : never }
  type Answer<Of extends Id> = Answers<operations[Of]["responses"]>[keyof operations[Of]["responses"]]
  type Key<Of extends Id> = "Idempotency-Key" extends keyof Given<Params<Of>["header"]> ? true : None

  same<Exclude<keyof operations, Id | \`event.\${keyof Events}\`>>()
  same<Differing<{ [Of in Id]: Same<Part<Operations[Of], "path">, Given<Params<Of>["path"]>> }>>()
  same<Differing<{ [Of in Id]: Same<Part<Operations[Of], "query">, Given<Params<Of>["query"]>> }>>()
  same<Differing<{ [Of in Id]: Same<Part<Operations[Of], "key">, Key<Of>> }>>()
  same<Differing<{ [Of in Id]: Same<OwnBody<Operations[Of]>, Body<operations[Of]>> }>>()
  same<Differing<{ [Of in Id]: Same<Operations[Of]["answer"], Answer<Of>> }>>()
  same<Differing<{ [Name in keyof Schemas]: Same<Schemas[Name], components["schemas"][Name]> }>>()
  same<Differing<{ [Type in keyof Events]: Same<{ body: Events[Type] }, Body<operations[\`event.\${Type}\`]>> }>>()
  same<Differing<{ [Type in keyof Events]: Same<Events[Type]["type"], Type> }>>()

  // @ts-expect-error: an optional field is another than one that is always there
  same<Differing<{ field: Same<{ name?: string }, { name: string }> }>>()
  // @ts-expect-error: no answer is what its operation takes
  same<Differing<{ [Of in Id]: Same<Operations[Of]["answer"], OwnBody<Operations[Of]>> }>>()
`

const compilerOptions = {
  lib: ["ES2024", "DOM"],
  module: "NodeNext",
  types: [],
  strict: true,
  noEmit: true,
  allowImportingTsExtensions: true
}

describe("what turma-sdk has of the contract", () => {
  it.each(sdkFileNames)("is there and up to date in %s", (name) => {
    const text = readFileSync(join(project, "src/sdk/contract", name), "utf8")
    assert.isTrue(text === filesOf(json)[name], `${name} is another`)
  })

  it.skipIf(!hasTrials)("has the types that openapi-typescript makes of the document", async (context) => {
    await needTools(context)
    const files = {
      "openapi.json": JSON.stringify(JSON.parse(json, asTheyCan)),
      "use.ts": comparison,
      "tsconfig.json": JSON.stringify({ compilerOptions, files: ["use.ts"] })
    }
    await withFiles(files, async (folder) => {
      const made = await runTool("openapi-typescript", ["openapi.json", "--output", "theirs.ts"], folder)
      assert.strictEqual(made.code, 0, made.stderr)
      const { code, stdout } = await compile(folder)
      assert.deepStrictEqual({ code, stdout }, { code: 0, stdout: "" })
    })
  })

  it("changes with an operation, a field, a code and a description, and with no example", () => {
    const files = filesOf(json)
    const changed = (from: RegExp, to: string) => filesOf(json.replaceAll(from, to))
    assert.notDeepEqual(changed(/"operationId":"students\.list"/g, "\"operationId\":\"students.all\""), files)
    assert.notDeepEqual(changed(/"has_password":/g, "\"password_set\":"), files)
    assert.notDeepEqual(changed(/"already_member"/g, "\"member_already\""), files)
    assert.notDeepEqual(changed(/"Names the student, in this club alone"/g, "\"Names somebody\""), files)
    assert.deepStrictEqual(changed(/bia\.lima@example\.com/g, "caio@example.com"), files)
  })

  it("says of every field, parameter and operation what the document says, where editors show it", () => {
    const { "Resources.ts": resources, "Schemas.ts": schemas } = filesOf(json)
    assert.include(
      schemas,
      "    /**\n     * When it happened\n     *\n     * Format: date-time\n     */\n    occurred_at: string\n"
    )
    const { schemas: components } = readDocument(JSON.stringify(JSON.parse(json, parsed))).components
    const fields = Object.entries(components).filter(([name]) => schemas.includes(`\n  ${name}: `)).flatMap((
      [, { description, properties = {} }]
    ) => [description, ...Object.values(properties).map((one) => one.description)])
    const parameters = operations.flatMap((one) => one.parameters.filter(({ in: place }) => place !== "header"))
    const described = [...fields, ...parameters.map(({ description }) => description)].filter((text) =>
      text !== undefined
    )
    assert.isAbove(described.length, 1500)
    assert.deepStrictEqual(described.filter((text) => !schemas.includes(` ${text.replaceAll("*/", "*\\/")}`)), [])
    for (const { method, path, summary = "" } of operations) {
      assert.include(resources, `/** ${summary}: \`${method} ${path}\` */`)
    }
  })

  it("is every operation, with its method and path", () => {
    assert.sameDeepMembers(
      allRoutes.map(([id, { method, path }]) => [id, method, path]),
      operations.map(({ method, operationId, path }) => [operationId, method, path])
    )
  })

  it("says of each operation whether it needs a body, takes a token and a key, and answers a list or a stream", () => {
    const routes = new Map(allRoutes)
    for (const operation of operations) {
      const route = routes.get(operation.operationId)
      const contents = Object.entries(operation.responses).flatMap(([status, { content }]) =>
        status.startsWith("2") ? [JSON.stringify(content ?? {})] : []
      )
      const names = new Set(operation.parameters.map(({ name }) => name))
      const needsBody = Reflect.get(Object(operation.requestBody), "required") === true
      assert.strictEqual(route?.body, needsBody, operation.name)
      assert.strictEqual(route?.open, operation.schemes.length === 0, operation.name)
      assert.strictEqual(route?.key, names.has("Idempotency-Key"), operation.name)
      assert.strictEqual(route?.stream, contents.some((content) => content.includes("event-stream")), operation.name)
      if (names.has("cursor")) assert.isTrue(route?.list, operation.name)
    }
    assert.isAbove(allRoutes.filter(([, { list }]) => list).length, 50)
  })

  it("has no name of one kind that is one of another", () => {
    const turma = createTurma({ baseUrl: "https://turma.example" })
    const groups = new Set(operations.map(({ operationId }) => operationId.split(".")[0]))
    assert.sameMembers(Object.keys(turma), [...groups, "GET", "POST", "PUT", "PATCH", "DELETE"])
    for (const { name, operationId, parameters, path } of operations) {
      assert.match(operationId, /^[a-zA-Z]+\.[a-zA-Z]+$/)
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, one]) => one)
      assert.sameMembers(parameters.filter((one) => one.in === "path").map((one) => one.name), inPath, name)
      const inQuery = parameters.filter((one) => one.in === "query")
      for (const one of inQuery) {
        assert.notInclude([...inPath, "body"], one.name, name)
        assert.notStrictEqual(one.schema.type, "array", name)
        assert.notPropertyVal(one, "required", true, name)
      }
    }
  })
})
