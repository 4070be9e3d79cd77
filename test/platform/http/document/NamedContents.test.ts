import { assert, describe, it } from "@effect/vitest"
import { withNamedContents } from "../../../../src/platform/http/document/NamedContents.ts"

const event = { type: "object", properties: { number: { type: "integer" } }, required: ["number"] }

const streamOf = (contentSchema: object) => ({
  type: "object",
  properties: { data: { type: "string", contentMediaType: "application/json", contentSchema, examples: ["{}"] } }
})

describe("contents of texts", () => {
  it("are the component that they are written as", () => {
    const { Stream } = withNamedContents({ Event: { ...event, description: "An event" }, Stream: streamOf(event) })
    assert.deepStrictEqual(Stream, {
      type: "object",
      properties: {
        data: {
          type: "string",
          contentMediaType: "application/json",
          contentSchema: { $ref: "#/components/schemas/Event" }
        }
      }
    })
  })

  it("stay written out where they are no component", () => {
    const other = streamOf({ type: "object", properties: { cursor: { type: "string" } } })
    const words = streamOf({ type: "string" })
    assert.deepStrictEqual(withNamedContents({ Event: event, Other: other, Words: words }), {
      Event: event,
      Other: other,
      Words: words
    })
  })
})
