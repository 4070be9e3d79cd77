import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { storedText } from "../../../src/webhooks/send/ResponseReader.ts"

const Byte = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 255 }))
/** The bytes that can break a text: first and continuation bytes, NULs, and letters. */
const Bytes = Schema.Array(Schema.Union([Schema.Literals([0, 0x61, 0x80, 0xc3, 0xe2, 0xf0, 0xff]), Byte]))

const repeated = (bytes: ReadonlyArray<number>, length: number) =>
  Uint8Array.from({ length: bytes.length === 0 ? 0 : length }, (_, i) => bytes[i % bytes.length] ?? 0)

const isKept = (text: string | null) =>
  text === null || (text !== "" && Buffer.byteLength(text) <= 2048 && !text.includes("\0") && text.isWellFormed())

describe("what is kept of a body", () => {
  it.prop(
    "is at most 2048 bytes of text that PostgreSQL takes, whatever came",
    {
      bytes: Bytes,
      length: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 3000 }))
    },
    ({ bytes, length }) => isKept(storedText(repeated(bytes, length))),
    { arbitrary: { runs: 2000 } }
  )

  it.prop("is a text itself where it is short enough", { text: Schema.String }, ({ text }) => {
    const plain = text.toWellFormed().replaceAll(/\0|^\ufeff/g, "")
    return Buffer.byteLength(plain) > 2048 || storedText(Buffer.from(plain)) === (plain === "" ? null : plain)
  })

  it.prop("is the beginning of a long text", { text: Schema.NonEmptyString }, ({ text }) => {
    const plain = `a${text.toWellFormed().replaceAll(/[\0\ufeff]/g, "b")}`.repeat(2048)
    const kept = storedText(Buffer.from(plain)) ?? ""
    return plain.startsWith(kept) && Buffer.byteLength(kept) > 2044
  })

  it("is null where there is nothing to read", () => {
    assert.isNull(storedText(new Uint8Array()))
  })
})
