import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Media } from "../../contract/Records.ts"
import { oneOf, record, string, timestamp } from "../../contract/Shape.ts"
import { appLayer, at, enrolledStudent, foundClub, listAt, outcome, send, tokenAs } from "../../harness/App.ts"
import { call } from "../../harness/RawHttp.ts"
import { localFolder } from "../../platform/storage/local/LocalFolder.ts"
import { announced, begin, complete, pdf, png, sendFile, uploaded } from "./Files.ts"

const { folder } = localFolder()
const unknownId = "018f0000-0000-7000-8000-000000000001"

const Upload = record({
  method: oneOf("PUT"),
  url: string,
  headers: record({ "content-type": string }),
  expires_at: timestamp
})

const video = { provider: "youtube", external_id: "dQw4w9WgXcQ", kind: "video", title: "Aula 1" }

const idOf = (answer: { readonly json: unknown }) => String(at(answer.json, "data", "media", "id"))
const titles = (answer: { readonly json: unknown }) => listAt(answer.json, "data").map((media) => at(media, "title"))

layer(appLayer({ DATA_DIR: folder }))("A media record", (it) => {
  it.effect("has the contract's fields and no other, whichever route answers it", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const begun = yield* begin(club, announced(png))
      assert.strictEqual(begun.status, 201, begun.text)
      assert.strictEqual(begun.headers["cache-control"], "no-store")
      assert.deepStrictEqual(record({ media: Media, upload: Upload })(at(begun.json, "data")), [])
      yield* sendFile(begun, png)
      const path = `${club.path}/media/${idOf(begun)}`
      for (
        const answer of [
          yield* complete(club, begun),
          yield* send("GET", path, club),
          yield* send("PATCH", path, { ...club, body: { title: "B" } })
        ]
      ) assert.deepStrictEqual(record({ data: Media })(answer.json, "body"), [], answer.text)
      const listed = yield* send("GET", `${club.path}/media`, club)
      assert.deepStrictEqual(Media(at(listed.json, "data", 0)), [])
    }))

  it.effect("is confirmed by its file, with the size of an image, and repeats its answer", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const begun = yield* begin(club, announced(png, { title: "Capa" }))
      assert.deepInclude(Object(at(begun.json, "data", "media")), {
        kind: "image",
        status: "uploading",
        title: "Capa",
        provider: "storage",
        visibility: "private",
        width: null
      })
      assert.strictEqual((yield* sendFile(begun, png)).status, 204)
      const done = yield* complete(club, begun)
      assert.strictEqual(done.status, 200, done.text)
      assert.deepInclude(Object(at(done.json, "data")), { status: "ready", width: 3, height: 2, error: null })
      assert.strictEqual((yield* complete(club, begun)).text, done.text)
    }))

  it.effect("of a provider is ready at once, without an upload", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const body = { ...video, duration_seconds: 61, thumbnail_url: "https://i.example/1.jpg" }
      const made = yield* begin(club, body)
      assert.deepStrictEqual([made.status, at(made.json, "data", "upload")], [201, null], made.text)
      assert.deepInclude(Object(at(made.json, "data", "media")), { ...body, status: "ready", file_name: null })
      assert.deepStrictEqual((yield* complete(club, made)).status, 200)
      const download = yield* send("GET", `${club.path}/media/${idOf(made)}/download`, club)
      const url = "https://www.youtube.com/watch?v=dQw4w9WgXcQ"
      assert.deepStrictEqual(at(download.json, "data"), { url, expires_at: null, signed: false })
    }))

  it.effect("of a provider is also named by an address that somebody pasted", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const made = yield* begin(club, { url: "youtu.be/dQw4w9WgXcQ?si=abc", title: "Aula 1" })
      assert.strictEqual(made.status, 201, made.text)
      assert.deepInclude(Object(at(made.json, "data", "media")), { ...video, status: "ready" })
    }))

  it.effect("of a provider is refused at another address, in words", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const refused = yield* begin(club, { url: "https://example.com/video.mp4", title: "Aula 1" })
      assert.deepStrictEqual(outcome(refused), [422, "video_address_unknown"])
      assert.include(String(at(refused.json, "error", "message")), "YouTube, Vimeo, Panda, Bunny or Mux")
    }))

  it.effect.each([
    { mime: "image/x-png" },
    { mime: "IMAGE/PNG; q=1" },
    { mime: "", file_name: "photo.PNG" },
    { mime: "application/octet-stream", file_name: "photo.png" }
  ])("may be announced by another name of its type, and is one of it: %j", (given) =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const begun = yield* begin(club, announced(png, given))
      assert.strictEqual(at(begun.json, "data", "media", "mime"), "image/png", begun.text)
      assert.strictEqual(at(begun.json, "data", "upload", "headers", "content-type"), "image/png")
      yield* sendFile(begun, png)
      assert.strictEqual(at((yield* complete(club, begun)).json, "data", "status"), "ready")
    }))

  it.effect("of a type that is not taken is told which are", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const refused = yield* begin(club, announced(png, { mime: "", file_name: "photo.heic" }))
      assert.deepStrictEqual(outcome(refused), [422, "mime_not_allowed"])
      const message = String(at(refused.json, "error", "message"))
      for (const mime of ["image/png", "audio/mp4", "application/pdf", "application/zip"]) assert.include(message, mime)
    }))

  it.effect.each([
    ["mime", { mime: "image/svg+xml" }, "mime_not_allowed"],
    ["mime", { mime: "text/html" }, "mime_not_allowed"],
    ["mime", { mime: "toString" }, "mime_not_allowed"],
    ["size_bytes", { size_bytes: 20 * 1024 * 1024 + 1 }, "size_too_large"],
    ["size_bytes", { size_bytes: 0 }, "validation_failed"],
    ["folder_id", { folder_id: unknownId }, "folder_unknown"],
    ["file_name", { file_name: "" }, "validation_failed"],
    ["title", { title: "a".repeat(201) }, "validation_failed"]
  ] as const)("is refused with a wrong %s: %j", ([field, wrong, code]) =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const refused = yield* begin(club, announced(png, wrong))
      assert.deepStrictEqual(outcome(refused), [422, code])
      assert.include(String(at(refused.json, "error", "message")), field)
      assert.deepStrictEqual(titles(yield* send("GET", `${club.path}/media`, club)), [])
    }))

  it.effect.each([
    { external_id: "javascript:alert(1)" },
    { external_id: "../../x" },
    { provider: "storage" },
    { kind: "image" },
    { thumbnail_url: "http://i.example/1.jpg" },
    { thumbnail_url: "javascript:alert(1)" },
    { title: "" }
  ])("of a provider is refused with %j", (wrong) =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      assert.deepStrictEqual(outcome(yield* begin(club, { ...video, ...wrong })), [422, "validation_failed"])
    }))

  it.effect("is changed where a patch names it; null clears", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const path = `${club.path}/media/${idOf(yield* begin(club, video))}`
      const made = yield* send("POST", `${club.path}/media-folders`, { ...club, body: { name: "Módulo 1" } })
      const folder_id = at(made.json, "data", "id")
      const patch = (body: unknown) =>
        Effect.map(send("PATCH", path, { ...club, body }), ({ json }) => Object(at(json, "data")))
      const changes = { title: "B", folder_id, archived: true, visibility: "public", duration_seconds: 5 }
      const changed = yield* patch({ ...changes, favorite: true })
      assert.deepInclude(changed, changes)
      assert.deepStrictEqual(yield* patch({}), changed)
      assert.deepInclude(yield* patch({ folder_id: null, archived: false, duration_seconds: null }), {
        ...changes,
        folder_id: null,
        archived: false,
        duration_seconds: null
      })
      const unknown = yield* send("PATCH", path, { ...club, body: { folder_id: unknownId } })
      assert.deepStrictEqual(outcome(unknown), [422, "folder_unknown"])
    }))

  it.effect("is listed newest first, by kind, folder, favorite and archive, page by page", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const made = yield* send("POST", `${club.path}/media-folders`, { ...club, body: { name: "F" } })
      const folder_id = String(at(made.json, "data", "id"))
      for (const title of ["A", "B", "C"]) yield* begin(club, { ...video, title })
      yield* begin(club, announced(pdf, { title: "D", mime: "application/pdf", folder_id }))
      const list = (query: string) => send("GET", `${club.path}/media${query}`, club)
      assert.deepStrictEqual(titles(yield* list("")), ["D", "C", "B", "A"])
      assert.deepStrictEqual(titles(yield* list("?kind=document")), ["D"])
      assert.deepStrictEqual(titles(yield* list(`?folder_id=${folder_id}`)), ["D"])
      const first = yield* list("?limit=3")
      assert.deepStrictEqual(titles(yield* list(`?limit=3&cursor=${String(at(first.json, "next_cursor"))}`)), ["A"])
      const id = String(at(first.json, "data", 1, "id"))
      yield* send("PATCH", `${club.path}/media/${id}`, { ...club, body: { favorite: true, archived: true } })
      assert.deepStrictEqual(titles(yield* list("")), ["D", "B", "A"])
      assert.deepStrictEqual(titles(yield* list("?archived=true&favorite=true")), ["C"])
      assert.deepStrictEqual(titles(yield* list("?favorite=true")), [])
      assert.deepStrictEqual(titles(yield* list("?favorite=false&limit=1")), ["D"])
    }))

  it.effect("is found by words of its title and its file's name, whatever their case and accents, with other filters", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      yield* send("POST", `${club.path}/media`, { ...club, body: { ...video, title: "Respiração 100%" } })
      yield* begin(club, announced(png, { title: "Capa", file_name: "respirar_bem.png" }))
      yield* send("POST", `${club.path}/media`, { ...club, body: { ...video, title: "Outra" } })
      const list = (query: string) => send("GET", `${club.path}/media?${query}`, club)
      assert.deepStrictEqual(titles(yield* list("search=RESPIRA")), ["Capa", "Respiração 100%"])
      assert.deepStrictEqual(titles(yield* list("search=respiracao%20100%25")), ["Respiração 100%"])
      assert.deepStrictEqual(titles(yield* list("search=respirar_")), ["Capa"])
      assert.deepStrictEqual(titles(yield* list("search=respira&kind=video")), ["Respiração 100%"])
      assert.deepStrictEqual(titles(yield* list("search=%25&kind=image")), [])
      assert.deepStrictEqual(titles(yield* list("search=%20%20")), ["Outra", "Capa", "Respiração 100%"])
      const first = yield* list("search=respira&limit=1")
      const next = yield* list(`search=respira&limit=1&cursor=${String(at(first.json, "next_cursor"))}`)
      assert.deepStrictEqual([titles(first), titles(next)], [["Capa"], ["Respiração 100%"]])
      assert.isNull(at(next.json, "next_cursor"))
      assert.deepStrictEqual(outcome(yield* list("search=")), [422, "validation_failed"])
    }))

  it.effect("is downloaded under its name by an address that ends in an hour, once it is there", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const begun = yield* begin(club, announced(pdf, { mime: "application/pdf", file_name: "plano.pdf" }))
      const path = `${club.path}/media/${idOf(begun)}/download`
      assert.deepStrictEqual(outcome(yield* send("GET", path, club)), [409, "media_not_ready"])
      yield* sendFile(begun, pdf)
      yield* complete(club, begun)
      for (const [query, shown] of [["", "attachment"], ["?inline=true", "inline"]] as const) {
        const answer = yield* send("GET", `${path}${query}`, club)
        assert.strictEqual(answer.headers["cache-control"], "no-store")
        const { pathname } = new URL(String(at(answer.json, "data", "url")))
        const file = yield* call("GET", pathname)
        assert.strictEqual(file.text, pdf.toString())
        assert.match(file.headers["content-disposition"] ?? "", new RegExp(`^${shown}; filename="plano.pdf"`))
        assert.strictEqual(file.headers["content-type"], "application/pdf")
      }
    }))

  it.effect("is of its club alone, and not of students", () =>
    Effect.gen(function*() {
      const [club, foreign] = [yield* foundClub(), yield* foundClub()]
      const student = yield* enrolledStudent(club)
      const theirs = yield* uploaded(foreign, png)
      const students = yield* uploaded({ ...club, token: student.token }, png, { purpose: "comment" })
      for (const id of [theirs, students, unknownId, "malformed"]) {
        const path = `${club.path}/media/${id}`
        for (
          const answer of [
            yield* send("GET", path, club),
            yield* send("PATCH", path, { ...club, body: { title: "B" } }),
            yield* send("DELETE", path, club),
            yield* send("POST", `${path}/complete`, club),
            yield* send("GET", `${path}/download`, club)
          ]
        ) assert.deepStrictEqual(outcome(answer), [404, "not_found"], id)
      }
      assert.deepStrictEqual(titles(yield* send("GET", `${club.path}/media`, club)), [])
      assert.strictEqual((yield* send("GET", `${club.path}/media`, student)).status, 401)
    }))

  it.effect("is read by every member and written by who writes content", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      for (const [role, status] of [["editor", 201], ["support", 403], ["viewer", 403]] as const) {
        const token = yield* tokenAs(club, role)
        assert.strictEqual((yield* begin({ ...club, token }, { ...video, title: role })).status, status)
        assert.deepStrictEqual(titles(yield* send("GET", `${club.path}/media`, { token })), ["editor"])
      }
    }))
})
