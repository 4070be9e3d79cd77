import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Effect, FileSystem, Layer, Option, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { UploadCompleted } from "../../../../src/platform/http/errors.ts"
import { FreeSpace } from "../../../../src/platform/storage/local/FreeSpace.ts"
import { LocalFiles } from "../../../../src/platform/storage/local/LocalFiles.ts"
import { key, localFolder } from "./LocalFolder.ts"

const { folder, list } = localFolder()

const upload = join(folder, "files/uploads", key.replace("/", "."))

/** Files of the folder, over this file system. */
const filesOn = (fs: FileSystem.FileSystem) =>
  Effect.map(
    Layer.build(LocalFiles.layerNoDeps.pipe(
      Layer.provide([FreeSpace.layer, Layer.succeed(FileSystem.FileSystem, fs)]),
      Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ DATA_DIR: folder, STORAGE_FREE_FLOOR: "0 B" })))
    )),
    (context) => Effect.provide(LocalFiles, context)
  ).pipe(Effect.flatten)

const send = (files: LocalFiles["Service"], text: string) => files.write(key, 5, Stream.make(Buffer.from(text)))

const kept = (files: LocalFiles["Service"]) =>
  Effect.map(Stream.runCollect(files.read(key)), (chunks) => Buffer.concat(chunks).toString())

layer(Layer.mergeAll(NodeServices.layer, SecureRandom.layerWebCrypto))(
  "A file that is settled on this machine",
  (it) => {
    it.effect("is not replaced by one that came meanwhile, whoever settles late", () =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        const files = yield* filesOn(fs)
        let isBetween = false
        // Between two steps of the late settlement, another one settles, and an earlier upload ends.
        const between = Effect.gen(function*() {
          if (isBetween) return
          isBetween = true
          assert.deepStrictEqual(yield* files.settle(key), Option.some(5))
          writeFileSync(upload, "other")
        })
        const late = yield* filesOn({
          ...fs,
          makeDirectory: (...asked) => Effect.andThen(Effect.orDie(between), fs.makeDirectory(...asked))
        })
        yield* send(files, "first")
        assert.deepStrictEqual(yield* late.settle(key), Option.some(5))
        assert.deepStrictEqual([isBetween, yield* kept(files)], [true, "first"])
        assert.deepStrictEqual(list(), [`kept/${key}`])
      }))

    it.effect("may come just after it was looked for, and is there the next time", () =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        const files = yield* filesOn(fs)
        yield* files.remove(key)
        const early = yield* filesOn({
          ...fs,
          link: (...asked) => Effect.ensuring(fs.link(...asked), Effect.orDie(send(files, "first")))
        })
        assert.deepStrictEqual(yield* early.settle(key), Option.none())
        assert.deepStrictEqual(yield* files.settle(key), Option.some(5))
        assert.strictEqual(yield* kept(files), "first")
      }))

    it.effect("is not replaced by an upload that began before, which is refused at its end and leaves nothing", () =>
      Effect.gen(function*() {
        const files = yield* filesOn(yield* FileSystem.FileSystem)
        yield* files.remove(key)
        yield* send(files, "first")
        const settling = Stream.fromEffect(Effect.as(files.settle(key), Buffer.from("er")))
        const begun = files.write(key, 5, Stream.concat(Stream.make(Buffer.from("oth")), settling))
        assert.instanceOf(yield* Effect.flip(begun), UploadCompleted)
        assert.strictEqual(yield* kept(files), "first")
        assert.deepStrictEqual(list(), [`kept/${key}`])
      }))
  }
)
