import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { MediaCleanup } from "../../../src/learning/media/MediaCleanup.ts"
import { appLayer, enrolledStudent, foundClub, outcome, send } from "../../harness/App.ts"
import { makeBlock, makeLiveLesson, makeMedia, makeRepository, makeRepositoryFile } from "../../harness/Makers.ts"
import { localFolder } from "../../platform/storage/local/LocalFolder.ts"
import { announced, begin, pdf, placeOf, png, sendFile, uploaded } from "./Files.ts"
import { uses } from "./Uses.ts"

const { empty, folder, list } = localFolder()

const ServiceLayer = MediaCleanup.layer.pipe(Layer.provideMerge(appLayer({ DATA_DIR: folder })))

const rowsOf = Effect.fnUntraced(function*(club: { readonly id: string }) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`select id from media where club_id = ${club.id} order by id`
  return rows.map(({ id }) => id)
})

layer(ServiceLayer)("A deleted media record", (it) => {
  it.effect("takes its file with it, a moment later", () =>
    Effect.gen(function*() {
      empty()
      const { deleteFiles } = yield* MediaCleanup
      const club = yield* foundClub()
      const id = yield* uploaded(club, png)
      const kept = yield* uploaded(club, png)
      assert.strictEqual((yield* send("DELETE", `${club.path}/media/${id}`, club)).status, 204)
      assert.deepStrictEqual(outcome(yield* send("GET", `${club.path}/media/${id}`, club)), [404, "not_found"])
      assert.lengthOf(list(), 2)
      yield* Effect.all([deleteFiles, deleteFiles, deleteFiles], { concurrency: "unbounded" })
      assert.deepStrictEqual(list(), [`kept/${yield* placeOf(kept)}`])
      assert.strictEqual(yield* deleteFiles, 0)
    }))

  it.effect("is none that a block or a repository shows", () =>
    Effect.gen(function*() {
      const { deleteFiles } = yield* MediaCleanup
      const club = yield* foundClub()
      const { lesson } = yield* makeLiveLesson(club)
      const [inBlock, inRepository] = [yield* makeMedia(club), yield* makeMedia(club)]
      yield* makeBlock(club, lesson, { kind: "file", media_id: inBlock.id })
      yield* makeRepositoryFile(club, yield* makeRepository(club), inRepository)
      for (const { id } of [inBlock, inRepository]) {
        const answer = yield* send("DELETE", `${club.path}/media/${id}`, club)
        assert.deepStrictEqual(outcome(answer), [409, "media_in_use"])
      }
      assert.strictEqual(yield* deleteFiles, 0)
      assert.lengthOf(yield* rowsOf(club), 2)
    }))

  it.effect("is deleted or attached, whichever comes first", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const { lesson } = yield* makeLiveLesson(club)
      for (let n = 0; n < 5; n++) {
        const media = yield* makeMedia(club)
        const [gone, attached] = yield* Effect.all([
          send("DELETE", `${club.path}/media/${media.id}`, club),
          Effect.exit(makeBlock(club, lesson, { kind: "file", media_id: media.id }))
        ], { concurrency: "unbounded" })
        assert.strictEqual(gone.status, attached._tag === "Success" ? 409 : 204)
      }
    }))
})

layer(ServiceLayer)("An upload that is not completed", (it) => {
  it.effect("is deleted after a day, with what has come of it", () =>
    Effect.gen(function*() {
      empty()
      const { deleteFiles, expire } = yield* MediaCleanup
      const club = yield* foundClub()
      const begun = yield* begin(club, announced(png))
      yield* sendFile(begun, png)
      const kept = yield* uploaded(club, pdf, { mime: "application/pdf" })
      yield* TestClock.adjust("23 hours")
      assert.strictEqual(yield* expire, 0)
      yield* TestClock.adjust("1 hour")
      yield* Effect.all([expire, expire], { concurrency: "unbounded" })
      assert.deepStrictEqual(yield* rowsOf(club), [kept])
      yield* deleteFiles
      assert.deepStrictEqual(list(), [`kept/${yield* placeOf(kept)}`])
    }))
})

layer(ServiceLayer)("What a student uploaded", (it) => {
  it.effect("and used for nothing is deleted after a week", () =>
    Effect.gen(function*() {
      empty()
      const { deleteFiles, sweepUnused } = yield* MediaCleanup
      const club = yield* foundClub()
      const student = { ...(yield* enrolledStudent(club)), path: club.path }
      const library = yield* uploaded(club, png)
      const unused = yield* uploaded(student, png, { purpose: "comment" })
      const used: Array<unknown> = []
      for (const [purpose, use] of Object.entries(uses)) {
        const id = yield* uploaded(student, png, { purpose })
        yield* use(club, student, id)
        used.push(id)
      }
      yield* TestClock.adjust("167 hours")
      yield* sweepUnused
      assert.include(yield* rowsOf(club), unused)
      yield* TestClock.adjust("1 hour")
      yield* Effect.all([sweepUnused, sweepUnused], { concurrency: "unbounded" })
      assert.sameMembers(yield* rowsOf(club), [library, ...used])
      yield* deleteFiles
      assert.lengthOf(list(), 4)
    }))
})
