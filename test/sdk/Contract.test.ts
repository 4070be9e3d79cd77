import { assert, describe, it, type TestContext } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { sdkFiles, sdkSum } from "../../.ci/sdkContract.ts"
import { allRoutes } from "../../src/sdk/client/Route.ts"
import { createTurma } from "../../src/sdk/index.ts"
import { document, operations } from "../harness/Document.ts"
import { installTools } from "../tools/Tools.ts"

const generated = ["Resources.ts", "Routes.ts", "Schemas.ts"] as const

const read = (name: string) => readFileSync(new URL(`../../src/sdk/contract/${name}`, import.meta.url), "utf8")

const json = { ...document }

/** Skips where the tools cannot be had, in a line that says why; where everything has to be checked that is a failure. */
const needTools = async ({ skip }: TestContext) => {
  const missing = await installTools((line) => process.stdout.write(`${line}\n`))
  if (missing === undefined) return
  if (process.env["CI"] === "true") throw new Error(`The tools of test/tools are not there: ${missing.reason}`)
  skip(`the tools of test/tools are not there: ${missing.reason}`)
}

describe("what turma-sdk has of the document", () => {
  it.each(generated)("is up to date in %s; else run `npm run sdk:types`", (name) => {
    assert.include(read(name).split("\n")[0], sdkSum(json))
  })

  it("is what the generator makes; else run `npm run sdk:types`", async (context) => {
    await needTools(context)
    const files = await sdkFiles(json)
    assert.sameMembers(Object.keys(files), [...generated])
    for (const name of generated) assert.isTrue(files[name] === read(name), `${name} is another`)
  })

  it("changes with an operation, a field, a code and a description, and with no example", () => {
    const sum = sdkSum(json)
    const changed = (from: RegExp, to: string) => sdkSum(JSON.parse(JSON.stringify(document).replaceAll(from, to)))
    assert.notStrictEqual(changed(/"operationId":"students\.list"/g, "\"operationId\":\"students.all\""), sum)
    assert.notStrictEqual(changed(/"has_password":/g, "\"password_set\":"), sum)
    assert.notStrictEqual(changed(/"already_member"/g, "\"member_already\""), sum)
    assert.notStrictEqual(changed(/"Names the student, in this club alone"/g, "\"Names somebody\""), sum)
    assert.strictEqual(changed(/bia\.lima@example\.com/g, "caio@example.com"), sum)
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
