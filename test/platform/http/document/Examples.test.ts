import { assert, describe, it } from "@effect/vitest"
import { exampleId, examplesOf } from "../../../../src/platform/http/document/Examples.ts"

const text = (example: string) => ({ type: "string", examples: [example, "another"] })
const uuid = { type: "string", format: "uuid" }
const object = (properties: Record<string, unknown>) => ({ type: "object", properties })
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

const shown = (schema: unknown, { components = {}, name = "", thing = "" }: {
  readonly components?: Record<string, unknown>
  readonly name?: string
  readonly thing?: string
} = {}) => examplesOf(components)(schema, name, thing)

describe("The example of a schema", () => {
  it.each([
    ["its own, before all else", { enum: ["a"], const: "a", examples: ["b", "c"] }, "b"],
    ["none of its own, where there are none", { type: "boolean", examples: [] }, true],
    ["the only value that there is", { const: 0, enum: [1] }, 0],
    ["the first of several", { enum: ["a", "b"] }, "a"],
    ["the day of all examples", { type: "string", format: "date" }, "2026-04-01"],
    ["the moment of all examples", { type: "string", format: "date-time" }, "2026-04-01T09:30:00.000Z"],
    ["true", { type: "boolean" }, true],
    ["null, where there is nothing else", { type: "null" }, null],
    ["of the first that has one, of several schemas", { anyOf: [{ type: "string" }, { type: "null" }] }, null],
    ["of the first that has one, of one of several", { oneOf: [{ type: "string" }, text("a")] }, "a"],
    ["of the first part that has one", { allOf: [{ minLength: 1 }, text("a")] }, "a"],
    ["made of its fields'", object({ a: text("1"), b: object({ c: text("2") }) }), { a: "1", b: { c: "2" } }],
    ["without the fields that have none", object({ a: { type: "string" }, b: true, c: text("1") }), { c: "1" }],
    ["one of what a list holds", { type: "array", items: text("a") }, ["a"]],
    ["as many as a list must hold", { type: "array", items: text("a"), minItems: 3 }, ["a", "a", "a"]],
    ["none of what a list holds that has none", { type: "array", items: { type: "string" } }, []],
    ["of each item, where each is its own", { type: "array", prefixItems: [text("a"), { type: "string" }] }, [
      "a",
      null
    ]]
  ])("is %s", (_, schema, example) => assert.deepStrictEqual(shown(schema), example))

  it.each([
    ["a text", { type: "string" }],
    ["a number", { type: "integer", minimum: 1 }],
    ["an object of any fields", { type: "object" }],
    ["no schema", true]
  ])("is none for %s", (_, schema) => assert.isUndefined(shown(schema)))

  it("is that of the component that it refers to, unless it has its own", () => {
    const components = { Course: object({ title: text("Violão") }) }
    assert.deepStrictEqual(shown(ref("Course"), { components }), { title: "Violão" })
    assert.deepStrictEqual(shown({ ...ref("Course"), examples: [{ title: "Canto" }] }, { components }), {
      title: "Canto"
    })
    assert.isUndefined(shown(ref("Nothing"), { components }))
  })

  it("ends where something holds more of itself", () => {
    const components = { Module: object({ title: text("Um"), modules: { type: "array", items: ref("Module") } }) }
    assert.deepStrictEqual(shown(ref("Module"), { components }), { title: "Um", modules: [] })
    const twice = object({ one: ref("Module"), other: ref("Module") })
    assert.deepStrictEqual(shown(twice, { components }), {
      one: { title: "Um", modules: [] },
      other: { title: "Um", modules: [] }
    })
  })
})

describe("The example of an id", () => {
  it("is the same wherever it is of the same thing, whatever it is called", () => {
    const student = exampleId("student")
    const components = { Student: object({ id: uuid }), StudentDetail: object({ id: uuid }) }
    assert.strictEqual(shown(uuid, { name: "studentId" }), student)
    assert.strictEqual(shown(uuid, { name: "student_id" }), student)
    assert.strictEqual(shown(uuid, { name: "id", thing: "students" }), student)
    assert.deepStrictEqual(shown({ type: "array", items: uuid }, { name: "student_ids" }), [student])
    assert.deepStrictEqual(shown(ref("Student"), { components }), { id: student })
    assert.deepStrictEqual(shown(ref("StudentDetail"), { components }), { id: student })
    assert.deepStrictEqual(shown(object({ student: object({ id: uuid }) })), { student: { id: student } })
    assert.deepStrictEqual(shown(object({ students: { type: "array", items: object({ id: uuid }) } })), {
      students: [{ id: student }]
    })
    assert.deepStrictEqual(shown(object({ data: object({ id: uuid }) }), { thing: "students" }), {
      data: { id: student }
    })
    assert.strictEqual(shown(uuid, { name: "assignee_user_id" }), shown(uuid, { name: "user_id" }))
    assert.strictEqual(shown(uuid, { name: "deliveryId" }), shown(uuid, { name: "id", thing: "deliveries" }))
  })

  it("is another for another thing", () => {
    const things = ["club", "student", "user", "course", "lesson", "delivery", "cohort", "event", "endpoint"]
    assert.strictEqual(new Set(things.map(exampleId)).size, things.length)
  })

  it("is a UUID of version 7, and the random one of a club", () => {
    assert.match(exampleId("student"), /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    assert.strictEqual(shown(uuid, { name: "clubId" }), "6f0c1f1e-4b0a-4c6e-9d53-2f1f9b6a7e10")
    assert.strictEqual(shown(uuid, { name: "organization_id" }), exampleId("club"))
  })
})
