import { assert, describe, it } from "@effect/vitest"
import { type Crowded, diskRules, slowUploads } from "./CrowdedDisk.ts"
import { conclusionOf, verdictOf } from "./Rules.ts"

const crowded: Crowded = {
  unmounted: undefined,
  stored: 11,
  refused: 3,
  lost: [],
  disturbed: [],
  strange: [],
  left: 0,
  ended: slowUploads
}
const untried: Crowded = { ...crowded, unmounted: "this machine mounts no tmpfs", stored: 0, refused: 0 }

const wordsOf = (of: Crowded) => diskRules(of).map((rule) => verdictOf(rule).split("  ")[0])

describe("A rule of chaos", () => {
  it("is kept where it was tried and nothing broke it", () => {
    assert.deepStrictEqual(wordsOf(crowded), ["yes", "yes", "yes", "yes", "yes"])
    assert.deepStrictEqual(conclusionOf(diskRules(crowded)), { broken: 0, text: "All 5 rules held" })
  })

  it("is not kept where it was not tried, which the end names", () => {
    assert.deepStrictEqual(wordsOf(untried), ["not tried", "not tried", "yes", "yes", "yes"])
    const { broken, text } = conclusionOf(diskRules(untried))
    assert.strictEqual(broken, 0)
    assert.strictEqual(
      text,
      "All 3 rules held; NOT TRIED: \"What was stored on the disk is there as a whole\", " +
        "\"A full disk answers 507, and takes uploads again when there is room\""
    )
  })

  it("is broken by what is named, and by a disk that was there and never full", () => {
    assert.deepStrictEqual(wordsOf({ ...crowded, lost: ["a", "b"] }), ["NO (2)", "yes", "yes", "yes", "yes"])
    assert.deepStrictEqual(wordsOf({ ...crowded, refused: 0 }), ["yes", "NO (1)", "yes", "yes", "yes"])
    const { broken, text } = conclusionOf(diskRules({ ...untried, left: 1 }))
    assert.strictEqual(broken, 1)
    assert.match(text, /^1 rules are broken; NOT TRIED: /)
  })
})
