import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import { readJson } from "../../../../src/platform/http/json/Json.ts"

/** What the engine's own parser reads; none where it reads nothing. */
const parsed = Option.liftThrowable((text: string): unknown => JSON.parse(text))

/** Enough values to be read in slices, in front of what is to be read. */
const many = "0,".repeat(20_001)

/** The end of a slice is somewhere else in it each time. */
const places = ["", "   "]

const sameAsParsed = Effect.fnUntraced(function*(text: string) {
  for (const body of [text, ...places.map((place) => `[${many}${place}${text}]`)]) {
    const read = yield* readJson(new TextEncoder().encode(body))
    assert.deepStrictEqual(read, parsed(body), text.slice(0, 80))
  }
})

const literals = [
  "{\"__proto__\":{\"a\":1},\"constructor\":1,\"\":2}",
  "{\"a\":1,\"a\":2}",
  "[1e400,-1e400,1e-400,-0,0.1e-7,123456789012345678901234567890]",
  "\"\\ud800\\u0000\\ud83d\\ude00\\/\\b é😀\"",
  "[null,true,false]",
  " \t\r\n[ ] "
]

const noJson = [
  "",
  "01",
  "+1",
  ".5",
  "1.",
  "-",
  "1e",
  "0x1",
  "NaN",
  "tru",
  "truee",
  "[1,]",
  "[,1]",
  "[1 2]",
  "{\"a\":1,}",
  "{a:1}",
  "{'a':1}",
  "{\"a\" 1}",
  "{1:2}",
  "[}",
  "[[]",
  "[]]",
  "[1],[2",
  "\"abc",
  "\"\u0001\"",
  "\"\\x\"",
  "\"\\u12g4\"",
  "\u00a01",
  "/**/1",
  "1//"
]

const pieces = [
  "[",
  "]",
  "{",
  "}",
  ",",
  ":",
  "\"",
  "\"a\"",
  "1",
  "-",
  "0",
  ".",
  "e",
  "true",
  "null",
  "\\",
  "\\n",
  " ",
  "é"
]

describe("The JSON of a body", () => {
  it.effect.each(literals)("is read as the engine reads it: %s", sameAsParsed)

  it.effect.each(noJson)("is none where it is no JSON: %s", sameAsParsed)

  it.effect.prop(
    "is read as the engine reads it, whatever it is",
    { json: Schema.Json },
    ({ json }) => sameAsParsed(JSON.stringify(json))
  )

  it.effect.prop(
    "is none where the engine reads none, whatever is put together",
    { parts: Schema.Array(Schema.Literals(pieces)) },
    ({ parts }) => sameAsParsed(parts.join(""))
  )

  it.effect.each(["x", "]", ",", "[1]", "\"", "\u00a0"])(
    "is none where %s follows it",
    (text) =>
      Effect.gen(function*() {
        const body = `[${many}0]${text}`
        assert.isTrue(Option.isNone(yield* readJson(new TextEncoder().encode(body))))
        assert.isTrue(Option.isSome(yield* readJson(new TextEncoder().encode(body.slice(0, -text.length)))))
      })
  )

  it.effect("is none where the text is not UTF-8", () =>
    Effect.gen(function*() {
      assert.isTrue(Option.isNone(yield* readJson(Uint8Array.of(0x22, 0xff, 0x22))))
      const body = Buffer.from(`[${many}"?"]`)
      body[body.length - 3] = 0xff
      assert.isTrue(Option.isNone(yield* readJson(body)))
    }))

  it.effect.each([9000, 120_000])("is read however deep it is: %i levels", (levels) =>
    Effect.gen(function*() {
      const body = new TextEncoder().encode("[".repeat(levels) + "]".repeat(levels))
      let json: unknown = Option.getOrThrow(yield* readJson(body))
      let deep = 0
      while (Array.isArray(json)) [deep, json] = [deep + 1, json[0]]
      assert.strictEqual(deep, levels)
      assert.isTrue(Option.isNone(yield* readJson(body.subarray(0, -1))))
    }))

  it.effect("lets others have the processor while a long one is read", () =>
    Effect.gen(function*() {
      let turns = 0
      const others = Effect.forever(Effect.andThen(Effect.sync(() => (turns += 1)), Effect.yieldNow))
      yield* Effect.raceFirst(readJson(new TextEncoder().encode(`[${many.repeat(5)}0]`)), others)
      assert.isAbove(turns, 10)
    }))
})
