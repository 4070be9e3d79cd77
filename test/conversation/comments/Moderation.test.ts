import { assert, describe, it } from "@effect/vitest"
import { hasManyLinks } from "../../../src/conversation/comments/Moderation.ts"

const links = (count: number) => Array.from({ length: count }, (_, i) => `https://a.example/${i}`)

describe("Links", () => {
  it.each([
    ["nothing here", 0],
    ["https://a.example", 1],
    ["https://www.a.example and www.b.example", 2],
    ["HTTP://A.example, http://b.example http://c.example", 3],
    ["awww. that is nice", 0]
  ])("in %j are %i", (text, count) => {
    // With other links, these make more than three.
    assert.isFalse(hasManyLinks([text, ...links(3 - count)].join(" ")))
    assert.isTrue(hasManyLinks([text, ...links(4 - count)].join(" ")))
  })

  it.each([[3, false], [4, true]] as const)("%i make words wait: %s", (count, waits) => {
    assert.strictEqual(hasManyLinks(links(count).join(" ")), waits)
  })
})
