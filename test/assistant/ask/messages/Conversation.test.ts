import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { titleOf } from "../../../../src/assistant/ask/messages/Conversation.ts"

describe("A title", () => {
  it.each([
    ["Como toco?", "Como toco?"],
    ["  Como\n\ttoco? ", "Como toco?"],
    [`${"palavra ".repeat(20)}`, "palavra ".repeat(15).trim()],
    ["a".repeat(121), "a".repeat(120)]
  ])("%#", (content, title) => {
    assert.strictEqual(titleOf(content), title)
  })

  it.prop("has 1 to 120 characters", [Schema.String.check(Schema.isPattern(/\S/))], ([content]) => {
    const { length } = Array.from(titleOf(content.toWellFormed()))
    assert.isTrue(length >= 1 && length <= 120)
  })
})
