import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { initialReaderState, readNext, readRest } from "../../../../src/assistant/providers/model/AnswerReader.ts"
import type { AnswerPiece } from "../../../../src/assistant/providers/model/QuoteMarkers.ts"

/** The shown text and citations of an answer that came in these parts, with neighboring texts joined. */
const shown = (...said: ReadonlyArray<string>): ReadonlyArray<string | readonly [number, string]> => {
  let reading = initialReaderState
  const pieces: Array<AnswerPiece> = []
  for (const part of said) {
    const [next, more] = readNext(reading, part)
    reading = next
    pieces.push(...more)
  }
  return joined([...pieces, ...readRest(reading)])
}

const joined = (pieces: ReadonlyArray<AnswerPiece>) => {
  const all: Array<string | readonly [number, string]> = []
  for (const piece of pieces) {
    const last = all.at(-1)
    if (piece._tag === "Quote") all.push([piece.quote.passage, piece.quote.text])
    else if (typeof last === "string") all[all.length - 1] = last + piece.text
    else all.push(piece.text)
  }
  return all
}

const Said = Arbitrary.schema(Schema.Array(Schema.Union([
  Schema.Literals([
    "[[1|",
    "[[12|lenta reduz]]",
    "[[",
    "]]",
    "[",
    "]",
    "|",
    "3",
    " ",
    "\n",
    " ".repeat(20),
    "palavra",
    "<b",
    "<",
    "!",
    "](",
    "https://x.y/z",
    ")",
    "www.",
    ":",
    "x".repeat(1100)
  ]),
  Schema.String
])))

const Cuts = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 400 })))

describe("an answer being read", () => {
  it("shows a quote after the word it was put behind, without its marker", () => {
    assert.deepStrictEqual(shown("Ela acalma [[1|reduz a ansiedade]]. E mais."), [
      "Ela acalma. ",
      [1, "reduz a ansiedade"],
      "E mais."
    ])
  })

  it("shows two quotes in a row", () => {
    assert.deepStrictEqual(shown("Sim [[1|um só]] [[2|dois já]]\nFim"), ["Sim\n", [1, "um só"], [2, "dois já"], "Fim"])
  })

  it.each(["[[nota]]", "lista[[0]]", "[[1234|x]]", "a [ b", "fim ["])("leaves %s, which is no marker", (text) => {
    assert.deepStrictEqual(shown(text), [text])
  })

  it("shows nothing of a marker that never ends", () => {
    assert.deepStrictEqual(shown("Ela acalma [[1|reduz a"), ["Ela acalma"])
  })

  it("makes no quote of a whole page, and goes on after it", () => {
    const [text, ...others] = shown(`Antes [[1|${"x".repeat(1001)}]] depois`)
    assert.deepStrictEqual(others, [])
    assert.match(String(text), /^Antes.*depois$/)
  })

  it("lets no marker bring together what is dangerous", () => {
    assert.deepStrictEqual(shown("a <[[1|lenta reduz]]script> b"), ["a script> ", [1, "lenta reduz"], "b"])
  })

  // As long as an answer may be. A reader that repeats all words with each part would take a day.
  it.each([" ", "\t", "\n"])("takes a long run of white space as it comes: %j", (blank) => {
    const parts = Array.from({ length: 40_000 }, () => blank.repeat(8))
    assert.deepStrictEqual(shown("a", ...parts, "[[1|reduz a ansiedade]] b"), [
      `a${blank.repeat(blank === "\n" ? 320_000 : 320_000 - 16)}`,
      [1, "reduz a ansiedade"],
      " b"
    ])
  })

  it.prop("is the same however it is cut", [Said, Cuts], ([said, cuts]) => {
    const whole = said.join("")
    const places = [...new Set(cuts.filter((cut) => cut < whole.length))].toSorted((one, other) => one - other)
    const parts = [0, ...places].map((start, index) => whole.slice(start, places[index] ?? whole.length))
    assert.deepStrictEqual(shown(...parts), shown(whole))
  })

  it.prop("is the same letter by letter", [Said], ([said]) => {
    const whole = said.join("")
    assert.deepStrictEqual(shown(...whole.split("")), shown(whole))
  })

  it.prop("shows no marker", [Said], ([said]) => {
    for (const piece of shown(said.join(""))) {
      if (typeof piece === "string") assert.notMatch(piece, /\[\[\d{1,3}\|[^]{0,1000}\]\]/)
    }
  })
})
