import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { partSize } from "../../../src/platform/storage/UploadInParts.ts"
import { appLayer, at, enrolledStudent, foundClub, listAt, outcome, send } from "../../harness/App.ts"
import { call } from "../../harness/RawHttp.ts"
import { localFolder } from "../../platform/storage/local/LocalFolder.ts"
import { begin as beginMentorship, of } from "../mentorships/Files.ts"
import { announced, begin, complete, exe, png, sendFile, uploaded } from "./Files.ts"

const { empty, folder, list } = localFolder()

interface Caller {
  readonly path: string
  readonly token: string
}

const idOf = (begun: { readonly json: unknown }) => String(at(begun.json, "data", "media", "id"))

/** Asks how to resume an upload. */
const resume = ({ path, token }: Caller, begun: { readonly json: unknown }, classroom = "") =>
  send("POST", `${path}${classroom}/media/${idOf(begun)}/upload`, { token })

/** Sends the missing parts as the answer demands. */
const sendMissing = (resumed: { readonly json: unknown }, file: Buffer) =>
  Effect.forEach(listAt(resumed.json, "data", "missing"), (part) => {
    const { offset, size_bytes, url } = Object(part)
    const { pathname } = new URL(url)
    return Effect.map(
      call("PUT", pathname, { body: file.subarray(offset, offset + size_bytes) }),
      ({ status }) => status
    )
  })

const large = Buffer.concat([png, Buffer.alloc(partSize)])

layer(appLayer({ DATA_DIR: folder }))("An upload in parts", (it) => {
  it.effect("tells which parts are there, takes the others, and is completed as any other", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const begun = yield* begin(club, announced(large))
      const resumed = yield* resume(club, begun)
      assert.strictEqual(resumed.status, 200, resumed.text)
      assert.strictEqual(resumed.headers["cache-control"], "no-store")
      const { missing, ...told } = Object(at(resumed.json, "data"))
      assert.deepStrictEqual(Object.keys(told).toSorted(), [
        "expires_at",
        "method",
        "part_count",
        "part_size",
        "received"
      ])
      assert.deepStrictEqual([told.method, told.part_size, told.part_count, told.received], ["PUT", partSize, 2, []])
      assert.deepStrictEqual(Object.keys(missing[0]).toSorted(), ["number", "offset", "size_bytes", "url"])
      yield* sendMissing({ json: { data: { missing: missing.slice(1) } } }, large)
      assert.deepStrictEqual(outcome(yield* complete(club, begun)), [409, "upload_not_found"])
      const again = yield* resume(club, begun)
      assert.deepStrictEqual(at(again.json, "data", "received"), [2])
      assert.deepStrictEqual(yield* sendMissing(again, large), [204])
      assert.deepStrictEqual(at((yield* resume(club, begun)).json, "data", "missing"), [])
      const completed = yield* complete(club, begun)
      assert.deepStrictEqual([completed.status, at(completed.json, "data", "status")], [200, "ready"])
      assert.strictEqual((yield* complete(club, begun)).text, completed.text)
    }))

  it.effect("is over once it is completed, and for a video of a provider", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const begun = yield* begin(club, announced(png))
      yield* sendFile(begun, png)
      yield* complete(club, begun)
      assert.deepStrictEqual(outcome(yield* resume(club, begun)), [409, "upload_completed"])
      const hosted = { provider: "youtube", external_id: "Fl4utaDoce0", kind: "video", title: "A" }
      assert.deepStrictEqual(outcome(yield* resume(club, yield* begin(club, hosted))), [409, "upload_completed"])
    }))

  it.effect("of something else than was announced fails, is deleted and stays so", () =>
    Effect.gen(function*() {
      empty()
      const club = yield* foundClub()
      const begun = yield* begin(club, announced(exe))
      yield* sendMissing(yield* resume(club, begun), exe)
      assert.deepStrictEqual(outcome(yield* complete(club, begun)), [422, "upload_mismatch"])
      assert.deepStrictEqual(list(), [])
      assert.deepStrictEqual(outcome(yield* resume(club, begun)), [409, "upload_completed"])
    }))

  it.effect("is a student's own, and a mentorship's apart from the library", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const enrolled = Effect.map(enrolledStudent(club), (student) => ({ ...student, path: club.path }))
      const [ana, bia] = [yield* enrolled, yield* enrolled]
      const begun = yield* begin(ana, announced(png, { purpose: "comment" }))
      assert.deepStrictEqual(outcome(yield* resume(bia, begun, "/classroom")), [404, "not_found"])
      assert.deepStrictEqual(outcome(yield* resume(club, begun)), [404, "not_found"])
      assert.deepStrictEqual(yield* sendMissing(yield* resume(ana, begun, "/classroom"), png), [204])
      assert.strictEqual((yield* complete(ana, begun, "student")).status, 200)
      const file = yield* beginMentorship(club, announced(png))
      assert.deepStrictEqual(outcome(yield* resume(club, file)), [404, "not_found"])
      const resumed = yield* of(club, "POST", idOf(file), "/upload")
      assert.deepStrictEqual(yield* sendMissing(resumed, png), [204])
      assert.strictEqual((yield* of(club, "POST", idOf(file), "/complete")).status, 200)
    }))

  it.effect("belongs to one club: another's is unknown", () =>
    Effect.gen(function*() {
      const [club, other] = [yield* foundClub(), yield* foundClub()]
      const begun = yield* begin(club, announced(png))
      assert.deepStrictEqual(outcome(yield* resume(other, begun)), [404, "not_found"])
      assert.deepStrictEqual(outcome(yield* resume({ ...other, path: club.path }, begun)), [403, "forbidden"])
      yield* uploaded(club, png)
    }))
})
