import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Effect, Option, Result, Schema } from "effect"
import { afterCursor, pageOf, PageQuery } from "../../../src/platform/http/Page.ts"
import { anyText, Email, KnownEmail, sentId, text } from "../../../src/platform/http/Text.ts"
import { isAddress } from "../../../src/platform/mail/Address.ts"

const accepts = (schema: Schema.Codec<unknown, unknown>, value: unknown) =>
  Option.isSome(Schema.decodeUnknownOption(schema)(value))

const point = (minimum: number, maximum: number) =>
  Schema.Int.check(
    Schema.isBetween({ minimum, maximum }),
    Schema.makeFilter((code: number) => code < 0xd800 || code > 0xdfff)
  )

/** A character of any plane, with equal chances for all planes. */
const Character = Schema.Union(Array.from(
  { length: 17 },
  (_, plane) => point(plane * 0x1_0000 + (plane === 0 ? 1 : 0), plane * 0x1_0000 + 0xffff)
))

/** Characters without ink, by their Unicode properties, and blanks without such a property. */
const inkless = /^(?:\p{Z}|\p{Cc}|\p{Cf}|\p{Default_Ignorable_Code_Point}|\p{Noncharacter_Code_Point}|\u2800)$/u
const Inkless = Arbitrary
  .schema(Schema.Array(Schema.Union([Character, Schema.Literals([0x3164, 0x2800, 0xe0041, 0xfe0f])])))
  .pipe(Arbitrary.map((points) =>
    points.map((one) => String.fromCodePoint(one)).filter((one) => inkless.test(one)).join("")
  ))

describe("Text", () => {
  it.prop(
    "has something to see in it, or is empty",
    [Inkless],
    ([nothing]) =>
      nothing === "" || (!accepts(text(0, 1000), nothing) && accepts(text(1, 1000), `${nothing}a${nothing}`)),
    {
      arbitrary: { runs: 300 }
    }
  )

  it.each([
    " ",
    "\u00a0",
    "\u200b",
    "\u3164",
    "\u115f",
    "\uffa0",
    "\u2800",
    "\u{e0041}\u{e007f}",
    "\ufe0f",
    "\u{e0100}",
    "\u00ad",
    "\u{13441}"
  ])(
    "is refused if it is %j alone, and taken with a letter beside it",
    (nothing) =>
      assert.deepStrictEqual([nothing, nothing.repeat(3), `${nothing}a`].map((sent) => accepts(text(1, 40), sent)), [
        false,
        false,
        true
      ])
  )

  it("is not touched where nobody reads it", () => {
    assert.deepStrictEqual([" ", "\u3164"].map((sent) => accepts(anyText(1, 40), sent)), [true, true])
  })

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

const CodePoint = Schema.Union([
  Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 0x2ff })),
  Schema.Int.check(Schema.isBetween({ minimum: 0x300, maximum: 0x10_ffff }))
])

/** Addresses of any characters that the service may store. Some are long. */
const Accepted = Arbitrary.schema(Schema.Struct({
  parts: Schema.Tuple([Schema.Array(CodePoint), Schema.Array(CodePoint), Schema.Array(CodePoint)]),
  longer: Schema.Literals([0, 60, 150])
})).pipe(
  Arbitrary.map(({ longer, parts }) => {
    const [local, domain, top] = parts.map((points) => `a${String.fromCodePoint(...points)}`)
    return `${local}${"x".repeat(longer)}@${domain}${"y".repeat(longer)}.${top}`
  }),
  Arbitrary.filterMap((sent) => Result.fromOption(Schema.decodeUnknownOption(KnownEmail)(sent), () => undefined))
)

const decoded = Schema.decodeUnknownOption(Email)

const isIn = (pattern: RegExp) => (one: string) => pattern.test(one)

/** Accepted addresses, with characters of all planes in front and a letter of any script in the domain. */
const Spelled = Arbitrary.schema(Schema.Struct({ local: Schema.Array(Character), domain: Schema.Array(Character) }))
  .pipe(
    Arbitrary.map(({ domain, local }) => {
      const front = local.map((code) => String.fromCodePoint(code)).filter(isIn(/[\p{L}\p{M}\p{N}\p{S}]/u)).join("")
      const behind = domain.map((code) => String.fromCodePoint(code)).find(isIn(/\p{L}/u)) ?? "d"
      return `a${front}b@${behind}.example`
    }),
    Arbitrary.filterMap((sent) =>
      Result.map(Result.fromOption(decoded(sent), () => undefined), (stored) => [sent, stored] as const)
    )
  )

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

  it.each([
    ["Ana@M\u00fcnchen.DE", "ana@xn--mnchen-3ya.de"],
    ["ana@mu\u0308nchen.de", "ana@xn--mnchen-3ya.de"],
    ["ana@XN--MNCHEN-3YA.de", "ana@xn--mnchen-3ya.de"],
    ["\uff21\uff4e\uff41@\uff53chool.example", "ana@school.example"],
    ["andre\u0301@b.example", "andr\u00e9@b.example"],
    ["ana@b\uff0ec.example", "ana@b.c.example"]
  ])("is one in all its spellings: %s", (sent, stored) => {
    assert.strictEqual(Schema.decodeUnknownSync(Email)(sent), stored)
  })

  it.each(["\u200b", "\u200d", "\u00ad", "\u2060", "\ufe0f", "\u3164", "\u2800", "\u{e0041}"])(
    "has no character that cannot be seen, such as %j, and says so",
    (unseen) => {
      for (const sent of [`a${unseen}na@b.example`, `ana@b${unseen}b.example`, `ana@b.example${unseen}`]) {
        const refused = Schema.decodeUnknownResult(Email)(sent)
        assert.include(Result.isFailure(refused) ? refused.failure.message : "", "cannot be seen")
        assert.isTrue(accepts(KnownEmail, sent))
      }
    }
  )

  it.each([
    "a@b..example",
    "a@.b.example",
    "a@b.example.",
    "a@1.2.3.4",
    "a@0x7f.1",
    "a@b%2e.example",
    "a@\u2100.example"
  ])(
    "has no empty label, number or part of a URL for a domain: %s",
    (sent) => assert.isFalse(accepts(Email, sent))
  )

  it.each(["ana", "ana@", "@b.example", "a b@c.example", "a@b", "a@b.example\r\nBcc: c@d.example", "a@b@c.example"])(
    "is not %j",
    (value) => assert.isFalse(accepts(Email, value))
  )

  it("is not one that stands for somebody who was erased", () => {
    assert.isFalse(accepts(Email, "0190a000-0000-7000-8000-000000000001@anonymized.invalid"))
    assert.isFalse(accepts(Email, "ana@Anonymized.Invalid"))
  })

  it.each(["\u0001", "\u007f", "\u0085", "\u00a0", "\u2003", "\u2028", "\u3000", "\ufeff"])(
    "has no control character or space such as %j, in any part",
    (space) => {
      const sent = [`a${space}a@b.example`, `a@b${space}b.example`, `a@b.exa${space}mple`, `a@b.example${space}`]
      assert.deepStrictEqual(sent.filter((value) => accepts(Email, value)), [])
    }
  )

  it("has a pattern for others that takes whatever it takes, read with the flag `u` and without", () => {
    const { schema } = Schema.toJsonSchemaDocument(Email)
    const patterns = JSON.stringify(schema).match(/"pattern":("(?:[^"\\]|\\.)*")/)
    const source: unknown = JSON.parse(patterns?.[1] ?? "null")
    assert.notInclude(String(source), "\\p")
    const readers = [new RegExp(String(source), "u"), new RegExp(String(source))]
    const wrong: Array<number> = []
    for (let point = 0; point <= 0x3_0000; point++) {
      const one = String.fromCodePoint(point)
      if (!one.isWellFormed() || point === 0) continue
      const sent = `a${one}a@b${one}b.c${one}c`
      if (readers.some((reader) => reader.test(sent) !== accepts(KnownEmail, sent))) wrong.push(point)
      if (accepts(Email, sent) && !accepts(KnownEmail, sent)) wrong.push(point)
    }
    assert.deepStrictEqual(wrong, [])
  })

  it.prop("is one that mail is sent to, whatever is in it", [Accepted], ([email]) => isAddress(email), {
    arbitrary: { runs: 300 }
  })

  it.prop("is the same in every form that Unicode gives it, and comes to rest there", [Spelled], ([[sent, stored]]) => {
    const forms = [sent, ...["NFC", "NFD", "NFKC", "NFKD"].map((form) => sent.normalize(form))]
    const spellings = [...forms, ...forms.map((form) => form.toLowerCase()), stored]
    return /@[a-z0-9_-]+(?:\.[a-z0-9_-]+)+$/.test(stored) && stored === stored.normalize("NFC") && isAddress(stored) &&
      spellings.every((spelling) => Option.getOrNull(decoded(spelling)) === stored)
  }, { arbitrary: { runs: 500 } })

  it.each([`${"a".repeat(65)}@b.example`, `${"a".repeat(310)}@b.example`, `a@${"b".repeat(300)}.example`])(
    "is one that mail is sent to, however long its parts are: %s",
    (email) => assert.deepStrictEqual([accepts(Email, email), isAddress(email)], [true, true])
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

  it.effect("ends before the rows whose texts would be too much of it, and has one however long", () =>
    Effect.gen(function*() {
      const rows = [10, 200_000, 250_000, 600_000, 10].map((length, n) => ({
        id: `018f0000-0000-7000-8000-00000000000${n}`,
        body: "a".repeat(length)
      }))
      const first = pageOf(rows, 100)
      assert.deepStrictEqual(first.data, rows.slice(0, 3))
      assert.deepStrictEqual(yield* afterCursor(first.next_cursor ?? undefined), Option.some(rows[2]?.id))
      assert.deepStrictEqual(pageOf(rows.slice(3), 100).data, rows.slice(3, 4))
      assert.isNull(pageOf(rows.slice(4), 100).next_cursor)
    }))

  it.effect.each(["nonsense", "e30", "a".repeat(10_000), ""])(
    "refuses the cursor %j",
    (cursor) =>
      Effect.gen(function*() {
        assert.strictEqual((yield* Effect.flip(afterCursor(cursor))).error.code, "invalid_cursor")
      })
  )
})
