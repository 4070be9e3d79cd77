import { assert, describe, it } from "@effect/vitest"
import { fieldText, typeText } from "../../../src/cli/sdk/TypeText.ts"
import type { JsonSchema } from "../../../src/operations/documentation/ApiDocument.ts"

describe("The type of a schema", () => {
  it.each<[JsonSchema, string]>([
    [{ type: "string", format: "uuid" }, "string"],
    [{ type: "integer", minimum: 1 }, "number"],
    [{ enum: ["a", "b"] }, `"a" | "b"`],
    [{ const: "a" }, `"a"`],
    [{ type: "boolean", enum: [true] }, "true"],
    [{ anyOf: [{ type: "string" }, { type: "null" }] }, "string | null"],
    [{ anyOf: [{ enum: ["a", "b"] }, { type: "null" }] }, `("a" | "b") | null`],
    [{ type: "array", items: { enum: ["a", "b"] } }, `("a" | "b")[]`],
    [{ type: "array", prefixItems: [{ type: "string" }, { type: "number" }] }, "[string, number]"],
    [
      { type: "array", prefixItems: [{ type: "string" }], minItems: 1, items: { enum: ["a", "b"] } },
      `[string, ...("a" | "b")[]]`
    ],
    [{ $ref: "#/components/schemas/Student", description: "Who it is" }, `Schemas["Student"]`],
    [{ type: "string", contentSchema: { type: "number" } }, "number"],
    [{ type: "object" }, "Record<string, never>"],
    [{ type: "object", additionalProperties: { type: "string" } }, "{\n  [key: string]: string\n}"],
    [
      { type: "object", properties: { id: { type: "string" }, "a-b": { type: "number" } }, required: ["id"] },
      `{\n  id: string\n  "a-b"?: number\n}`
    ],
    [{ description: "Whatever was sent", examples: [1] }, "unknown"]
  ])("of %j is %s", (schema, type) => {
    assert.strictEqual(typeText(schema, ""), type)
  })

  it("is refused where a keyword is not known, rather than left open", () => {
    assert.throws(() => typeText({ oneOf: [{ type: "string" }] }, ""), "There is no type for a schema with oneOf")
  })

  it("stands below its description, which ends no comment", () => {
    const schema = { type: "string", description: "Every */ path", format: "uri" }
    assert.strictEqual(
      fieldText("path", schema, false, "  "),
      "  /**\n   * Every *\\/ path\n   *\n   * Format: uri\n   */\n  path?: string\n"
    )
    assert.strictEqual(
      fieldText("2XX", { type: "null", description: "Nothing" }, true, ""),
      `/** Nothing */\n"2XX": null\n`
    )
  })
})
