import { assert, describe, it } from "@effect/vitest"
import { withSharedExamples } from "../../../../src/platform/http/document/SharedExamples.ts"

const long = { data: { title: "Uma respiração por vez".repeat(8) } }
const other = { data: { title: "Respirar sem levantar os ombros".repeat(6) } }
const short = { data: { title: "Respirar" } }

const content = (media: object) => ({ content: { "application/json": media } })
const answers = (operationId: string, example: unknown) => ({
  operationId,
  responses: { 200: content({ schema: true, example }) }
})

/** The written paths and components. */
const told = (...operations: ReadonlyArray<Parameters<typeof withSharedExamples>[0][string][string]>) => {
  const paths = Object.fromEntries(operations.map((one, index) => [`/${index}`, { get: one }]))
  const { examples, paths: written } = withSharedExamples(paths)
  return { examples, operations: Object.values(written).map(({ get }) => get) }
}

const reference = (name: string) =>
  content({ schema: true, examples: { [name]: { $ref: `#/components/examples/${name}` } } })

describe("An example that several operations show", () => {
  it("is told once, under the name of the first of them", () => {
    const { examples, operations } = told(answers("things.get", long), answers("things.change", long))
    assert.deepStrictEqual(examples, { "things.get": { value: long } })
    assert.deepStrictEqual(operations.map((one) => one?.responses), [
      { 200: reference("things.get") },
      { 200: reference("things.get") }
    ])
  })

  it("stays where it is if it is one operation's, or shorter than a reference to it", () => {
    const all = [answers("things.get", long), answers("things.change", other), answers("a", short), answers("b", short)]
    assert.deepStrictEqual<unknown>(told(...all), { examples: {}, operations: all })
  })

  it("is that of a request too, and names both apart where one operation has both", () => {
    const both = (operationId: string) => ({
      ...answers(operationId, long),
      requestBody: content({ schema: true, example: other })
    })
    const { examples, operations } = told(both("things.create"), both("things.add"))
    assert.deepStrictEqual(examples, { "things.create.request": { value: other }, "things.create": { value: long } })
    assert.deepStrictEqual(operations[1]?.requestBody, reference("things.create.request"))
  })
})
