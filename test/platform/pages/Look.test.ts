import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"

const tokens = readFileSync(new URL("../../../src/platform/pages/style/tokens.css", import.meta.url), "utf8")
const base = readFileSync(new URL("../../../src/platform/pages/style/base.css", import.meta.url), "utf8")

/** The colours of a theme, by name. */
const coloursOf = (css: string) =>
  Object
    .fromEntries([...css.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name = "", value = ""]) => [name, value]))

const light = coloursOf(tokens.slice(0, tokens.indexOf("prefers-color-scheme: dark")))
const dark = coloursOf(tokens.slice(tokens.indexOf("prefers-color-scheme: dark")))

/** Relative luminance (WCAG 2.2). */
const luminance = (colour: string) => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const contrast = (one: string, other: string) => {
  const [dimmer = 0, brighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (brighter + 0.05) / (dimmer + 0.05)
}

/** What is read on what, and the lines of what is operated, with what WCAG 2.2 AA asks for. */
const pairs = [
  ...["paper", "surface", "sunken"].flatMap((ground) =>
    ["ink", "ink-soft", "accent", "accent-strong"].map((text) => [text, ground, 4.5] as const)
  ),
  ["on-accent", "accent", 4.5],
  ["on-accent", "accent-strong", 4.5],
  ["bad", "surface", 4.5],
  ["bad", "paper", 4.5],
  ["ink", "accent-soft", 4.5],
  ["ink", "good-soft", 4.5],
  ["ink", "bad-soft", 4.5],
  ["accent", "accent-soft", 4.5],
  ["accent", "good-soft", 4.5],
  ["accent", "bad-soft", 4.5],
  ["control-line", "surface", 3],
  ["control-line", "paper", 3],
  ["good", "good-soft", 3],
  ["bad", "bad-soft", 3]
] as const

describe.each([["light", light], ["dark", dark]] as const)("The %s theme", (_, colours) => {
  it.each(pairs)("shows %s on %s with a contrast of %d at least", (text, ground, least) => {
    assert.isAtLeast(contrast(colours[text] ?? "", colours[ground] ?? ""), least)
  })
})

describe("The style sheet", () => {
  it("has the same colours in both themes", () => {
    assert.deepStrictEqual(Object.keys(light), Object.keys(dark))
  })

  it("takes its colours from the tokens, names none that is not there, and loads nothing", () => {
    assert.notMatch(base, /#[0-9a-f]{3,8}\b|\brgb|\bhsl/i)
    const named = new Set([...`${base}${tokens}`.matchAll(/var\((--[\w-]+)\)/g)].map(([, name = ""]) => name))
    assert.deepStrictEqual([...named].filter((name) => !tokens.includes(`${name}:`)), [])
    assert.notMatch(`${base}${tokens}`, /url\(|@import/)
  })
})
