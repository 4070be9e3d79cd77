import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { Attachments } from "../../../src/learning/media/Attachments.ts"
import { MediaId, type MediaPurpose } from "../../../src/learning/media/Media.ts"
import { MediaLibrary } from "../../../src/learning/media/MediaLibrary.ts"
import { appLayer, at, enrolledStudent, foundClub, send } from "../../harness/App.ts"
import { makeBlock, makeLiveLesson } from "../../harness/Makers.ts"
import { call } from "../../harness/RawHttp.ts"
import { untilBlocked, whileHeld } from "../../harness/Waiting.ts"
import { localFolder } from "../../platform/storage/local/LocalFolder.ts"
import { announced, begin, pdf, png, uploaded } from "./Files.ts"

const { folder } = localFolder()

const enrolled = Effect.gen(function*() {
  const club = yield* foundClub()
  const student = { ...(yield* enrolledStudent(club)), path: club.path }
  return { club, student }
})

const checks = Effect.fnUntraced(function*(
  club: { readonly id: Parameters<Attachments["Service"]["check"]>[0] },
  student: { readonly id: Parameters<Attachments["Service"]["check"]>[1]["student_id"] },
  ids: ReadonlyArray<string>,
  given: { readonly purpose?: MediaPurpose; readonly images?: boolean } = {}
) {
  const attachments = yield* Attachments
  const asked = { purpose: "comment" as const, images: false, ...given }
  const result = yield* Effect
    .result(attachments.check(club.id, { ...asked, student_id: student.id, ids: ids.map((id) => MediaId.make(id)) }))
  return result._tag === "Success" ? "passes" : result.failure.error.code
})

const staff = { id: null }

layer(appLayer({ DATA_DIR: folder }))("An attachment", (it) => {
  it.effect("of a student is what they uploaded for this themselves, and is ready", () =>
    Effect.gen(function*() {
      const { club, student } = yield* enrolled
      const other = { ...(yield* enrolledStudent(club)), path: club.path }
      const mine = yield* uploaded(student, png, { purpose: "comment" })
      const theirs = yield* uploaded(other, png, { purpose: "comment" })
      const library = yield* uploaded(club, png)
      const coming =
        String(at((yield* begin(student, announced(png, { purpose: "comment" }))).json, "data", "media", "id"))
      assert.strictEqual(yield* checks(club, student, []), "passes")
      assert.strictEqual(yield* checks(club, student, [mine, mine]), "passes")
      for (const id of [theirs, library, coming, "018f0000-0000-7000-8000-000000000001"]) {
        assert.strictEqual(yield* checks(club, student, [mine, id]), "media_unknown")
      }
      assert.strictEqual(yield* checks(club, student, [mine], { purpose: "ask" }), "media_unknown")
      assert.strictEqual(yield* checks(yield* foundClub(), student, [mine]), "media_unknown")
    }))

  it.effect("of the staff is in the library, and an image where only images are taken", () =>
    Effect.gen(function*() {
      const { club, student } = yield* enrolled
      const document = yield* uploaded(club, pdf, { mime: "application/pdf" })
      const image = yield* uploaded(club, png)
      const students = yield* uploaded(student, png, { purpose: "comment" })
      assert.strictEqual(yield* checks(club, staff, [document, image]), "passes")
      assert.strictEqual(yield* checks(club, staff, [image], { images: true }), "passes")
      assert.strictEqual(yield* checks(club, staff, [document, image], { images: true }), "media_unknown")
      assert.strictEqual(yield* checks(club, staff, [students]), "media_unknown")
    }))

  it.effect("is not deleted between its check and its use", () =>
    Effect.gen(function*() {
      const { club } = yield* enrolled
      const id = yield* uploaded(club, png)
      const { lesson } = yield* makeLiveLesson(club)
      const sql = yield* SqlClient.SqlClient
      const library = yield* MediaLibrary
      const removal = Effect.flip(sql.withTransaction(library.remove(club.id, MediaId.make(id))))
      const attaching = Effect.gen(function*() {
        assert.strictEqual(yield* checks(club, staff, [id]), "passes")
        return yield* makeBlock(club, lesson, { kind: "file", media_id: MediaId.make(id) })
      })
      const refused = yield* whileHeld(
        attaching,
        Effect.gen(function*() {
          const removing = yield* Effect.forkChild(removal)
          yield* untilBlocked()
          return removing
        })
      ).pipe(Effect.flatMap(Fiber.join))
      assert.strictEqual(refused._tag, "MediaInUse")
    }))

  it.effect("is shown by an address that opens it, and a provider's by its page", () =>
    Effect.gen(function*() {
      const { club } = yield* enrolled
      const attachments = yield* Attachments
      const image = MediaId.make(yield* uploaded(club, png, { title: "Capa" }))
      const body = { provider: "vimeo", external_id: "76979871/8272103f6e", kind: "video", title: "Aula" }
      const video = MediaId.make(String(at((yield* begin(club, body)).json, "data", "media", "id")))
      const coming = MediaId.make(String(at((yield* begin(club, announced(png))).json, "data", "media", "id")))
      const shown = yield* attachments.shown(club.id, [image, video, coming])
      assert.deepStrictEqual([...shown.keys()].toSorted(), [image, video].toSorted())
      const { url, ...rest } = Object(shown.get(image))
      assert.deepInclude(rest, { kind: "image", provider: "storage", signed: true, title: "Capa" })
      assert.isNotNull(rest.expires_at)
      const file = yield* call("GET", new URL(url).pathname)
      assert.deepStrictEqual([file.status, file.headers["content-type"]], [200, "image/png"])
      assert.match(file.headers["content-disposition"] ?? "", /^inline;/)
      assert.deepInclude(Object(shown.get(video)), {
        url: "https://vimeo.com/76979871/8272103f6e",
        expires_at: null,
        signed: false
      })
      const records = yield* attachments.records(club.id, [image, video])
      assert.deepStrictEqual([records.get(image)?.width, records.get(video)?.external_id], [3, "76979871/8272103f6e"])
      const foreign = yield* foundClub()
      assert.strictEqual((yield* attachments.shown(foreign.id, [image])).size, 0)
      assert.strictEqual((yield* attachments.records(foreign.id, [image])).size, 0)
      yield* send("DELETE", `${club.path}/media/${image}`, club)
      assert.strictEqual((yield* attachments.records(club.id, [image])).size, 0)
    }))
})
