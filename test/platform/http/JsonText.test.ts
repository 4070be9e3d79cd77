import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import { readLightJson } from "../../../src/platform/http/json/Json.ts"
import { jsonText, readJson } from "../../../src/platform/http/JsonText.ts"

const bytesOf = (text: string) => new TextEncoder().encode(text)

const refusalOf = (body: Uint8Array) => Effect.map(Effect.flip(readJson(body)), ({ error }) => error)

const tooMany = { code: "payload_too_large", message: "The body has too many values: send fewer at a time" }

const tooDeep = {
  code: "payload_too_large",
  message: "The body has too many lists and objects within one another: at most 100"
}

const members = (count: number) => `{${Array.from({ length: count }, (_, n) => `"k${n}":0`).join()}}`

const nested = (levels: number, [open, value, close]: readonly [string, string, string]) =>
  `${open.repeat(levels)}${value}${close.repeat(levels)}`

const kinds = [["[", "", "]"], ["{\"a\":", "1", "}"], ["[{\"a\":", "1", "}]"]] as const

describe("The JSON of a body", () => {
  it.effect.prop(
    "is read as the engine reads it, whatever it is",
    { json: Schema.Json },
    ({ json }) =>
      Effect.gen(function*() {
        const text = JSON.stringify(json)
        assert.deepStrictEqual(yield* readJson(bytesOf(text)), JSON.parse(text))
        assert.deepStrictEqual(readLightJson(bytesOf(text)), Option.some(JSON.parse(text)))
      })
  )

  it.effect("is none where the engine reads none", () =>
    Effect.gen(function*() {
      for (const text of ["", "01", "[1,]", "{a:1}", "[}", "\"\u0001\"", "[[]"]) {
        assert.strictEqual((yield* refusalOf(bytesOf(text))).code, "malformed_request", text)
        assert.isTrue(Option.isNone(readLightJson(bytesOf(text))), text)
      }
    }))

  it.effect("is none where the text is not UTF-8, however long", () =>
    Effect.gen(function*() {
      for (const padding of [0, 100_000]) {
        for (const odd of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0xaf]]) {
          const body = Buffer.concat([Buffer.from(`"${" ".repeat(padding)}`), Buffer.from(odd), Buffer.from("\"")])
          assert.deepStrictEqual(yield* refusalOf(body), {
            code: "malformed_request",
            message: "The body is not valid JSON: it is not UTF-8 text"
          })
          assert.isTrue(Option.isNone(readLightJson(body)))
        }
      }
    }))

  it.effect("is read with a byte order mark in front of it", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* readJson(bytesOf("\ufeff{\"a\":1}")), { a: 1 })
    }))

  it.effect("has 20,000 marks of structure at most", () =>
    Effect.gen(function*() {
      // Counts a brace at each end, a colon in each member, and a comma between two.
      yield* readJson(bytesOf(members(9_999)))
      const body = bytesOf(members(10_000))
      assert.deepStrictEqual(yield* refusalOf(body), tooMany)
      assert.isTrue(Option.isNone(readLightJson(body)))
    }))

  it.effect("is 100 lists and objects deep at most, whatever is beside them", () =>
    Effect.gen(function*() {
      for (const [open, value, close] of kinds) {
        const levels = 100 / (open.startsWith("[{") ? 2 : 1)
        yield* readJson(bytesOf(nested(levels, [open, value, close])))
        for (
          const text of [nested(levels + 1, [open, value, close]), `[[],{},${nested(levels, [open, value, close])}]`]
        ) {
          assert.deepStrictEqual(yield* refusalOf(bytesOf(text)), tooDeep, text)
          assert.isTrue(Option.isNone(readLightJson(bytesOf(text))), text)
        }
      }
    }))

  it.effect("that is long has a turn of the event loop of its own, of twenty at once", () =>
    Effect.gen(function*() {
      let turn = 0
      let timer = setImmediate(function next() {
        turn += 1
        timer = setImmediate(next)
      })
      yield* Effect.addFinalizer(() => Effect.sync(() => clearImmediate(timer)))
      const body = bytesOf(members(5000))
      const turns = yield* Effect.forEach(
        Array.from({ length: 20 }),
        () => Effect.map(jsonText(body), () => turn),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(new Set(turns).size, turns.length)
    }))
})
