import { assert, describe, it } from "@effect/vitest"
import { Option, Schema } from "effect"
import { emojiOf } from "../../../src/conversation/comments/Emoji.ts"
import { hasManyLinks, linksIn } from "../../../src/conversation/comments/Moderation.ts"

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

describe("Links", () => {
  it.each([
    ["nothing here", 0],
    ["https://a.example", 1],
    ["https://www.a.example and www.b.example", 2],
    ["HTTP://A.example, http://b.example http://c.example", 3],
    ["awww. that is nice", 0]
  ])("in %j are %i", (text, count) => {
    assert.strictEqual(linksIn(text), count)
  })

  it.each([[3, false], [4, true]] as const)("%i make words wait: %s", (count, waits) => {
    assert.strictEqual(hasManyLinks(Array.from({ length: count }, (_, i) => `https://a.example/${i}`).join(" ")), waits)
  })
})
