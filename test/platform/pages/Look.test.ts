import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { coloursOf, contrast, keepsToTokens, pairs } from "./Colours.ts"

const read = (file: string) =>
  readFileSync(new URL(`../../../src/platform/pages/style/${file}`, import.meta.url), "utf8")

const tokens = read("tokens.css")

describe.each(["light", "dark"] as const)("The %s theme", (theme) => {
  const colours = coloursOf(tokens, theme)

  it.each(pairs)("shows %s on %s with a contrast of %d at least", (text, ground, least) => {
    assert.isAtLeast(contrast(colours[text], colours[ground]), least)
  })
})

describe("The style sheet", () => {
  it("takes its colours from the tokens, which have one for each theme, names none that is not there, and loads nothing", () => {
    keepsToTokens(tokens, `${read("base.css")}${read("pages.css")}`)
  })
})
