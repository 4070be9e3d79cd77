import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { MediaCleanup } from "../../../src/learning/media/MediaCleanup.ts"
import { appLayer, at, foundClub, listAt, outcome, send } from "../../harness/App.ts"
import { makeMedia } from "../../harness/Makers.ts"
import { call } from "../../harness/RawHttp.ts"
import { localFolder } from "../../platform/storage/local/LocalFolder.ts"
import { announced, pdf, placeOf, png, sendFile } from "../media/Files.ts"
import { begin, complete, idOf, of, uploaded } from "./Files.ts"

const { empty, folder, list } = localFolder()

const ServiceLayer = MediaCleanup.layer.pipe(Layer.provideMerge(appLayer({ DATA_DIR: folder })))

const titles = (answer: { readonly json: unknown }) => listAt(answer.json, "data").map((media) => at(media, "title"))
const pathOf = (answer: { readonly json: unknown }) => new URL(String(at(answer.json, "data", "url"))).pathname

layer(ServiceLayer)("A mentorship file", (it) => {
  it.effect("is begun, sent and confirmed by what storage has; repeating answers the same", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const begun = yield* begin(club, announced(png, { title: "Mão direita" }))
      assert.strictEqual(begun.status, 201, begun.text)
      assert.strictEqual(begun.headers["cache-control"], "no-store")
      assert.deepInclude(Object(at(begun.json, "data", "media")), {
        kind: "image",
        title: "Mão direita",
        provider: "storage",
        status: "uploading",
        visibility: "private",
        folder_id: null
      })
      assert.deepStrictEqual(outcome(yield* complete(club, begun)), [409, "upload_not_found"])
      assert.strictEqual((yield* sendFile(begun, png)).status, 204)
      const done = yield* complete(club, begun)
      assert.strictEqual(done.status, 200, done.text)
      assert.deepInclude(Object(at(done.json, "data")), { status: "ready", width: 3, height: 2, error: null })
      assert.strictEqual((yield* complete(club, begun)).text, done.text)
      assert.strictEqual((yield* of(club, "GET", idOf(begun))).text, done.text)
    }))

  it.effect("is called by the first 200 characters of its name unless it has a title", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const file_name = `${"\u{1F3B8}".repeat(250)}.png`
      const { json } = yield* begin(club, announced(png, { file_name }))
      assert.strictEqual(at(json, "data", "media", "title"), "\u{1F3B8}".repeat(200))
      assert.strictEqual(at(json, "data", "media", "file_name"), file_name)
    }))

  it.effect.each([
    ["mime", { mime: "image/svg+xml" }, "mime_not_allowed"],
    ["mime", { mime: "text/html" }, "mime_not_allowed"],
    ["mime", { mime: "toString" }, "mime_not_allowed"],
    ["size_bytes", { size_bytes: 20 * 1024 ** 2 + 1 }, "size_too_large"],
    ["size_bytes", { mime: "application/pdf", size_bytes: 200 * 1024 ** 2 + 1 }, "size_too_large"],
    ["size_bytes", { mime: "video/mp4", size_bytes: 5 * 1024 ** 3 + 1 }, "size_too_large"],
    ["size_bytes", { size_bytes: 0 }, "validation_failed"],
    ["size_bytes", { size_bytes: 1.5 }, "validation_failed"],
    ["file_name", { file_name: "" }, "validation_failed"],
    ["file_name", { file_name: "a".repeat(256) }, "validation_failed"],
    ["file_name", { file_name: "a\u0000.png" }, "validation_failed"],
    ["title", { title: "" }, "validation_failed"],
    ["title", { title: "a".repeat(201) }, "validation_failed"],
    ["folder_id", { folder_id: null }, "validation_failed"],
    ["provider", { provider: "youtube" }, "validation_failed"],
    ["purpose", { purpose: "library" }, "validation_failed"]
  ] as const)("is refused with a wrong %s: %j", ([field, wrong, code]) =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const refused = yield* begin(club, announced(png, wrong))
      assert.deepStrictEqual(outcome(refused), [422, code])
      assert.include(String(at(refused.json, "error", "message")), field)
      assert.deepStrictEqual(titles(yield* send("GET", `${club.path}/mentorship-files`, club)), [])
    }))

  it.effect.each([
    { size_bytes: 20 * 1024 ** 2 },
    { mime: "application/pdf", size_bytes: 200 * 1024 ** 2 },
    { mime: "audio/mpeg", size_bytes: 5 * 1024 ** 3 },
    { mime: "video/mp4", size_bytes: 5 * 1024 ** 3 }
  ])("may be as large as one of the library: %j", (given) =>
    Effect.gen(function*() {
      assert.strictEqual((yield* begin(yield* foundClub(), announced(png, given))).status, 201)
    }))

  it.effect.each([
    "../../etc/passwd",
    "a\"\r\nSet-Cookie: b=1\r\n\r\n<script>.pdf",
    "\u202e.fdp.exe",
    "%00%2e%2e%2f",
    "."
  ])(
    "may have any name, which goes no further than the name of its download: %j",
    (file_name) =>
      Effect.gen(function*() {
        empty()
        const club = yield* foundClub()
        const id = yield* uploaded(club, pdf, { mime: "application/pdf", file_name })
        assert.deepStrictEqual(list(), [`kept/${yield* placeOf(id)}`])
        const record = yield* of(club, "GET", id)
        assert.strictEqual(at(record.json, "data", "file_name"), file_name)
        const file = yield* call("GET", pathOf(yield* of(club, "GET", id, "/download")))
        assert.strictEqual(file.text, pdf.toString())
        assert.isUndefined(file.headers["set-cookie"])
        assert.match(
          file.headers["content-disposition"] ?? "",
          /^attachment; filename="[^"/\\]*"; filename\*=UTF-8''\S*$/
        )
      })
  )

  it.effect("is begun once for an idempotency key", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const once = begin(club, announced(png), { "idempotency-key": "a" })
      const answers = [yield* once, yield* once]
      assert.deepStrictEqual(answers.map(({ status }) => status), [201, 201])
      assert.lengthOf(new Set(answers.map(({ text }) => text)), 1)
      assert.lengthOf(titles(yield* send("GET", `${club.path}/mentorship-files`, club)), 1)
      const other = yield* begin(club, announced(pdf), { "idempotency-key": "a" })
      assert.deepStrictEqual(outcome(other), [422, "idempotency_key_reused"])
    }))

  it.effect("is listed newest first, page by page", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      yield* makeMedia(club, { title: "Library" })
      for (const title of ["A", "B", "C", "D"]) yield* begin(club, announced(png, { title }))
      const read = (query: string) => send("GET", `${club.path}/mentorship-files${query}`, club)
      assert.deepStrictEqual(titles(yield* read("")), ["D", "C", "B", "A"])
      const first = yield* read("?limit=2")
      assert.deepStrictEqual(titles(first), ["D", "C"])
      yield* begin(club, announced(png, { title: "E" }))
      const second = yield* read(`?limit=2&cursor=${String(at(first.json, "next_cursor"))}`)
      assert.deepStrictEqual([titles(second), at(second.json, "next_cursor")], [["B", "A"], null])
      assert.deepStrictEqual(outcome(yield* read("?cursor=x")), [400, "invalid_cursor"])
      assert.deepStrictEqual(outcome(yield* read("?limit=101")), [422, "validation_failed"])
    }))

  it.effect("is downloaded under its name, or shown, once it is there", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const begun = yield* begin(club, announced(pdf, { mime: "application/pdf", file_name: "plano.pdf" }))
      const id = idOf(begun)
      assert.deepStrictEqual(outcome(yield* of(club, "GET", id, "/download")), [409, "media_not_ready"])
      yield* sendFile(begun, pdf)
      yield* complete(club, begun)
      for (
        const [query, shown] of [["", "attachment"], ["?inline=false", "attachment"], [
          "?inline=true",
          "inline"
        ]] as const
      ) {
        const answer = yield* of(club, "GET", id, `/download${query}`)
        assert.strictEqual(answer.headers["cache-control"], "no-store")
        assert.deepInclude(Object(at(answer.json, "data")), { signed: true, expires_at: "1970-01-01T01:00:00.000Z" })
        const file = yield* call("GET", pathOf(answer))
        assert.strictEqual(file.text, pdf.toString())
        assert.match(file.headers["content-disposition"] ?? "", new RegExp(`^${shown}; filename="plano.pdf"`))
        assert.strictEqual(file.headers["content-type"], "application/pdf")
      }
      assert.deepStrictEqual(outcome(yield* of(club, "GET", id, "/download?inline=maybe")), [422, "validation_failed"])
    }))

  it.effect("is deleted with its file, whether it has come or not", () =>
    Effect.gen(function*() {
      empty()
      const { deleteFiles } = yield* MediaCleanup
      const club = yield* foundClub()
      const kept = yield* uploaded(club, pdf, { mime: "application/pdf" })
      const ready = yield* uploaded(club, png)
      const coming = idOf(yield* begin(club, announced(png)))
      const address = pathOf(yield* of(club, "GET", ready, "/download"))
      for (const id of [ready, coming]) {
        assert.deepStrictEqual(outcome(yield* of(club, "DELETE", id)), [204, undefined])
        for (const again of ["DELETE", "GET"] as const) {
          assert.deepStrictEqual(outcome(yield* of(club, again, id)), [404, "not_found"])
        }
        assert.deepStrictEqual(outcome(yield* of(club, "POST", id, "/complete")), [404, "not_found"])
        assert.deepStrictEqual(outcome(yield* of(club, "GET", id, "/download")), [404, "not_found"])
      }
      yield* deleteFiles
      assert.deepStrictEqual(list(), [`kept/${yield* placeOf(kept)}`])
      assert.strictEqual((yield* call("GET", address)).status, 404)
    }))

  it.effect("is downloaded or deleted, whichever comes first, and its addresses end with it", () =>
    Effect.gen(function*() {
      const { deleteFiles } = yield* MediaCleanup
      const club = yield* foundClub()
      for (let round = 0; round < 5; round++) {
        const id = yield* uploaded(club, png)
        const [download, gone] = yield* Effect.all([of(club, "GET", id, "/download"), of(club, "DELETE", id)], {
          concurrency: "unbounded"
        })
        assert.strictEqual(gone.status, 204)
        assert.include([200, 404], download.status)
        if (download.status === 404) continue
        const { pathname } = new URL(String(at(download.json, "data", "url")))
        assert.strictEqual((yield* call("GET", pathname)).text, png.toString())
        yield* deleteFiles
        assert.strictEqual((yield* call("GET", pathname)).status, 404)
      }
    }))
})
