import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { patternOf } from "../../../src/browser/parts/patterns.ts"

describe("The pattern of a title", () => {
  it.prop("is the same each time, and has something to see", [Schema.String], ([title]) => {
    const pattern = patternOf(title)
    assert.deepStrictEqual(patternOf(title), pattern)
    assert.isAbove(pattern.ways.length + pattern.marks.length, 0)
    for (const { r, x, y } of pattern.marks) assert.isTrue([r, x, y].every(Number.isFinite))
    for (const way of pattern.ways) assert.notMatch(way, /NaN|Infinity/)
  })

  it("differs between titles", () => {
    const titles = ["Primeiro sopro", "Ler partituras", "Violão do Zero", "Harmonia", "Improviso"]
    assert.strictEqual(new Set(titles.map((title) => JSON.stringify(patternOf(title)))).size, titles.length)
  })
})
