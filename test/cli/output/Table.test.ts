import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { CliOutput } from "effect/cli"
import { harmless, harmlessJson, harmlessLine } from "../../../src/cli/output/Harmless.ts"
import { fitted, makeTable, separated } from "../../../src/cli/output/Table.ts"

const obeyed = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/u

type Row = readonly [string, string]

const columns = [
  { title: "NAME", value: ([name]: Row) => name },
  { title: "NOTE", value: ([, note]: Row) => note }
]

describe("Text that somebody entered", () => {
  it.prop("has nothing in it that a terminal obeys", [Schema.String], ([text]) => {
    const evil = `${text}\u001b]0;\u0007\u009b2J\u2028\u202e`
    assert.notMatch(harmless(evil).replaceAll("\n", ""), obeyed)
    assert.notMatch(harmlessLine(evil), obeyed)
  })

  it.prop("is the same text in JSON", [Schema.String], ([text]) => {
    const evil = `${text}\u009b\u2028\u202e`
    const json = harmlessJson(JSON.stringify({ evil }))
    assert.notMatch(json, obeyed)
    assert.deepStrictEqual(JSON.parse(json), { evil })
  })

  it("keeps what people write", () => {
    assert.strictEqual(harmlessLine("Zoë 👩‍🚀 日本 עברית"), "Zoë 👩‍🚀 日本 עברית")
  })
})

describe("A table", () => {
  it("aligns by what a terminal shows", () => {
    const rows: ReadonlyArray<Row> = [["日本", "a"], ["Zoë", "b"], ["👩‍🚀", "c"]]
    const table = makeTable(columns, { width: 0, colour: false })
    assert.strictEqual(table.head(rows) + table.body(rows), "NAME  NOTE\n日本  a\nZoë   b\n👩‍🚀    c\n")
  })

  it.prop("is never wider than the terminal", [Schema.String, Schema.String], ([name, note]) => {
    const rows: ReadonlyArray<Row> = [[name, note], ["日本".repeat(30), "x".repeat(90)]]
    const table = makeTable(columns, { width: 40, colour: false })
    for (const line of (table.head(rows) + table.body(rows)).split("\n")) {
      assert.isAtMost(CliOutput.displayWidth(line), 40)
    }
  })

  it("has an ellipsis where a text is cut, between characters", () => {
    assert.strictEqual(fitted("日本語", 5), "日本…")
    assert.strictEqual(fitted("日本語", 6), "日本語")
    assert.strictEqual(fitted("👩‍🚀👩‍🚀", 3), "👩‍🚀…")
    assert.strictEqual(fitted("a", 0), "")
  })

  it("is lines of cells between tabs for programs, whatever is in the cells", () => {
    assert.strictEqual(separated(columns, [["a\tb", "c\nd"]]), "a b\tc d\n")
  })
})
