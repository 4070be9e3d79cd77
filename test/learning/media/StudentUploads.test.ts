import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { appLayer, at, enrolledStudent, foundClub, outcome, send } from "../../harness/App.ts"
import { localFolder } from "../../platform/storage/local/LocalFolder.ts"
import { announced, begin, complete, pdf, placeOf, png, sendFile, uploaded } from "./Files.ts"
import { uses } from "./Uses.ts"

const { folder } = localFolder()
const mebibyte = 1024 * 1024

const enrolled = Effect.gen(function*() {
  const club = yield* foundClub()
  const student = yield* enrolledStudent(club)
  return { club, student: { ...student, path: club.path } }
})

const idOf = (answer: { readonly json: unknown }) => String(at(answer.json, "data", "media", "id"))

layer(appLayer({ DATA_DIR: folder }))("A student's upload", (it) => {
  it.effect.each(["comment", "ask", "submission"] as const)(
    "for a %s is begun, sent and confirmed",
    (purpose) =>
      Effect.gen(function*() {
        const { student } = yield* enrolled
        const begun = yield* begin(student, announced(png, { purpose }))
        assert.strictEqual(begun.status, 201, begun.text)
        assert.strictEqual(begun.headers["cache-control"], "no-store")
        yield* sendFile(begun, png)
        const done = yield* complete(student, begun, "student")
        assert.deepInclude(Object(at(done.json, "data")), {
          status: "ready",
          kind: "image",
          width: 3,
          title: "photo.png"
        })
      })
  )

  it.effect.each([
    ["comment", { mime: "application/pdf" }, "mime_not_allowed"],
    ["ask", { mime: "video/mp4" }, "mime_not_allowed"],
    ["submission", { mime: "audio/mpeg" }, "mime_not_allowed"],
    ["submission", { mime: "application/zip" }, "mime_not_allowed"],
    ["comment", { size_bytes: 10 * mebibyte + 1 }, "size_too_large"],
    ["ask", { size_bytes: 10 * mebibyte + 1 }, "size_too_large"],
    ["submission", { size_bytes: 20 * mebibyte + 1 }, "size_too_large"],
    ["submission", { mime: "video/mp4", size_bytes: 100 * mebibyte + 1 }, "size_too_large"],
    ["library", {}, "validation_failed"]
  ] as const)("for a %s is refused with %j", ([purpose, wrong, code]) =>
    Effect.gen(function*() {
      const { student } = yield* enrolled
      assert.deepStrictEqual(outcome(yield* begin(student, announced(png, { purpose, ...wrong }))), [422, code])
    }))

  it.effect("for a comment is told that images are taken, and nothing else", () =>
    Effect.gen(function*() {
      const { student } = yield* enrolled
      const refused = yield* begin(student, announced(png, { purpose: "comment", mime: "application/x-pdf" }))
      assert.strictEqual(
        at(refused.json, "error", "message"),
        "mime must be one of image/png, image/jpeg, image/gif, image/webp"
      )
    }))

  it.effect.each([
    ["comment", { mime: "image/jpg" }],
    ["ask", { mime: "", file_name: "photo.webp" }],
    ["comment", { size_bytes: 10 * mebibyte }],
    ["submission", { mime: "video/mp4", size_bytes: 100 * mebibyte }],
    ["submission", { mime: "application/pdf" }]
  ] as const)("for a %s may be %j", ([purpose, given]) =>
    Effect.gen(function*() {
      const { student } = yield* enrolled
      assert.strictEqual((yield* begin(student, announced(png, { purpose, ...given }))).status, 201)
    }))

  it.effect("is completed by nobody else", () =>
    Effect.gen(function*() {
      const { club, student } = yield* enrolled
      const other = { ...(yield* enrolledStudent(club)), path: club.path }
      const begun = yield* begin(student, announced(png, { purpose: "comment" }))
      yield* sendFile(begun, png)
      const library = yield* begin(club, announced(png))
      assert.deepStrictEqual(outcome(yield* complete(other, begun, "student")), [404, "not_found"])
      assert.deepStrictEqual(outcome(yield* complete(club, begun)), [404, "not_found"])
      assert.deepStrictEqual(outcome(yield* complete(student, library, "student")), [404, "not_found"])
      assert.strictEqual((yield* complete(student, begun, "student")).status, 200)
    }))

  it.effect("is one of 50 that nothing uses, at most, however many are begun at once", () =>
    Effect.gen(function*() {
      const { club, student } = yield* enrolled
      const one = begin(student, announced(png, { purpose: "comment" }))
      const answers = yield* Effect.all(Array.from({ length: 55 }, () => one), { concurrency: 10 })
      assert.lengthOf(answers.filter(({ status }) => status === 201), 50)
      for (const refused of answers.filter(({ status }) => status !== 201)) {
        assert.deepStrictEqual(outcome(refused), [409, "too_many_uploads"])
      }
      const other = { ...(yield* enrolledStudent(club)), path: club.path }
      assert.strictEqual((yield* begin(other, announced(png, { purpose: "comment" }))).status, 201)
      const first = answers.find(({ status }) => status === 201)
      if (first !== undefined) yield* uses.comment(club, student, idOf(first))
      assert.strictEqual((yield* one).status, 201)
      assert.deepStrictEqual(outcome(yield* one), [409, "too_many_uploads"])
    }))

  it.effect("is of 500 MiB that nothing uses, at most", () =>
    Effect.gen(function*() {
      const { student } = yield* enrolled
      const large = begin(student, {
        file_name: "trabalho.pdf",
        mime: "application/pdf",
        size_bytes: 100 * 1024 * 1024,
        purpose: "submission"
      })
      const answers = yield* Effect.replicateEffect(large, 6)
      assert.deepStrictEqual(answers.map(({ status }) => status), [201, 201, 201, 201, 201, 409])
      assert.strictEqual((yield* begin(student, announced(png, { purpose: "comment" }))).status, 409)
    }))

  it.effect("is begun once for a key, and its answer goes with the student", () =>
    Effect.gen(function*() {
      const { club, student } = yield* enrolled
      const body = announced(png, { purpose: "comment", file_name: "Bia.png" })
      const sent = { token: student.token, body, headers: { "idempotency-key": "a" } }
      const [first, second] = [
        yield* send("POST", `${club.path}/classroom/media`, sent),
        yield* send("POST", `${club.path}/classroom/media`, sent)
      ]
      assert.deepStrictEqual([first.status, second.text], [201, first.text])
      yield* send("DELETE", `${club.path}/students/${student.id}`, club)
      const receipt = yield* send("GET", `${club.path}/students/${student.id}/erasure`, club)
      assert.strictEqual(at(receipt.json, "data", "counts", "kept_answers"), 1)
    }))
})

layer(appLayer({ DATA_DIR: folder }))("A student who is removed", (it) => {
  it.effect("leaves no file, and no word of what it was called", () =>
    Effect.gen(function*() {
      const { club, student } = yield* enrolled
      const sql = yield* SqlClient.SqlClient
      const used = yield* uploaded(student, pdf, {
        purpose: "submission",
        mime: "application/pdf",
        file_name: "Bia Lima.pdf"
      })
      yield* uses.submission(club, student, used)
      const unused = yield* uploaded(student, png, { purpose: "comment", file_name: "Bia.png" })
      const coming = idOf(yield* begin(student, announced(png, { purpose: "ask" })))
      const other = yield* uploaded({ ...(yield* enrolledStudent(club)), path: club.path }, png, { purpose: "ask" })
      const keys = yield* Effect.forEach([used, unused, coming], placeOf)
      assert.strictEqual((yield* send("DELETE", `${club.path}/students/${student.id}`, club)).status, 204)
      const rows = yield* sql`
        select id, title, file_name from media where club_id = ${club.id} and (title <> '' or file_name is not null)`
      assert.deepStrictEqual(rows.map(({ id }) => id), [other])
      const queued = yield* sql`select storage_key from removed_files where club_id = ${club.id}`
      assert.sameMembers(queued.map(({ storage_key }) => storage_key), keys)
      const receipt = yield* send("GET", `${club.path}/students/${student.id}/erasure`, club)
      assert.strictEqual(at(receipt.json, "data", "counts", "media"), 3)
    }))
})
