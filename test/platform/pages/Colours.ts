import { assert } from "@effect/vitest"

/** The colours of a theme by name, from sheets in their order: a later sheet overrides an earlier one. */
export const coloursOf = (css: string, theme: "light" | "dark"): Readonly<Record<string, string>> =>
  Object.fromEntries([...css.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/g)]
    .map(([, name = "", light = "", dark = ""]) => [name, theme === "light" ? light : dark]))

/** Relative luminance (WCAG 2.2). */
const luminance = (colour: string) => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** The contrast of two colours (WCAG 2.2), from 1 to 21; not a number if a colour is missing. */
export const contrast = (one = "", other = ""): number => {
  const [dimmer = 0, brighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (brighter + 0.05) / (dimmer + 0.05)
}

/** Text or line, its ground, and the contrast that WCAG 2.2 AA asks for. */
export const pairs = [
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

/** Checks that sheets use only colours that each theme has and tokens that exist, and that they load nothing. */
export const keepsToTokens = (tokens: string, sheets: string): void => {
  const bare = tokens.replaceAll(/light-dark\((?:[^()]|\([^()]*\))*\)/g, "")
  for (const text of [bare, sheets]) assert.notMatch(text, /#[0-9a-f]{3,8}\b|\brgb|\bhsl/i)
  const named = new Set([...`${sheets}${tokens}`.matchAll(/var\((--[\w-]+)\)/g)].map(([, name = ""]) => name))
  assert.deepStrictEqual([...named].filter((name) => !tokens.includes(`${name}:`)), [])
  assert.notMatch(`${sheets}${tokens}`, /url\(|@import/)
}
