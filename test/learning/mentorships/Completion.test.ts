import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { MediaCleanup } from "../../../src/learning/media/MediaCleanup.ts"
import { appLayer, at, foundClub, outcome } from "../../harness/App.ts"
import { warmPool } from "../../harness/Pool.ts"
import { call } from "../../harness/RawHttp.ts"
import { untilBlocked, whileHeld } from "../../harness/Waiting.ts"
import { localFolder, uploadPath } from "../../platform/storage/local/LocalFolder.ts"
import { announced, exe, html, jpeg, pdf, placeOf, png, uploaded as uploadedToLibrary } from "../media/Files.ts"
import { begin, complete, idOf, of, sent, uploaded } from "./Files.ts"

const { empty, folder, list } = localFolder()

const ServiceLayer = MediaCleanup.layer.pipe(Layer.provideMerge(appLayer({ DATA_DIR: folder })))

const mismatch = Effect.fnUntraced(function*(
  club: Parameters<typeof complete>[0],
  begun: { readonly json: unknown },
  error: string
) {
  const refused = yield* complete(club, begun)
  assert.deepStrictEqual(outcome(refused), [422, "upload_mismatch"], refused.text)
  assert.include(String(at(refused.json, "error", "message")), error)
  assert.deepStrictEqual(list(), [])
  assert.strictEqual((yield* complete(club, begun)).text, refused.text)
  const { json } = yield* of(club, "GET", idOf(begun))
  assert.deepInclude(Object(at(json, "data")), { status: "failed", error })
  assert.deepStrictEqual(outcome(yield* of(club, "GET", idOf(begun), "/download")), [409, "media_not_ready"])
  assert.strictEqual((yield* of(club, "DELETE", idOf(begun))).status, 204)
})

layer(ServiceLayer)("Completing the upload of a mentorship file", (it) => {
  it.effect.each([
    ["image/png", html, "expected image/png, found an unknown type"],
    ["image/png", jpeg, "expected image/png, found image/jpeg"],
    ["application/pdf", exe, "expected application/pdf, found application/x-msdownload"],
    ["text/plain", exe, "expected text/plain, found application/x-msdownload"]
  ] as const)(
    "refuses what is something else than %s, says so in the record and deletes the file",
    ([mime, file, error]) =>
      Effect.gen(function*() {
        empty()
        const club = yield* foundClub()
        yield* mismatch(club, yield* sent(club, file, { mime }), error)
      })
  )

  it.effect("refuses a file of another size, whatever way it came", () =>
    Effect.gen(function*() {
      empty()
      const club = yield* foundClub()
      const begun = yield* begin(club, announced(pdf, { mime: "application/pdf" }))
      const longer = Buffer.concat([pdf, Buffer.alloc(5)])
      const place = { mime: "application/pdf", size_bytes: longer.length }
      const path = yield* uploadPath({ ...place, at: yield* placeOf(idOf(begun)) })
      assert.strictEqual(
        (yield* call("PUT", path, { headers: { "Content-Type": place.mime }, body: longer })).status,
        204
      )
      yield* mismatch(club, begun, `expected ${pdf.length} bytes, found ${longer.length}`)
    }))

  it.effect.each([[png, 200], [jpeg, 422]] as const)(
    "many times at once ends it once and answers the same each time",
    ([file, status]) =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const club = yield* foundClub()
        const begun = yield* sent(club, file)
        yield* warmPool
        const row = sql`select 1 from media where club_id = ${club.id} and id = ${idOf(begun)} for update`
        const all = yield* whileHeld(
          row,
          Effect.gen(function*() {
            const fibers = yield* Effect.replicateEffect(Effect.forkChild(complete(club, begun)), 4)
            yield* untilBlocked(4)
            return fibers
          })
        )
        const answers = yield* Effect.forEach(all, (fiber) => Fiber.join(fiber))
        assert.deepStrictEqual(answers.map((answer) => answer.status), [status, status, status, status])
        assert.lengthOf(new Set(answers.map(({ text }) => text)), 1)
      })
  )

  it.effect("that comes too late answers what the other one found", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const club = yield* foundClub()
      const begun = yield* sent(club, png)
      const completing = yield* whileHeld(
        sql`
          update media set status = 'failed', error = 'found otherwise'
          where club_id = ${club.id} and id = ${idOf(begun)}`,
        Effect.gen(function*() {
          const fiber = yield* Effect.forkChild(complete(club, begun))
          yield* untilBlocked()
          return fiber
        })
      )
      const answer = yield* Fiber.join(completing)
      assert.deepStrictEqual(outcome(answer), [422, "upload_mismatch"])
      assert.include(answer.text, "found otherwise")
    }))

  it.effect("of what is deleted at this moment answers 404 and leaves no file", () =>
    Effect.gen(function*() {
      empty()
      const sql = yield* SqlClient.SqlClient
      const club = yield* foundClub()
      const begun = yield* sent(club, png)
      const completing = yield* whileHeld(
        sql`delete from media where club_id = ${club.id} and id = ${idOf(begun)}`,
        Effect.gen(function*() {
          const fiber = yield* Effect.forkChild(complete(club, begun))
          yield* untilBlocked()
          return fiber
        })
      )
      assert.deepStrictEqual(outcome(yield* Fiber.join(completing)), [404, "not_found"])
      assert.deepStrictEqual(list(), [])
    }))

  it.effect("before it is deleted leaves no file either", () =>
    Effect.gen(function*() {
      empty()
      const { deleteFiles } = yield* MediaCleanup
      const sql = yield* SqlClient.SqlClient
      const club = yield* foundClub()
      const begun = yield* sent(club, png)
      yield* warmPool
      const [completing, deleting] = yield* whileHeld(
        sql`select 1 from media where club_id = ${club.id} and id = ${idOf(begun)} for update`,
        Effect.gen(function*() {
          const first = yield* Effect.forkChild(complete(club, begun))
          yield* untilBlocked()
          const second = yield* Effect.forkChild(of(club, "DELETE", idOf(begun)))
          yield* untilBlocked(2)
          return [first, second] as const
        })
      )
      assert.strictEqual((yield* Fiber.join(deleting)).status, 204)
      // The answer comes from a second read of the record, which may have vanished by then.
      assert.include([200, 404], (yield* Fiber.join(completing)).status)
      assert.deepStrictEqual(outcome(yield* of(club, "GET", idOf(begun))), [404, "not_found"])
      yield* deleteFiles
      assert.deepStrictEqual(list(), [])
    }))

  it.effect("and deleting it at once leaves neither record nor file", () =>
    Effect.gen(function*() {
      empty()
      const { deleteFiles } = yield* MediaCleanup
      const club = yield* foundClub()
      yield* warmPool
      for (let round = 0; round < 10; round++) {
        const begun = yield* sent(club, png)
        const both = Effect.all([complete(club, begun), of(club, "DELETE", idOf(begun))], { concurrency: "unbounded" })
        const [done, gone] = yield* both
        assert.strictEqual(gone.status, 204)
        assert.include([200, 404], done.status)
        assert.deepStrictEqual(outcome(yield* of(club, "GET", idOf(begun))), [404, "not_found"])
      }
      yield* deleteFiles
      assert.deepStrictEqual(list(), [])
    }))
})

layer(ServiceLayer)("The upload of a mentorship file that nobody completes", (it) => {
  it.effect("is deleted after a day, with what has come of it", () =>
    Effect.gen(function*() {
      empty()
      const { deleteFiles, expire, sweepUnused } = yield* MediaCleanup
      const club = yield* foundClub()
      const abandoned = [idOf(yield* sent(club, png)), idOf(yield* begin(club, announced(png)))]
      const kept = yield* uploaded(club, pdf, { mime: "application/pdf" })
      const library = yield* uploadedToLibrary(club, png)
      yield* TestClock.adjust("23 hours")
      assert.strictEqual(yield* expire, 0)
      yield* TestClock.adjust("1 hour")
      const expired = yield* Effect.all([expire, expire], { concurrency: "unbounded" })
      assert.strictEqual(expired[0] + expired[1], 2)
      for (const id of abandoned) assert.deepStrictEqual(outcome(yield* of(club, "GET", id)), [404, "not_found"])
      yield* deleteFiles
      assert.deepStrictEqual(
        list(),
        (yield* Effect.forEach([library, kept], placeOf)).map((place) => `kept/${place}`).toSorted()
      )
      yield* TestClock.adjust("30 days")
      yield* Effect.all([expire, sweepUnused], { discard: true })
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql`select id from media where club_id = ${club.id} order by id`
      assert.deepStrictEqual(rows.map(({ id }) => id), [kept, library].toSorted())
    }))
})
