import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { rowsOfCsv } from "../../../../src/membership/students/import/Csv.ts"
import { textOf } from "../../../../src/membership/students/import/CsvText.ts"

const utf8 = (text: string) => new TextEncoder().encode(text)
const utf16le = (text: string) => new Uint8Array(Buffer.from(text, "utf16le"))
const utf16be = (text: string) => new Uint8Array(Buffer.from(text, "utf16le").swap16())

/** The letters of Windows-1252 above ASCII, each at the index of its byte. */
const western = new TextDecoder("windows-1252").decode(Uint8Array.from({ length: 128 }, (_, at) => 128 + at))

const windows1252 = (text: string) =>
  Uint8Array.from(text, (letter) => letter < "\u0080" ? letter.charCodeAt(0) : 128 + western.indexOf(letter))

const joined = (...parts: ReadonlyArray<Uint8Array>) => new Uint8Array(Buffer.concat(parts))

const rowsIn = (file: Uint8Array) =>
  Effect.runSync(rowsOfCsv(file)).rows.map(({ fault, name }) => fault === null ? name : `(${fault})`)

const header = "name;email\r\n"
const rowOf = (name: string) => `"${name.replaceAll("\"", "\"\"")}";a@example.com\r\n`
const fileOf = (names: ReadonlyArray<string>) => header + names.map(rowOf).join("")

const isPrinted = (code: number) =>
  code !== 0x7f && code !== 0xfeff && !(code >= 0xd800 && code <= 0xdfff) && String.fromCodePoint(code).trim() !== ""

/** The code point of a character that an import keeps, from any plane: not a control character or white space. */
const Code = Schema.Int.check(Schema.isBetween({ minimum: 0x21, maximum: 0x10ffff }), Schema.makeFilter(isPrinted))

const Name = Schema.Array(Code)
const names = (given: ReadonlyArray<ReadonlyArray<number>>) =>
  given.map((codes) => `n${String.fromCodePoint(...codes)}`)

const Western = Schema.Literals([...western].filter((letter) => letter > "\u009f" && letter.trim() !== "") as [string])

describe("The text of a CSV", () => {
  it.prop(
    "is the same in UTF-8 and in UTF-16 of either order, with a byte order mark and without one",
    { given: Schema.NonEmptyArray(Name) },
    ({ given }) => {
      const expected = names(given)
      const file = fileOf(expected)
      for (const text of [file, `\ufeff${file}`]) {
        for (const bytes of [utf8(text), utf16le(text), utf16be(text)]) assert.deepStrictEqual(rowsIn(bytes), expected)
      }
    }
  )

  it.prop(
    "of UTF-8 with an odd byte is UTF-8, and the row alone that has it fails",
    {
      before: Schema.Array(Name),
      after: Schema.Array(Name),
      byte: Schema.Int.check(Schema.isBetween({ minimum: 0x80, maximum: 0xff }))
    },
    ({ after, before, byte }) => {
      const [first, last] = [["João", ...names(before)], names(after)]
      const bytes = joined(
        utf8(fileOf(first)),
        utf8("\"ção"),
        Uint8Array.of(byte),
        utf8("x\";b@example.com\r\n"),
        utf8(last.map(rowOf).join(""))
      )
      assert.deepStrictEqual(rowsIn(bytes), [...first, "(encoding)", ...last])
    }
  )

  it.prop(
    "of Windows-1252 is read as such, and no row as other letters",
    { given: Schema.Array(Schema.Array(Western)) },
    ({ given }) => {
      const written = given.map((letters) => `n${letters.join("")}`)
      const sure = Array.from({ length: given.length + 1 }, () => "João “Manhã” – 1")
      const read = rowsIn(windows1252(fileOf([...written, ...sure])))
      assert.deepStrictEqual(read.slice(written.length), sure)
      for (const [index, name] of written.entries()) assert.oneOf(read[index], [name, "(encoding)"])
    }
  )

  it("of Windows-1252 with a row of UTF-8, or with a byte that means nothing in it, fails that row alone", () => {
    const [some, other] = [windows1252(fileOf(["José", "Conceição"])), windows1252(rowOf("Inês"))]
    const file = joined(
      some,
      utf8(rowOf("Zoë")),
      other,
      windows1252("\"N"),
      Uint8Array.of(0x81),
      windows1252("\";a\r\n"),
      other
    )
    assert.deepStrictEqual(rowsIn(file), ["José", "Conceição", "(encoding)", "Inês", "(encoding)", "Inês"])
  })

  it("of UTF-16 that ends within a letter, or has half of a pair, fails that row alone", () => {
    const file = utf16le(fileOf(["王小明", "\ud83c", "🎸"]))
    assert.deepStrictEqual(rowsIn(file), ["王小明", "(encoding)", "🎸"])
    assert.deepStrictEqual(rowsIn(joined(file, utf16le("Zoë;z"), Uint8Array.of(0))), [
      "王小明",
      "(encoding)",
      "🎸",
      "(encoding)"
    ])
  })

  it("is UTF-8 in spite of a zero", () => {
    assert.deepStrictEqual(rowsIn(utf8(fileOf(["João", "a\u0000b"]))), ["João", "a\u0000b"])
  })

  it("is refused where its header is odd", () => {
    const file = joined(utf8("nome;t\u00e9l"), Uint8Array.of(0xff), utf8(";email\r\n"), utf8(rowOf("João")))
    const { error } = Effect.runSync(Effect.flip(rowsOfCsv(file)))
    assert.strictEqual(error.message, "line 1: some letters cannot be read: save the file as UTF-8")
  })

  it("is the same however its slices fall", () => {
    const text = (bytes: Uint8Array) => Effect.runSync(textOf(bytes))
    assert.strictEqual(text(new Uint8Array()), "")
    assert.strictEqual(text(utf8("a\r\n".repeat(200_001))), "a\n".repeat(200_001))
    assert.strictEqual(text(utf8(`${"a\r".repeat(131_072)}\r`)), `${"a\n".repeat(131_072)}\n`)
    assert.strictEqual(text(utf8("€🎸".repeat(100_001))), "€🎸".repeat(100_001))
    assert.strictEqual(text(utf16le("€\r\n🎸a".repeat(50_001))), "€\n🎸a".repeat(50_001))
    assert.strictEqual(text(utf16be("a\r\n🎸a".repeat(50_001))), "a\n🎸a".repeat(50_001))
    assert.strictEqual(text(windows1252("ã\r\n".repeat(50_001))), "ã\n".repeat(50_001))
    assert.strictEqual(text(windows1252("ã".repeat(200_001))), "ã".repeat(200_001))
  })
})
