import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { appLayer, at, foundClub, outcome, send } from "../../harness/App.ts"
import { localFolder } from "../../platform/storage/local/LocalFolder.ts"
import { announced, archive, begin, complete, exe, gif, html, jpeg, pdf, png, sendFile } from "./Files.ts"

const { empty, folder, list } = localFolder()

const office = "application/vnd.openxmlformats-officedocument"
const docx = archive(
  "[Content_Types].xml",
  `<Types><Override ContentType="${office}.wordprocessingml.document.main+xml"/></Types>`
)
const xlsx = archive(
  "[Content_Types].xml",
  `<Types><Override ContentType="${office}.spreadsheetml.sheet.main+xml"/></Types>`
)
const zip = archive("a.txt", "hello")

const completed = Effect.fnUntraced(function*(mime: string, file: Buffer) {
  const club = yield* foundClub()
  const begun = yield* begin(club, announced(file, { mime }))
  const sent = yield* sendFile(begun, file)
  assert.strictEqual(sent.status, 204, `${begun.text} ${sent.text}`)
  return { club, begun, answer: yield* complete(club, begun) }
})

layer(appLayer({ DATA_DIR: folder }))("Completing an upload", (it) => {
  it.effect.each([
    ["image/png", "image", png],
    ["image/jpeg", "image", jpeg],
    ["image/gif", "image", gif],
    ["application/pdf", "document", pdf],
    [`${office}.wordprocessingml.document`, "document", docx],
    [`${office}.spreadsheetml.sheet`, "document", xlsx],
    ["text/plain", "document", Buffer.from("BMW, Fiat e \u{1F697}\n")],
    ["text/csv", "document", Buffer.from("name,email\r\nAna,ana@example.com\r\n")],
    ["application/zip", "file", zip]
  ] as const)("takes what is what it says: %s", ([mime, kind, file]) =>
    Effect.gen(function*() {
      const { answer } = yield* completed(mime, file)
      assert.strictEqual(answer.status, 200, answer.text)
      const { height, kind: found, status, width } = Object(at(answer.json, "data"))
      assert.deepStrictEqual([found, status], [kind, "ready"])
      assert.deepStrictEqual([width, height], kind === "image" ? [3, 2] : [null, null])
    }))

  it.effect.each([
    ["image/png", html],
    ["image/png", exe],
    ["image/png", jpeg],
    ["image/jpeg", png],
    ["application/pdf", html],
    ["application/pdf", zip],
    [`${office}.wordprocessingml.document`, pdf],
    [`${office}.wordprocessingml.document`, xlsx],
    ["video/mp4", png],
    ["audio/mpeg", html],
    ["text/plain", exe],
    ["text/csv", png],
    ["application/zip", Buffer.from("hello")]
  ] as const)(
    "refuses what is something else than %s, says so in the record and deletes the file",
    ([mime, file]) =>
      Effect.gen(function*() {
        empty()
        const { answer, begun, club } = yield* completed(mime, file)
        assert.deepStrictEqual(outcome(answer), [422, "upload_mismatch"])
        assert.deepStrictEqual(list(), [])
        assert.strictEqual((yield* complete(club, begun)).text, answer.text)
        const path = `${club.path}/media/${String(at(begun.json, "data", "media", "id"))}`
        const { error, status } = Object(at((yield* send("GET", path, club)).json, "data"))
        assert.strictEqual(status, "failed")
        assert.include(error, `expected ${mime}, found`)
        assert.deepStrictEqual(outcome(yield* send("GET", `${path}/download`, club)), [409, "media_not_ready"])
      })
  )

  it.effect("waits for the file", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const begun = yield* begin(club, announced(png))
      assert.deepStrictEqual(outcome(yield* complete(club, begun)), [409, "upload_not_found"])
      yield* sendFile(begun, png)
      assert.strictEqual((yield* complete(club, begun)).status, 200)
    }))

  it.effect("ends the upload: what was confirmed is not replaced", () =>
    Effect.gen(function*() {
      const { begun, club } = yield* completed("image/png", png)
      const other = Buffer.alloc(png.length, "a")
      assert.strictEqual((yield* sendFile(begun, other)).status, 409)
      assert.strictEqual(at((yield* complete(club, begun)).json, "data", "status"), "ready")
    }))

  it.effect("many times at once answers the same each time", () =>
    Effect.gen(function*() {
      for (const [file, status] of [[png, 200], [jpeg, 422]] as const) {
        const club = yield* foundClub()
        const begun = yield* begin(club, announced(file))
        yield* sendFile(begun, file)
        const answers = yield* Effect.all(Array.from({ length: 8 }, () => complete(club, begun)), {
          concurrency: "unbounded"
        })
        assert.deepStrictEqual(new Set(answers.map((answer) => answer.status)), new Set([status]))
        assert.lengthOf(new Set(answers.map(({ text }) => text)), 1)
      }
    }))

  it.effect("while the record is deleted leaves no file behind", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const begun = yield* begin(club, announced(png))
      yield* sendFile(begun, png)
      const id = String(at(begun.json, "data", "media", "id"))
      const [done, gone] = yield* Effect.all([
        complete(club, begun),
        send("DELETE", `${club.path}/media/${id}`, club)
      ], { concurrency: "unbounded" })
      assert.strictEqual(gone.status, 204)
      assert.include([200, 404], done.status)
    }))
})
