import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import { afterCursor, pageOf, PageQuery } from "../../src/http/Page.ts"
import { Email, sentId, text } from "../../src/http/Text.ts"

const accepts = (schema: Schema.Codec<unknown, unknown>, value: unknown) =>
  Option.isSome(Schema.decodeUnknownOption(schema)(value))

describe("Text", () => {
  it("is counted in characters, so that an emoji is one", () => {
    assert.deepStrictEqual(["", "🎸".repeat(40), "🎸".repeat(41)].map((value) => accepts(text(1, 40), value)), [
      false,
      true,
      false
    ])
  })

  it("holds nothing that PostgreSQL cannot store", () => {
    assert.deepStrictEqual(["a\u0000b", "\ud83c", "a\nb"].map((value) => accepts(text(1, 40), value)), [
      false,
      false,
      true
    ])
  })
})

describe("Email", () => {
  it("is compared in lower case", () => {
    assert.strictEqual(Schema.decodeUnknownSync(Email)("Ana@Example.COM"), "ana@example.com")
  })

  it("has at most 320 characters, in lower case too", () => {
    const atExample = (local: string) => `${local}@b.example`
    assert.deepStrictEqual(
      [atExample("a".repeat(310)), atExample("a".repeat(311)), atExample("İ".repeat(310))].map((value) =>
        accepts(Email, value)
      ),
      [true, false, false]
    )
  })

  it.each(["ana", "ana@", "@b.example", "a b@c.example", "a@b", "a@b.example\r\nBcc: c@d.example", "a@b@c.example"])(
    "is not %j",
    (value) => assert.isFalse(accepts(Email, value))
  )
})

describe("An id that is sent", () => {
  it("is found in either case", () => {
    const upper = "018F0000-0000-7000-8000-00000000000A"
    assert.strictEqual(Schema.decodeUnknownSync(sentId(Schema.String))(upper), upper.toLowerCase())
  })
})

describe("A page", () => {
  const query = Schema.decodeUnknownOption(Schema.Struct(PageQuery))

  it("has 25 rows unless it is asked for 1 to 100", () => {
    const limits = [{}, { limit: "1" }, { limit: "100" }, { limit: "0" }, { limit: "101" }, { limit: "1e1" }, {
      limit: " 10"
    }, { limit: "0x10" }]
    assert.deepStrictEqual(
      limits.map((sent) => Option.getOrNull(Option.map(query(sent), ({ limit }) => limit))),
      [25, 1, 100, null, null, null, null, null]
    )
  })

  it.effect("begins after the last row of the one before, and says so only if there are more", () =>
    Effect.gen(function*() {
      const rows = [1, 2, 3].map((n) => ({ id: `018f0000-0000-7000-8000-00000000000${n}` }))
      const first = pageOf(rows, 2)
      assert.deepStrictEqual(first.data, rows.slice(0, 2))
      assert.deepStrictEqual(yield* afterCursor(first.next_cursor ?? undefined), Option.some(rows[1]?.id))
      assert.isNull(pageOf(rows, 3).next_cursor)
    }))

  it.effect.each(["nonsense", "e30", "a".repeat(10_000), ""])(
    "refuses the cursor %j",
    (cursor) =>
      Effect.gen(function*() {
        assert.strictEqual((yield* Effect.flip(afterCursor(cursor))).error.code, "invalid_cursor")
      })
  )
})
