import { assert, describe, it } from "@effect/vitest"
import { Option, Schema } from "effect"
import { disposition } from "../../../src/platform/storage/Disposition.ts"
import { byteRange } from "../../../src/platform/storage/local/ByteRange.ts"

const of = (file_name: string, mime = "application/pdf", inline = false) => disposition({ file_name, mime, inline })

describe("Content-Disposition", () => {
  it("has the name in ASCII, and as it is", () => {
    assert.strictEqual(of("plan.pdf"), "attachment; filename=\"plan.pdf\"; filename*=UTF-8''plan.pdf")
    assert.strictEqual(
      of("lição 1 (final).pdf"),
      "attachment; filename=\"li__o 1 (final).pdf\"; filename*=UTF-8''li%C3%A7%C3%A3o%201%20%28final%29.pdf"
    )
  })

  it.prop("is one header of printable ASCII with two names, whatever the file is called", [Schema.String], ([name]) => {
    assert.match(
      of(name),
      /^attachment; filename="[\x20\x21\x23\x24\x26-\x2e\x30-\x5b\x5d-\x7e]*"; filename\*=UTF-8''[\w.~!%-]*$/
    )
    assert.strictEqual(decodeURIComponent(of(name).split("UTF-8''")[1] ?? ""), name.toWellFormed())
  })

  it.each(["image/png", "image/webp", "video/mp4", "audio/mpeg", "application/pdf"])("shows %s where asked", (mime) => {
    assert.match(of("a", mime, true), /^inline;/)
    assert.match(of("a", mime, false), /^attachment;/)
  })

  it.each(["text/html", "image/svg+xml", "text/plain", "application/xhtml+xml", "application/zip", "text/xml"])(
    "never shows %s",
    (mime) => {
      assert.match(of("a", mime, true), /^attachment;/)
    }
  )
})

describe("A byte range", () => {
  const Size = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1000 }))

  it.prop("lies in the file", [Size, Size, Size], ([first, length, size]) => {
    const found = byteRange(`bytes=${first}-${first + length}`, size)
    if (first >= size) assert.deepStrictEqual(found, Option.none())
    else assert.deepStrictEqual(found, Option.some({ first, last: Math.min(first + length, size - 1) }))
  })

  it.prop("of the end is as long as asked, or as the file", [Size, Size], ([length, size]) => {
    const first = Math.max(0, size - length)
    assert.deepStrictEqual(byteRange(`bytes=-${length}`, size), Option.some({ first, last: size - 1 }))
  })

  it.prop("that is none is ignored", [Schema.String], ([header]) => {
    const found = byteRange(`x${header}`, 10)
    assert.deepStrictEqual(found, Option.some("whole"))
  })
})
