import { assert, describe, it } from "@effect/vitest"
import { drawCurves } from "./Curve.ts"

const samples = [{ day: 0, value: 100 }, { day: 1, value: 50 }, { day: 2, value: 200 }]

describe("Curves", () => {
  it("begin at zero and end at the highest value, over all days", () => {
    const [points] = /(?<=points=")[^"]+/.exec(drawCurves([{ name: "API", unit: "MB", samples }])) ?? []
    assert.strictEqual(points, "56.0,69.0 231.0,90.5 406.0,26.0")
  })

  it("stand two in a row, each with its name and unit", () => {
    const svg = drawCurves(["a & b", "<c>", "d"].map((name) => ({ name, unit: "MB", samples })))
    assert.deepStrictEqual([...svg.matchAll(/translate\(([^)]+)\)/g)].map(([, place]) => place), [
      "0 0",
      "420 0",
      "0 130"
    ])
    assert.include(svg, ">a &amp; b</text>")
    assert.include(svg, ">&lt;c></text>")
    assert.strictEqual(svg.match(/>200 MB</g)?.length, 3)
    assert.match(svg, /viewBox="0 0 840 260"/)
  })
})
