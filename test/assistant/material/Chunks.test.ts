import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as Chunks from "../../../src/assistant/material/Chunks.ts"

const chunksOf = (text: string) => [...Chunks.chunksOf(text)]

// Words, punctuation, line ends, letters of two UTF-16 units, and runs longer than a chunk.
const pieces = ["a", "ção", "word", ".", "? ", " ", "\n", "\n\n", "🎸", "e\u0301", "x".repeat(300), "y".repeat(2500)]
const Text = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: pieces.length - 1 })))
const textOf = (chosen: ReadonlyArray<number>) =>
  chosen.flatMap((one) => [pieces[one] ?? "", ...Array.from({ length: one * 7 }, () => "and then ")]).join("")

const sentences = (count: number) =>
  Array.from({ length: count }, (_, n) => `This is sentence ${n} of the text.`).join(" ")

describe("Chunks of a text", () => {
  it.prop("are the text when they are joined", [Text], ([chosen]) => {
    const text = textOf(chosen)
    assert.strictEqual(chunksOf(text).join(""), text)
  })

  it.prop("are none empty, and none longer than the database takes", [Text], ([chosen]) => {
    for (const chunk of chunksOf(textOf(chosen))) assert.isTrue(chunk.length > 0 && chunk.length <= 4000)
  })

  it.prop("end between words, unless a run of 4000 characters has no white space", [Text], ([chosen]) => {
    for (const chunk of chunksOf(textOf(chosen)).slice(0, -1)) {
      assert.isTrue(/\s$/.test(chunk) || chunk.length >= 1200, chunk.slice(-20))
      assert.isTrue(chunk.isWellFormed())
    }
  })

  it.prop("are no shorter than 800 characters where words are short", [
    Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 300 }))
  ], ([count]) => {
    const chunks = chunksOf(sentences(count))
    for (const chunk of chunks) assert.isAtMost(chunk.length, 1200)
    for (const chunk of chunks.slice(0, -1)) assert.isAtLeast(chunk.length, 800)
  })

  it("end after a sentence", () => {
    for (const chunk of chunksOf(sentences(200))) assert.match(chunk, /text\.\s*$/)
  })

  it("end after a paragraph where one ends in time", () => {
    const [first] = chunksOf(`${sentences(25)}\n\n${sentences(50)}`)
    assert.strictEqual(first, `${sentences(25)}\n\n`)
  })

  it("end before the next space where a run is longer than a chunk", () => {
    const run = "z".repeat(3000)
    assert.deepStrictEqual(chunksOf(`${run} and more words ${"w ".repeat(600)}`)[0], run)
  })

  it("cut a run that is longer than the database takes, but no letter", () => {
    const [first = ""] = chunksOf(`x${"🎸".repeat(3000)}`)
    assert.lengthOf(first, 3999)
    assert.isTrue(first.isWellFormed())
  })
})
