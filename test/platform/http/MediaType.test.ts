import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { fileTypeOf, isOfType } from "../../../src/learning/media/FileType.ts"
import { mediaTypeOf } from "../../../src/platform/http/MediaType.ts"

describe("A media type", () => {
  it.each([
    ["audio/x-m4a", "audio/mp4"],
    ["application/x-zip-compressed", "application/zip"],
    ["image/jpg", "image/jpeg"],
    ["Image/JPG; charset=binary", "image/jpeg"],
    ["audio/mp3", "audio/mpeg"],
    ["audio/x-wav", "audio/wav"],
    ["video/x-m4v", "video/mp4"],
    ["text/x-markdown", "text/markdown"],
    ["application/x-pdf", "application/pdf"],
    [" text/csv;header=present", "text/csv"],
    ["image/heic", "image/heic"]
  ])("%s is known as %s", (sent, expected) => {
    assert.strictEqual(mediaTypeOf(sent), expected)
  })

  it.each([
    ["", "aula.MP4", "video/mp4"],
    ["application/octet-stream", "notas.md", "text/markdown"],
    ["application/vnd.ms-excel", "alunos.csv", "text/csv"],
    ["application/vnd.ms-excel", "alunos.xls", "application/vnd.ms-excel"],
    ["", "livro.de.receitas.epub", "application/epub+zip"],
    ["", "README", ""],
    ["", "a.toString", ""],
    ["image/png", "photo.jpg", "image/png"]
  ])("%s of %s is known as %s", (sent, file, expected) => {
    assert.strictEqual(mediaTypeOf(sent, file), expected)
  })

  it("by any of its names is one that the library takes", () => {
    for (const sent of ["audio/x-m4a", "application/x-zip-compressed", "image/jpg", "audio/opus", "video/mov"]) {
      assert.isDefined(fileTypeOf(mediaTypeOf(sent)), sent)
    }
    assert.isTrue(isOfType(mediaTypeOf("audio/x-m4a"), "audio/x-m4a"))
  })

  it.prop("is the same when it is asked for again", [Schema.String, Schema.String], ([sent, file]) => {
    const known = mediaTypeOf(sent, file)
    assert.strictEqual(mediaTypeOf(known, file), known)
  })
})
