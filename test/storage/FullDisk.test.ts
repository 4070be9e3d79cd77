import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Effect, FileSystem, Layer, PlatformError, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { FreeSpace } from "../../src/storage/FreeSpace.ts"
import { LocalFiles } from "../../src/storage/LocalFiles.ts"
import { appLayer, send } from "../support/App.ts"
import { call, isRefusal } from "../support/RawHttp.ts"
import { key, localFolder, uploadPath } from "./LocalFolder.ts"

const { empty, folder, list } = localFolder()
const mebibyte = 1024 * 1024

const put = (path: string, body: string | Uint8Array) =>
  call("PUT", path, { headers: { "Content-Type": "text/plain" }, body })

// No disk has so much.
layer(appLayer({ DATA_DIR: folder, STORAGE_FREE_FLOOR: "4 PiB" }), { timeout: "60 seconds" })(
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

layer(appLayer({ DATA_DIR: folder, RATE_LIMIT_WRITES: "3" }), { timeout: "60 seconds" })(
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

/** Files on a disk that says what it has left each time it is asked, and what becomes of a write. */
const filesOn = Effect.fnUntraced(function*(
  free: () => number,
  written: (bytes: Uint8Array) => Effect.Effect<void, PlatformError.PlatformError> = () => Effect.void
) {
  const fs = yield* FileSystem.FileSystem
  const watched: FileSystem.FileSystem = {
    ...fs,
    open: (...given) =>
      Effect.map(fs.open(...given), (file) =>
        Object.assign(Object.create(file), {
          writeAll: (bytes: Uint8Array) => Effect.andThen(written(bytes), file.writeAll(bytes))
        }))
  }
  const context = yield* Layer.build(LocalFiles.layerNoDeps.pipe(
    Layer.provide([
      Layer.succeed(FreeSpace, FreeSpace.of({ of: () => Effect.sync(free) })),
      Layer.succeed(FileSystem.FileSystem, watched),
      ConfigProvider.layer(ConfigProvider.fromUnknown({ DATA_DIR: folder, STORAGE_FREE_FLOOR: "10 MiB" }))
    ])
  ))
  return yield* Effect.provide(LocalFiles, context)
})

const body = (mebibytes: number) => Stream.fromIterable(Array.from({ length: mebibytes }, () => Buffer.alloc(mebibyte)))

layer(Layer.mergeAll(NodeServices.layer, SecureRandom.layerWebCrypto))("A file that comes to a disk", (it) => {
  it.effect("is refused before it begins where it would take the floor", () =>
    Effect.gen(function*() {
      empty()
      const files = yield* filesOn(() => 14 * mebibyte)
      assert.strictEqual((yield* Effect.flip(files.write(key, 5 * mebibyte, body(5))))._tag, "StorageFull")
      assert.deepStrictEqual(list(), [])
      yield* files.write(key, 4 * mebibyte, body(4))
      assert.deepStrictEqual(list(), ["uploads/club.file"])
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
          const cause = Object.assign(new Error("no space left on device"), { code })
          const error = PlatformError.systemError({ _tag: "Unknown", module: "FileSystem", method: "write", cause })
          return come > 3 * mebibyte ? Effect.fail(error) : Effect.void
        })
        assert.strictEqual((yield* Effect.flip(files.write(key, 5 * mebibyte, body(5))))._tag, "StorageFull")
        assert.deepStrictEqual(list(), [])
        // The key is free.
        yield* files.write(key, 0, Stream.empty)
      })
  )
})
