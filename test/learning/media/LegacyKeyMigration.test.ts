import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Fiber, Layer, Logger, Redacted } from "effect"
import { HttpServer } from "effect/http"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { LegacyKeyMigration } from "../../../src/learning/media/LegacyKeyMigration.ts"
import { MediaCleanup } from "../../../src/learning/media/MediaCleanup.ts"
import { Storage, StorageKey } from "../../../src/platform/storage/Storage.ts"
import { appLayer, at, enrolledStudent, foundClub, send } from "../../harness/App.ts"
import { readingMuch } from "../../harness/RowsRead.ts"
import { untilBlocked, whileHeld } from "../../harness/Waiting.ts"
import { S3 } from "../../platform/storage/Drivers.ts"
import { localFolder } from "../../platform/storage/local/LocalFolder.ts"
import { areEqual, clubBytes } from "./Counts.ts"
import { announced, begin, placeOf, png, uploaded } from "./Files.ts"
import { uses } from "./Uses.ts"

/** The outside view of the files. */
class Outside extends Context.Service<Outside, {
  readonly list: () => ReadonlyArray<string>
  /** The address at which a client reaches a URL. */
  readonly reach: (url: string) => string
}>()("test/Outside") {}

const onThisMachine = () => {
  const { folder, list } = localFolder()
  const OutsideLayer = Layer.effect(
    Outside,
    Effect.gen(function*() {
      const { address } = yield* HttpServer.HttpServer
      if (address._tag === "UnixPathAddress") return yield* Effect.die(new Error("The server listens on no port"))
      const origin = `http://127.0.0.1:${address.port}`
      return { list, reach: (url) => `${origin}${new URL(url).pathname}` }
    })
  )
  return Layer.provideMerge(OutsideLayer, appLayer({ DATA_DIR: folder }))
}

const inBucket = () =>
  Layer.effect(Outside, Effect.map(S3, ({ list }) => ({ list, reach: (url: string) => url }))).pipe(
    Layer.provideMerge(Layer.unwrap(Effect.map(S3, ({ url }) => appLayer({ STORAGE_URL: url })))),
    Layer.provideMerge(S3.layer)
  )

const storages = { "on this machine": onThisMachine, "in a bucket": inBucket } as const

type Club = Effect.Success<ReturnType<typeof foundClub>>
type Caller = Parameters<typeof begin>[0]

/** An upload of an earlier version: its key has the club's internal id and its own id. */
const begunBefore = Effect.fnUntraced(function*(club: Club, caller: Caller = club, purpose?: string) {
  const sql = yield* SqlClient.SqlClient
  const { upload } = yield* Storage
  const { reach } = yield* Outside
  const begun = yield* begin(caller, announced(png, purpose === undefined ? {} : { purpose }))
  const id = String(at(begun.json, "data", "media", "id"))
  const key = StorageKey.make(`${club.id}/${id}`)
  yield* sql`update media set storage_key = ${key} where id = ${id}`
  const { headers, url } = yield* upload({ key, mime: "image/png", size_bytes: png.length })
  const sent = Effect.promise(() => fetch(reach(Redacted.value(url)), { method: "PUT", headers, body: png }))
  const completed = send(
    "POST",
    `${caller.path}${purpose === undefined ? "" : "/classroom"}/media/${id}/complete`,
    caller
  )
  return { id, key, sent: Effect.map(sent, ({ status }) => status), completed }
})

/** A file that an earlier version uploaded, and its record. */
const uploadedBefore = Effect.fnUntraced(function*(...given: Parameters<typeof begunBefore>) {
  const { completed, id, key, sent } = yield* begunBefore(...given)
  assert.include([200, 204], yield* sent)
  assert.strictEqual((yield* completed).status, 200)
  assert.strictEqual(yield* placeOf(id), key)
  return { id, key, place: placeOf(id) }
})

const addressOf = Effect.fnUntraced(function*({ path, token }: Caller, { id }: { readonly id: string }) {
  const { json } = yield* send("GET", `${path}/media/${id}/download`, { token })
  return String(at(json, "data", "url"))
})

const fetched = Effect.fnUntraced(function*(address: string) {
  const { reach } = yield* Outside
  return yield* Effect.promise(async () => Buffer.from(await (await fetch(reach(address))).arrayBuffer()))
})

/** True if a caller can download the file. */
const isThere = Effect.fnUntraced(function*(caller: Caller, file: { readonly id: string }) {
  return png.equals(yield* fetched(yield* addressOf(caller, file)))
})

/** The text of an address and of its token. */
const saidBy = (address: string) => {
  const token = new URL(address).pathname.split("/").at(-1) ?? ""
  return [address, Buffer.from(token.split(".")[0] ?? "", "base64url").toString()].join("\n")
}

const move = Effect.flatMap(LegacyKeyMigration, (places) => places.move)
const moveAll = Effect.repeat(move, { while: (moved) => moved > 0 })
const deleteFiles = Effect.flatMap(MediaCleanup, (cleanup) => cleanup.deleteFiles)

/** Moves files with `copy` in place of the copy. */
const moveWith = Effect.fnUntraced(function*(
  copy: (copying: Effect.Effect<boolean>, key: StorageKey) => Effect.Effect<boolean>
) {
  const storage = yield* Storage
  const watched = Storage.of({
    ...storage,
    copy: (...places) => copy(Effect.orDie(storage.copy(...places)), places[0])
  })
  const context = yield* Layer
    .build(Layer.fresh(LegacyKeyMigration.layer).pipe(Layer.provide(Layer.succeed(Storage, watched))))
  return yield* Effect.provide(move, context)
}, Effect.scoped)

const killed = Effect.die(new Error("killed"))

describe.each(Object.entries(storages))("Files %s", (_, storage) => {
  const serviceLayer = () =>
    Layer.mergeAll(MediaCleanup.layer, LegacyKeyMigration.layer).pipe(Layer.provideMerge(storage()))

  layer(serviceLayer())("whose places hold the id of their club", (it) => {
    it.effect("get others, are there all the time, count once, and leave the old place when a day is over", () =>
      Effect.gen(function*() {
        const { list } = yield* Outside
        const club = yield* foundClub()
        const file = yield* uploadedBefore(club)
        const before = yield* addressOf(club, file)
        assert.include(saidBy(before), club.id)
        assert.isTrue(png.equals(yield* fetched(before)))
        const bytes = yield* clubBytes(club)

        assert.deepStrictEqual([yield* move, yield* move], [1, 0])
        const after = yield* addressOf(club, file)
        assert.notInclude(saidBy(after), club.id)
        for (const address of [before, after]) assert.isTrue(png.equals(yield* fetched(address)))
        assert.deepStrictEqual([yield* clubBytes(club), yield* areEqual], [bytes, 1])

        yield* TestClock.adjust("23 hours")
        assert.strictEqual(yield* deleteFiles, 0)
        assert.lengthOf(list(), 2)
        yield* TestClock.adjust("1 hour")
        assert.strictEqual(yield* deleteFiles, 1)
        assert.deepStrictEqual(list(), [`kept/${yield* file.place}`])
        assert.isTrue(yield* isThere(club, file))
        assert.deepStrictEqual([yield* clubBytes(club), yield* areEqual], [bytes, 1])
        assert.strictEqual((yield* send("DELETE", `${club.path}/media/${file.id}`, club)).status, 204)
        yield* deleteFiles
        assert.deepStrictEqual(list(), [])
      }))

    it.effect("are moved when they are confirmed, and not before", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const coming = yield* begunBefore(club)
        assert.strictEqual(yield* move, 0)
        assert.include([200, 204], yield* coming.sent)
        assert.strictEqual(yield* move, 0)
        assert.strictEqual((yield* coming.completed).status, 200)
        assert.deepStrictEqual([yield* move, yield* move], [1, 0])
        assert.isTrue(yield* isThere(club, coming))
        // A second confirmation succeeds too, even after the move.
        assert.strictEqual((yield* coming.completed).status, 200)
      }))

    it.effect("are moved once, however many move them", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const student = { ...(yield* enrolledStudent(club)), path: club.path }
        const files = yield* Effect.replicateEffect(uploadedBefore(club), 8)
        const theirs = yield* uploadedBefore(club, student, "comment")
        const bytes = yield* clubBytes(club)
        yield* Effect.all([moveAll, moveAll, moveAll, moveAll], { concurrency: "unbounded" })
        yield* moveAll
        for (const file of files) {
          assert.notInclude(yield* file.place, club.id)
          assert.isTrue(yield* isThere(club, file))
        }
        assert.notInclude(yield* theirs.place, club.id)
        assert.strictEqual(yield* clubBytes(club), bytes)
        yield* areEqual
      }))
  })

  layer(serviceLayer())("whose mover dies", (it) => {
    it.effect("before or after the copy are moved an hour later, and no copy is left", () =>
      Effect.gen(function*() {
        const { list } = yield* Outside
        const sql = yield* SqlClient.SqlClient
        const club = yield* foundClub()
        for (const dies of [() => killed, Effect.andThen(killed)]) {
          const file = yield* uploadedBefore(club)
          yield* Effect.exit(moveWith(dies))
          assert.strictEqual(yield* file.place, file.key)
          assert.isTrue(yield* isThere(club, file))
          yield* TestClock.adjust("59 minutes")
          assert.deepStrictEqual([yield* deleteFiles, yield* move], [0, 0])
          yield* TestClock.adjust("1 minute")
          // Processes of the earlier version also find no entry here for the file's next place.
          assert.deepStrictEqual(yield* sql`select storage_key from removed_files`, [])
          assert.deepStrictEqual([yield* deleteFiles, yield* move, yield* move], [0, 1, 0])
          assert.notInclude(yield* file.place, club.id)
          assert.isTrue(yield* isThere(club, file))
          yield* areEqual
          yield* TestClock.adjust("24 hours")
          yield* deleteFiles
          assert.include(list(), `kept/${yield* file.place}`)
          assert.notInclude(list(), `kept/${file.key}`)
        }
        assert.lengthOf(list(), 2)
      }))

    it.effect("and whose record is deleted then leave no copy", () =>
      Effect.gen(function*() {
        const { list } = yield* Outside
        const club = yield* foundClub()
        const before = list()
        const file = yield* uploadedBefore(club)
        yield* Effect.exit(moveWith(Effect.andThen(killed)))
        yield* send("DELETE", `${club.path}/media/${file.id}`, club)
        yield* TestClock.adjust("1 hour")
        assert.strictEqual(yield* move, 0)
        yield* deleteFiles
        assert.deepStrictEqual(list(), before)
        yield* areEqual
      }))
  })

  layer(serviceLayer())("that somebody deletes", (it) => {
    it.effect("while they are moved are gone within moments, and so is the copy", () =>
      Effect.gen(function*() {
        const { list } = yield* Outside
        const club = yield* foundClub()
        const context = yield* Effect.context<Effect.Services<ReturnType<typeof send>>>()
        const file = yield* uploadedBefore(club)
        const gone = Effect.provide(send("DELETE", `${club.path}/media/${file.id}`, club), context)
        yield* moveWith(Effect.tap(() => Effect.orDie(gone)))
        yield* deleteFiles
        assert.deepStrictEqual(list(), [])
        yield* areEqual
      }))

    it.effect("at the moment at which they are moved are gone from both places within moments", () =>
      Effect.gen(function*() {
        const { list } = yield* Outside
        const club = yield* foundClub()
        const student = { ...(yield* enrolledStudent(club)), path: club.path }
        const gone = Effect.fnUntraced(function*(path: string) {
          const deletion = Effect.tap(Effect.forkChild(send("DELETE", path, club)), untilBlocked())
          const going = yield* whileHeld(move, deletion)
          assert.include([200, 202, 204], (yield* Fiber.join(going)).status)
          yield* deleteFiles
          assert.deepStrictEqual(list(), [])
          yield* areEqual
        })
        const file = yield* uploadedBefore(club)
        yield* gone(`${club.path}/media/${file.id}`)
        yield* uploadedBefore(club, student, "comment")
        yield* gone(`${club.path}/students/${student.id}`)
      }))

    it.effect("on the day on which they were moved are gone from both places within moments", () =>
      Effect.gen(function*() {
        const { list } = yield* Outside
        const club = yield* foundClub()
        const student = { ...(yield* enrolledStudent(club)), path: club.path }
        const file = yield* uploadedBefore(club)
        const [used, unused] = [
          yield* uploadedBefore(club, student, "comment"),
          yield* uploadedBefore(club, student, "ask")
        ]
        yield* uses.comment(club, student, used.id)
        yield* moveAll
        assert.lengthOf(list(), 6)
        yield* send("DELETE", `${club.path}/media/${file.id}`, club)
        yield* deleteFiles
        assert.lengthOf(list(), 4)
        for (const { key } of [used, unused]) assert.include(list(), `kept/${key}`)
        yield* send("DELETE", `${club.path}/students/${student.id}`, club)
        yield* deleteFiles
        assert.deepStrictEqual(list(), [])
        yield* areEqual
      }))
  })

  layer(serviceLayer())("that are missing", (it) => {
    it.effect("are looked for once a day and are no work, and are moved when they are there", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const club = yield* foundClub()
        const missing = yield* uploadedBefore(club)
        const second = yield* uploadedBefore(club)
        yield* TestClock.adjust("1 second")
        const other = yield* uploadedBefore(club)
        const lines: Array<string> = []
        const without = moveWith((copying, key) => key === other.key ? copying : Effect.succeed(false))
          .pipe(Effect.provide(Logger.layer([Logger.map(Logger.formatJson, (line) => void lines.push(line))])))
        // Missing files do not block the others.
        assert.deepStrictEqual([yield* without, yield* without], [1, 0])
        assert.deepStrictEqual([yield* missing.place, yield* second.place], [missing.key, second.key])
        assert.notInclude(yield* other.place, club.id)
        assert.lengthOf(lines, 1)
        assert.include(lines[0], `"missing":2`)
        yield* TestClock.adjust("23 hours")
        assert.strictEqual(yield* move, 0)
        yield* TestClock.adjust("1 hour")
        assert.strictEqual(yield* without, 0)
        yield* TestClock.adjust("24 hours")
        assert.deepStrictEqual([yield* move, yield* move], [2, 0])
        assert.isTrue(yield* isThere(club, missing))
        // An earlier database returns after the removal of the old places.
        yield* TestClock.adjust("24 hours")
        yield* deleteFiles
        yield* sql`update media set storage_key = ${missing.key} where id = ${missing.id}`
        assert.deepStrictEqual([yield* move, yield* move], [1, 0])
        assert.isTrue(yield* isThere(club, missing))
        yield* areEqual
      }))
  })
})

layer(LegacyKeyMigration.layer.pipe(Layer.provideMerge(onThisMachine())))(
  "Looking for files whose places hold the id of their club",
  (it) => {
    it.effect("reads nothing once there is none", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const club = yield* foundClub()
        const file = yield* uploaded(club, png)
        yield* sql`
        insert into media (
          club_id, id, kind, purpose, title, provider, status, visibility, storage_key, size_bytes, created_at
        )
        select ${club.id}::uuid, gen_random_uuid(), 'file', 'library', 'A', 'storage', 'ready', 'private',
          'a/' || gen_random_uuid(), 1, '2026-01-01'
        from generate_series(1, 20000) n`
        yield* sql`vacuum (analyze) media`
        assert.deepStrictEqual(yield* readingMuch(move, 0), [])
        assert.strictEqual(yield* move, 0)
        assert.isTrue(yield* isThere(club, { id: file }))
      }))
  }
)
