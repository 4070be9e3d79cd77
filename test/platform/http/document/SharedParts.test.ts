import { assert, describe, it } from "@effect/vitest"
import { shared } from "../../../../src/platform/http/document/SharedParts.ts"

const limit = { name: "limit", in: "query" }
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const success = (properties: object) => ({
  description: "Success",
  content: { "application/json": { schema: { type: "object", properties } } }
})
const failure = (...errors: ReadonlyArray<string>) => ({
  description: errors.join(" | "),
  content: {
    "application/json": { schema: { anyOf: errors.map(ref) } }
  }
})

interface Operation {
  readonly parameters: ReadonlyArray<{ readonly name: string }>
  readonly responses: Record<string, { readonly content?: unknown; readonly description?: string }>
}

interface Shared {
  readonly components: { readonly responses: unknown; readonly parameters: unknown }
  readonly operations: ReadonlyArray<{ readonly parameters: unknown; readonly responses: unknown }>
}

const operation = (parts: Partial<Operation>): Operation => ({ parameters: [], responses: {}, ...parts })

const of = (...operations: ReadonlyArray<Operation>): Shared => {
  const { components, paths } = shared(Object.fromEntries(operations.map((one, index) => [`/${index}`, { get: one }])))
  return { components, operations: Object.values(paths).flatMap((item) => Object.values(item)) }
}

describe("What several operations say alike", () => {
  it("is said once, and referred to", () => {
    const one = operation({ parameters: [limit], responses: { 404: failure("NotFound") } })
    const reference = {
      parameters: [{ $ref: "#/components/parameters/limit" }],
      responses: { 404: { $ref: "#/components/responses/NotFound" } }
    }
    assert.deepStrictEqual(of(one, one), {
      components: { responses: { NotFound: failure("NotFound") }, parameters: { limit } },
      operations: [reference, reference]
    })
  })

  it("is a component only where it is more than one operation's", () => {
    const one = operation({ parameters: [limit], responses: { 404: failure("NotFound") } })
    assert.deepStrictEqual(of(one), { components: { responses: {}, parameters: {} }, operations: [one] })
  })

  it("is called after all errors in it", () => {
    const both = operation({ responses: { 409: failure("Taken", "Gone") } })
    assert.deepStrictEqual(of(both, both).components.responses, { TakenOrGone: failure("Taken", "Gone") })
  })

  it("has another name where it is another thing of the same name", () => {
    const other = { ...limit, required: true }
    const { components, operations } =
      of(...[limit, limit, other, other].map((parameter) => operation({ parameters: [parameter] })))
    assert.deepStrictEqual(components.parameters, { limit, "limit-1": other })
    assert.deepStrictEqual(operations[2]?.parameters, operations[3]?.parameters)
    assert.deepStrictEqual(operations[3]?.parameters, [{ $ref: "#/components/parameters/limit-1" }])
  })

  it("is the answer to what was done too, called after what is in it", () => {
    const thing = success({ data: ref("Thing") })
    const things = success({ data: { type: "array", items: ref("Thing") }, next_cursor: ref("NextCursor") })
    const nameless = success({ data: { type: "object" } })
    const one = operation({ responses: { 200: thing, 201: things, 202: nameless } })
    const { components, operations } = of(one, one)
    assert.deepStrictEqual(components.responses, { ThingAnswer: thing, ThingListAnswer: things, Answer: nameless })
    assert.deepStrictEqual(operations[1]?.responses, {
      200: { $ref: "#/components/responses/ThingAnswer" },
      201: { $ref: "#/components/responses/ThingListAnswer" },
      202: { $ref: "#/components/responses/Answer" }
    })
  })

  it("is not mistaken for a failure of the same name", () => {
    const gone = success({ data: ref("Gone") })
    const one = operation({ responses: { 200: gone, 410: failure("Gone") } })
    assert.deepStrictEqual(of(one, one).components.responses, { GoneAnswer: gone, Gone: failure("Gone") })
  })

  it("is an answer without a body too, under a name that says so", () => {
    const nothing = { description: "<No Content>" }
    const unchanged = { description: "Nothing has changed" }
    const one = operation({ responses: { 204: nothing, 304: unchanged } })
    const { components, operations } = of(one, one)
    assert.deepStrictEqual(components.responses, { NoContent: nothing, NotModified: unchanged })
    assert.deepStrictEqual(operations[0]?.responses, {
      204: { $ref: "#/components/responses/NoContent" },
      304: { $ref: "#/components/responses/NotModified" }
    })
  })

  it("is counted across the methods of a path", () => {
    const one = operation({ parameters: [limit] })
    assert.deepStrictEqual(shared({ "/": { get: one, post: one } }).components.parameters, { limit })
  })

  it("is counted across requests and what is sent", () => {
    const one = operation({ parameters: [limit] })
    const { components, paths, sent } = shared({ "/": { get: one } }, { "thing.made": { post: one } })
    assert.deepStrictEqual(components.parameters, { limit })
    const reference = [{ $ref: "#/components/parameters/limit" }]
    assert.deepStrictEqual([paths["/"]?.["get"]?.parameters, sent["thing.made"]?.["post"]?.parameters], [
      reference,
      reference
    ])
  })
})
