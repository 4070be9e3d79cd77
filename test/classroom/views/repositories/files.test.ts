import { assert, describe, it } from "@effect/vitest"
import { endingOf, viewOf } from "../../../../src/classroom/views/repositories/files.ts"

describe("A file", () => {
  it("is called by the ending of its name, if it has a usual one", () => {
    const names = ["apostila.pdf", "fotos.tar.gz", ".env", "leia-me", "musica.guitarpro", null]
    assert.deepStrictEqual(
      names.map((file_name) => endingOf({ file_name })),
      ["PDF", "GZ", undefined, undefined, undefined, undefined]
    )
  })

  it("opens in the page if it is a picture without scripts, and in the browser's viewer if it is a PDF", () => {
    assert.strictEqual(viewOf({ kind: "image", mime: "image/png" }), "page")
    assert.isUndefined(viewOf({ kind: "image", mime: "image/svg+xml" }))
    assert.strictEqual(viewOf({ kind: "document", mime: "application/pdf" }), "browser")
    assert.isUndefined(viewOf({ kind: "audio", mime: "audio/mpeg" }))
  })
})
