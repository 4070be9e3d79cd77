import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import {
  type AccentColors,
  contrast,
  faceColors,
  grounds,
  leastContrast
} from "../../../src/membership/clubs/Accent.ts"

const Byte = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 255 }))
const AnyColor = Schema.Tuple([Byte, Byte, Byte])

const hexOf = (bytes: typeof AnyColor.Type) => `#${bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("")}`

/** The least contrast of letters and their grounds in a theme. */
const leastOf = ({ accent, accent_soft, accent_strong, on_accent }: AccentColors, on: ReadonlyArray<string>) =>
  Math.min(...[accent, accent_strong].flatMap((color) =>
    [...on, accent_soft, on_accent].map((other) =>
      contrast(color, other)
    )
  ))

describe("The colours of a face", () => {
  it.prop("can be read in both themes, whatever the accent", [AnyColor], ([bytes]) => {
    const { dark, light } = faceColors(hexOf(bytes))
    assert.isAtLeast(leastOf(light, grounds.light), leastContrast)
    assert.isAtLeast(leastOf(dark, grounds.dark), leastContrast)
  })

  it.prop("show another accent under a pointer", [AnyColor], ([bytes]) => {
    const { dark, light } = faceColors(hexOf(bytes))
    for (const { accent, accent_strong } of [dark, light]) assert.isAbove(contrast(accent, accent_strong), 1.1)
  })

  it("keep an accent that can be read, and move any other no further than needed", () => {
    assert.strictEqual(faceColors("#1d4ed8").light.accent, "#1d4ed8")
    assert.strictEqual(faceColors("#9db8ff").dark.accent, "#9db8ff")
    const { accent, accent_soft } = faceColors("#ffb000").light
    const least = Math.min(...[...grounds.light, accent_soft].map((ground) => contrast(accent, ground)))
    assert.isBelow(least, leastContrast + 0.2)
  })

  it("are right where WCAG gives the contrast", () => {
    assert.strictEqual(contrast("#000000", "#ffffff"), 21)
    assert.closeTo(contrast("#777777", "#ffffff"), 4.48, 0.005)
  })

  it("stand on the grounds that the pages have", () => {
    const sheet = readFileSync(
      join(import.meta.dirname, "../../../src/platform/pages/style/tokens.css"),
      "utf8"
    )
    const found = ["paper", "surface", "sunken"].map((name) =>
      new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(sheet)
    )
    assert.deepStrictEqual<unknown>(found.map((pair) => pair?.[1]), grounds.light)
    assert.deepStrictEqual<unknown>(found.map((pair) => pair?.[2]), grounds.dark)
  })
})
