import { assert, describe, it } from "@effect/vitest"
import { parseGuide, readGuides } from "../../src/operations/documentation/GuideFiles.ts"

describe("every guide", () => {
  it("says its title, which is its heading, its place, for whom it is and what it tells", () => {
    for (const { audience, name, order, summary, text, title } of readGuides()) {
      assert.match(text, new RegExp(`^# ${title}\n`), name)
      assert.isAbove(order, 0, name)
      assert.match(audience, /^(?:everybody|people who )/, name)
      assert.notMatch(summary, /[.`]$|^[A-Z](?![A-Z]|otmart)/, name)
    }
  })

  it("has a place of its own", () => {
    const orders = readGuides().map(({ order }) => order)
    assert.strictEqual(new Set(orders).size, orders.length)
  })

  it.each([
    ["no front matter", "# Title\n"],
    ["no order", "---\ntitle: A\naudience: b\nsummary: c\n---\n\n# A\n"],
    ["an empty summary", "---\ntitle: A\norder: 1\naudience: b\nsummary:\n---\n\n# A\n"]
  ])("is refused with %s", (_, text) => {
    assert.throws(() => parseGuide("a", text), /does not say its/)
  })
})
