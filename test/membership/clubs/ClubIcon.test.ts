import { assert, describe, it } from "@effect/vitest"
import { clubIcon } from "../../../src/membership/clubs/ClubIcon.ts"

const letterOf = (name: string) => />([^<]*)<\/text>/.exec(clubIcon(name, null))?.[1]

describe("A club's icon", () => {
  it.each([
    ["Flauta Fácil", "F"],
    ["  élan", "É"],
    ["«Choro»", "C"],
    ["42 acordes", "4"],
    ["e\u0301tude", "E\u0301"],
    ["学校", "学"],
    ["\u{1f3b8}", "\u{1f3b8}"],
    ["<&>", "&lt;"],
    ["&", "&amp;"]
  ])("of %s shows %s", (name, letter) => {
    assert.strictEqual(letterOf(name), letter)
  })

  it("is in the club's accent, or in our colour", () => {
    assert.include(clubIcon("A", "#7a1f5c"), "fill=\"#7a1f5c\"")
    assert.include(clubIcon("A", null), "fill=\"#1d4ed8\"")
  })
})
