import { assert, describe, it } from "@effect/vitest"
import { textOf } from "../../../../../src/console/views/students/imports/FileText.ts"

const bytes = (buffer: Buffer) => new Uint8Array(buffer).buffer

describe("The text of a file of rows", () => {
  it("is read as UTF-8, and as Windows-1252 where it is not that", () => {
    assert.strictEqual(textOf(bytes(Buffer.from("João 🎸", "utf8"))), "João 🎸")
    assert.strictEqual(textOf(bytes(Buffer.from("João", "latin1"))), "João")
  })

  it("is read as UTF-16 where its first bytes say so", () => {
    assert.strictEqual(textOf(bytes(Buffer.from("\ufeffJoão", "utf16le"))), "João")
  })
})
