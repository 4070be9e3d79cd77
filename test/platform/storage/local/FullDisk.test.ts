import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import {
  ConfigProvider,
  Deferred,
  Effect,
  Exit,
  Fiber,
  FileSystem,
  Layer,
  Logger,
  Option,
  PlatformError,
  Stream
} from "effect"
import { SecureRandom } from "effect/crypto"
import { join } from "node:path"
import { RoutesLayer } from "../../../../src/App.ts"
import { ClubFiles } from "../../../../src/learning/media/ClubFiles.ts"
import { StudentUploads } from "../../../../src/learning/media/StudentUploads.ts"
import { Uploads } from "../../../../src/learning/media/Uploads.ts"
import { MentorshipFiles } from "../../../../src/learning/mentorships/MentorshipFiles.ts"
import { FreeSpace } from "../../../../src/platform/storage/local/FreeSpace.ts"
import { LocalFiles } from "../../../../src/platform/storage/local/LocalFiles.ts"
import { LocalStorageLayer } from "../../../../src/platform/storage/local/LocalStorage.ts"
import { StorageKey } from "../../../../src/platform/storage/Storage.ts"
import { appLayer, at, enrolledStudent, foundClub, send } from "../../../harness/App.ts"
import { call, isRefusal } from "../../../harness/RawHttp.ts"
import { announced, png, sendFile } from "../../../learning/media/Files.ts"
import { key, localFolder, uploadPath } from "./LocalFolder.ts"

const { empty, folder, list } = localFolder()
const mebibyte = 1024 * 1024

const put = (path: string, body: string | Uint8Array) =>
  call("PUT", path, { headers: { "Content-Type": "text/plain" }, body })

// No disk has this much space.
layer(appLayer({ DATA_DIR: folder, STORAGE_FREE_FLOOR: "4 PiB" }))(
  "A disk with less free space than the floor",
  (it) => {
    it.effect("takes no upload and leaves nothing of it, while all else goes on", () =>
      Effect.gen(function*() {
        empty()
        const path = yield* uploadPath({ size_bytes: 5 })
        isRefusal(yield* put(path, "hello"), 507, "storage_full")
        assert.deepStrictEqual(list(), [])
        assert.strictEqual((yield* send("GET", "/v1/health")).status, 200)
      }))
  }
)

layer(appLayer({ DATA_DIR: folder, RATE_LIMIT_WRITES: "3" }))(
  "Uploads from one address",
  (it) => {
    it.effect("are counted like its other writes, whatever becomes of them", () =>
      Effect.gen(function*() {
        empty()
        const path = yield* uploadPath({ size_bytes: 5 })
        const answers = [yield* put(path, "hello"), yield* put(path, "hello!"), yield* put(`${path}x`, "hello")]
        assert.deepStrictEqual(answers.map(({ status }) => status), [204, 422, 403])
        assert.strictEqual(answers[0]?.headers["ratelimit-policy"], `"ip-writes";q=3;w=60`)
        const refused = yield* put(path, "hello")
        isRefusal(refused, 429, "rate_limited")
        assert.strictEqual(refused.headers["retry-after"], "60")
      }))
  }
)

const noSpace = (code: string) =>
  Effect.fail(PlatformError.systemError({
    _tag: "Unknown",
    module: "FileSystem",
    method: "any",
    cause: Object.assign(new Error("no space left on device"), { code })
  }))

/** Files on a disk that answers `free` for its space and `written` for each write. */
const filesOn = Effect.fnUntraced(function*(
  free: () => number,
  written: (bytes: Uint8Array) => Effect.Effect<void, PlatformError.PlatformError> = () => Effect.void,
  other: Partial<FileSystem.FileSystem> = {}
) {
  const fs = { ...(yield* FileSystem.FileSystem), ...other }
  const watched: FileSystem.FileSystem = {
    ...fs,
    open: (...given) =>
      Effect.map(fs.open(...given), (file) =>
        Object.assign(Object.create(file), {
          writeAll: (bytes: Uint8Array) => Effect.andThen(written(bytes), file.writeAll(bytes))
        }))
  }
  const context = yield* Layer.build(LocalFiles.layerNoDeps.pipe(Layer.provide([
    Layer.succeed(FreeSpace, FreeSpace.of({ of: () => Effect.sync(free) })),
    Layer.succeed(FileSystem.FileSystem, watched),
    ConfigProvider.layer(ConfigProvider.fromUnknown({ DATA_DIR: folder, STORAGE_FREE_FLOOR: "10 MiB" }))
  ])))
  return yield* Effect.provide(LocalFiles, context)
})

const body = (mebibytes: number) => Stream.fromIterable(Array.from({ length: mebibytes }, () => Buffer.alloc(mebibyte)))

/** Writes three mebibytes slowly, in small chunks after `go`. Ends once the write has begun or is refused. */
const startSlow = Effect.fnUntraced(function*(
  files: LocalFiles["Service"],
  name: string,
  go: Deferred.Deferred<void>
) {
  const chunks = Array.from({ length: 48 }, () => Buffer.alloc(64 * 1024))
  const begun = yield* Deferred.make<void>()
  const bytes = Stream.concat(
    Stream.fromEffect(Effect.as(Deferred.succeed(begun, undefined), Buffer.alloc(0))),
    Stream.unwrap(Effect.as(Deferred.await(go), Stream.fromIterable(chunks)))
  )
  const fiber = yield* Effect.forkChild(files.write(StorageKey.make(`club/${name}`), 3 * mebibyte, bytes))
  yield* Effect.race(Deferred.await(begun), Fiber.await(fiber))
  return fiber
})

/** The end of each write. */
const endsOf = (fibers: ReadonlyArray<Fiber.Fiber<void, { readonly _tag: string }>>) =>
  Effect.map(
    Fiber.awaitAll([...fibers]),
    (exits) => exits.map((exit) => Exit.isSuccess(exit) ? "stored" : Option.getOrThrow(Exit.findErrorOption(exit))._tag)
  )

layer(Layer.mergeAll(NodeServices.layer, SecureRandom.layerWebCrypto))("A file that comes to a disk", (it) => {
  it.effect("is refused where it would take the floor with what others have announced", () =>
    Effect.gen(function*() {
      empty()
      let free = 17 * mebibyte
      const files = yield* filesOn(() => free, ({ length }) => Effect.sync(() => void (free -= length)))
      // The disk gets announced bytes back that do not come.
      for (const _ of [1, 2, 3]) {
        const short = yield* Effect.flip(files.write(key, 6 * mebibyte, body(1)))
        assert.strictEqual(short._tag, "UploadSizeWrong")
        free += mebibyte
      }
      const go = yield* Deferred.make<void>()
      const uploads = yield* Effect.forEach(["a", "b", "c", "d"], (name) => startSlow(files, name, go))
      yield* Deferred.succeed(go, undefined)
      assert.deepStrictEqual(yield* endsOf(uploads), ["stored", "stored", "StorageFull", "StorageFull"])
      assert.strictEqual(free, 11 * mebibyte)
      assert.deepStrictEqual(list(), ["uploads/club.a", "uploads/club.b"])
      yield* files.write(key, mebibyte, body(1))
    }))

  it.effect("ends where other processes take the floor with files as small, and goes on once there is room", () =>
    Effect.gen(function*() {
      empty()
      let free = 20 * mebibyte
      let least = free
      const written = ({ length }: Uint8Array) =>
        Effect.sync(() => {
          free -= length
          least = Math.min(least, free)
        })
      const processes = yield* Effect.forEach([1, 2], () => filesOn(() => free, written))
      const go = yield* Deferred.make<void>()
      const uploads = yield* Effect.forEach(
        processes.flatMap((files, index) => ["a", "b", "c"].map((name) => [files, `${name}${index}`] as const)),
        ([files, name]) => startSlow(files, name, go)
      )
      yield* Deferred.succeed(go, undefined)
      const ends = yield* endsOf(uploads)
      assert.include(ends, "StorageFull")
      // Each process notices the others after a mebibyte. By then it has at most its own chunks in flight.
      assert.isAtLeast(least, (10 - 2) * mebibyte - uploads.length * 64 * 1024)
      assert.lengthOf(list(), ends.filter((end) => end === "stored").length)
      free = 13 * mebibyte
      for (const files of processes) {
        yield* files.write(key, 3 * mebibyte, body(3))
        free = 13 * mebibyte
      }
    }))

  it.effect("is refused before it begins where it would take the floor", () =>
    Effect.gen(function*() {
      empty()
      const files = yield* filesOn(() => 14 * mebibyte)
      assert.strictEqual((yield* Effect.flip(files.write(key, 5 * mebibyte, body(5))))._tag, "StorageFull")
      assert.deepStrictEqual(list(), [])
      yield* files.write(key, 4 * mebibyte, body(4))
      assert.deepStrictEqual(list(), ["uploads/club.file"])
    }))

  it.effect("is settled when the names of all folders above it are synced, however often that failed", () =>
    Effect.gen(function*() {
      empty()
      const synced: Array<string> = []
      let full: string | undefined
      const fs = yield* FileSystem.FileSystem
      const files = yield* filesOn(() => 100 * mebibyte, undefined, {
        open: (path, ...asked) =>
          Effect.map(fs.open(path, ...asked), (file) =>
            Object.create(file, {
              sync: {
                value: Effect.suspend(() =>
                  path === full ? noSpace("ENOSPC") : Effect.tap(file.sync, () => Effect.sync(() => synced.push(path)))
                )
              }
            }))
      })
      yield* files.write(key, mebibyte, body(1))
      synced.length = 0
      const [top, all, place] = ["files", "files/kept", "files/kept/club"].map((name) => join(folder, name))
      for (full of [all, top, folder, place]) {
        assert.strictEqual((yield* Effect.flip(files.settle(key)))._tag, "StorageFull")
        assert.strictEqual((yield* Effect.flip(files.settle(key)))._tag, "StorageFull")
      }
      full = undefined
      assert.deepStrictEqual(yield* files.settle(key), Option.some(mebibyte))
      assert.sameMembers(synced, [folder, top, all, place])
      // Each folder is created and synced once, so this only syncs the folder of the copy.
      yield* files.copy(key, StorageKey.make("club/copy"))
      assert.sameMembers(synced, [folder, top, all, place, place])
    }))

  it.effect("is refused and not settled with one warning in the log for both", () =>
    Effect.gen(function*() {
      empty()
      const lines: Array<string> = []
      let isFull = false
      const fs = yield* FileSystem.FileSystem
      const files = yield* filesOn(() => isFull ? 0 : 100 * mebibyte, undefined, {
        link: (...given: Parameters<typeof fs.link>) => isFull ? noSpace("ENOSPC") : fs.link(...given)
      })
      yield* files.write(key, mebibyte, body(1))
      isFull = true
      yield* Effect.all([
        Effect.flip(files.settle(key)),
        Effect.flip(files.write(StorageKey.make("club/other"), mebibyte, body(1)))
      ]).pipe(Effect.provide(Logger.layer([Logger.map(Logger.formatJson, (line) => void lines.push(line))])))
      assert.lengthOf(lines, 1)
      assert.include(lines[0], "Uploads are refused")
    }))

  it.effect("ends where others take the floor meanwhile, and nothing is left of it", () =>
    Effect.gen(function*() {
      empty()
      let free = 100 * mebibyte
      let come = 0
      const files = yield* filesOn(() => free, ({ length }) =>
        Effect.sync(() => {
          come += length
          if (come >= 10 * mebibyte) free = 5 * mebibyte
        }))
      assert.strictEqual((yield* Effect.flip(files.write(key, 50 * mebibyte, body(50))))._tag, "StorageFull")
      assert.isAtMost(come, 14 * mebibyte)
      assert.deepStrictEqual(list(), [])
    }))

  it.effect.each(["ENOSPC", "EDQUOT"])(
    "ends where there is no space left (%s), and nothing is left of it",
    (code) =>
      Effect.gen(function*() {
        empty()
        let come = 0
        const files = yield* filesOn(() => 100 * mebibyte, ({ length }) => {
          come += length
          return come > 3 * mebibyte ? noSpace(code) : Effect.void
        })
        assert.strictEqual((yield* Effect.flip(files.write(key, 5 * mebibyte, body(5))))._tag, "StorageFull")
        assert.deepStrictEqual(list(), [])
        // The key is free again.
        yield* files.write(key, 0, Stream.empty)
      })
  )

  it.effect.each(["ENOSPC", "EDQUOT"].flatMap((code) =>
    (["makeDirectory", "link", "remove", "open"] as const).map((step) =>
      [code, step] as const
    )
  ))(
    "is settled or copied later where there is no space left (%s) for its name, at %s",
    ([code, step]) =>
      Effect.gen(function*() {
        empty()
        let isFull = false
        const fs = yield* FileSystem.FileSystem
        const watched = { makeDirectory: fs.makeDirectory, link: fs.link, remove: fs.remove, open: fs.open }
        const files = yield* filesOn(() => 100 * mebibyte, undefined, {
          ...watched,
          [step]: (...given: Parameters<typeof fs.link>) => isFull ? noSpace(code) : watched[step](...given)
        })
        yield* files.write(key, mebibyte, body(1))
        isFull = true
        assert.strictEqual((yield* Effect.flip(files.settle(key)))._tag, "StorageFull")
        isFull = false
        assert.deepStrictEqual(yield* files.settle(key), Option.some(mebibyte))
        const other = StorageKey.make("other/place")
        isFull = true
        if (step !== "remove") assert.strictEqual((yield* Effect.flip(files.copy(key, other)))._tag, "StorageFull")
        isFull = false
        assert.isTrue(yield* files.copy(key, other))
        assert.includeMembers([...list()], ["kept/club/file", "kept/other/place"])
      })
  )
})

/** A storage that completes uploads. While `full.now` is true, its disk has no space left for a name. */
const full = { now: false }
const FullStorageLayer = LocalStorageLayer.pipe(
  Layer.provide(LocalFiles.layerNoDeps),
  Layer.provide([FreeSpace.layer, SecureRandom.layerWebCrypto]),
  Layer.provide(Layer.effect(
    FileSystem.FileSystem,
    Effect.map(FileSystem.FileSystem, (fs) => ({
      ...fs,
      link: (...given: Parameters<typeof fs.link>) =>
        full.now && given[1].includes("kept") ? noSpace("ENOSPC") : fs.link(...given)
    }))
  )),
  Layer.provide(NodeServices.layer)
)
const FullRoutesLayer = RoutesLayer
  .pipe(Layer.provide(Layer.fresh(Layer.mergeAll(ClubFiles.layer, MentorshipFiles.layer, StudentUploads.layer).pipe(
    Layer.provide(Uploads.layer),
    Layer.provide(FullStorageLayer)
  ))))

layer(appLayer({ DATA_DIR: folder }, { routes: FullRoutesLayer }))(
  "An upload that is confirmed while there is no space left for its name",
  (it) => {
    it.effect("is refused, and is confirmed when there is", () =>
      Effect.gen(function*() {
        empty()
        const club = yield* foundClub()
        const student = yield* enrolledStudent(club)
        for (
          const [place, token, more] of [
            ["/media", club.token, {}],
            ["/mentorship-files", club.token, {}],
            ["/classroom/media", student.token, { purpose: "comment" }]
          ] as const
        ) {
          const begun = yield* send("POST", `${club.path}${place}`, { token, body: announced(png, more) })
          assert.strictEqual((yield* sendFile(begun, png)).status, 204)
          const media = `${club.path}${place}/${String(at(begun.json, "data", "media", "id"))}`
          const before = list()
          full.now = true
          isRefusal(yield* call("POST", `${media}/complete`, { token }), 507, "storage_full")
          assert.deepStrictEqual(list(), before)
          full.now = false
          const completed = yield* send("POST", `${media}/complete`, { token })
          assert.deepStrictEqual([completed.status, at(completed.json, "data", "status")], [200, "ready"])
        }
      }))
  }
)
