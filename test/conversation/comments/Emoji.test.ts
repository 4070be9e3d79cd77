import { assert, describe, it } from "@effect/vitest"
import { Option, Schema } from "effect"
import { emojiOf } from "../../../src/conversation/comments/Emoji.ts"

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" })

describe("An emoji", () => {
  it.each(["👍", "❤️", "🇧🇷", "👩‍👩‍👧‍👦", "👍🏽", "1️⃣", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "👩🏻‍❤️‍💋‍👩🏾"])("is %s", (emoji) => {
    assert.deepStrictEqual(emojiOf(emoji), Option.some(emoji))
    assert.isAtMost([...emoji].length, 16)
  })

  it.each(["", "a", "1", "👍👍", "👍a", " 👍", "🇧", "\u200D", "👍\u0000", "✌🏽👍"])("is not %j", (text) => {
    assert.deepStrictEqual(emojiOf(text), Option.none())
  })

  it("is the same with and without the request for colour", () => {
    assert.deepStrictEqual(emojiOf("\u2764"), Option.some("\u2764\uFE0F"))
  })

  it.prop("is always one grapheme", [Schema.String], ([text]) => {
    const emoji = emojiOf(text)
    if (Option.isSome(emoji)) assert.lengthOf([...graphemes.segment(emoji.value)], 1)
    else assert.isFalse(/^\p{RGI_Emoji}$/v.test(text))
  })
})
