import { assert, describe, it } from "@effect/vitest"
import { globSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { type PageName, pageNames } from "../../../src/browser/build/place.ts"
import { coloursOf, contrast, keepsToTokens, pairs } from "../../platform/pages/Colours.ts"

const source = new URL("../../../src/", import.meta.url)
const read = (file: string) => readFileSync(new URL(file, source), "utf8")

const tokensOf = (page: PageName) =>
  ["platform/pages/style/tokens.css", "browser/style/tokens.css", `${page}/style/tokens.css`].map(read).join("\n")

/** Pairs that only pages in a browser have. A badge shows its text in the colour of its state. */
const further = [
  ["on-bad", "bad", 4.5],
  ["good", "good-soft", 4.5],
  ["bad", "bad-soft", 4.5],
  ["waiting", "waiting-soft", 4.5],
  ["ink", "waiting-soft", 4.5],
  ["accent", "waiting-soft", 4.5],
  ["ink-soft", "accent-soft", 4.5],
  ["waiting", "surface", 3]
] as const

const themes = pageNames.flatMap((page) => [[page, "light"], [page, "dark"]] as const)

describe.each(themes)("The %s's %s theme", (page, theme) => {
  const colours = coloursOf(tokensOf(page), theme)

  it.each([...pairs, ...further])("shows %s on %s with a contrast of %d at least", (text, ground, least) => {
    assert.isAtLeast(contrast(colours[text], colours[ground]), least)
  })
})

describe.each(pageNames)("The %s's style sheets", (page) => {
  it("take their colours from the tokens, which have one for each theme, name none that is not there, and load nothing", () => {
    const own = globSync(["browser/style/*.css", `${page}/style/*.css`], { cwd: fileURLToPath(source) })
      .filter((file) => !file.endsWith("/tokens.css"))
    assert.isAbove(own.length, 0)
    keepsToTokens(tokensOf(page), ["platform/pages/style/base.css", ...own].map(read).join("\n"))
  })
})
