import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Cause, Effect, FileSystem, PlatformError } from "effect"
import { textFile } from "../../../src/platform/text/TextFile.ts"
import { whyUnreadable, whyUnwritable } from "../../../src/platform/text/Unreadable.ts"

/** The error of the system with this code. */
const refusedWith = (code: string) =>
  PlatformError.systemError({
    _tag: "Unknown",
    module: "FileSystem",
    method: "readFile",
    cause: Object.assign(new Error(code), { code })
  })

layer(NodeServices.layer, { excludeTestServices: true })("Why a file cannot be read", (it) => {
  it.effect("is said of one that is missing, a folder, below a file, or no text", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* fs.makeTempDirectoryScoped()
      yield* fs.writeFile(`${folder}/bytes`, Uint8Array.of(0x61, 0xff))
      const why = (path: string) => Effect.map(Effect.flip(textFile(fs, path)), whyUnreadable)
      assert.strictEqual(yield* why(`${folder}/none`), "there is no such file")
      assert.strictEqual(yield* why(folder), "it is a folder")
      assert.strictEqual(yield* why(`${folder}/bytes/of`), "a part of its path is no folder")
      assert.strictEqual(yield* why(`${folder}/bytes`), "it is not UTF-8 text")
    }))

  it.effect("is said of one that this user may not read, and is the system's code else", () =>
    Effect.sync(() => {
      assert.strictEqual(whyUnreadable(refusedWith("EACCES")), "this user may not read it")
      assert.strictEqual(whyUnreadable(refusedWith("EPERM")), "this user may not read it")
      assert.strictEqual(whyUnreadable(refusedWith("EIO")), "EIO")
    }))
})

layer(NodeServices.layer, { excludeTestServices: true })("Why a file cannot be written", (it) => {
  it.effect("is said of a folder, of one below a file, and of one in no folder", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* fs.makeTempDirectoryScoped()
      yield* fs.writeFileString(`${folder}/file`, "")
      const why = (path: string) => Effect.map(Effect.flip(fs.writeFileString(path, "")), whyUnwritable)
      assert.strictEqual(yield* why(folder), "it is a folder")
      assert.strictEqual(yield* why(`${folder}/file/of`), "a part of its path is no folder")
      assert.strictEqual(yield* why(`${folder}/none/of`), "there is no such folder")
    }))

  it.effect("is said of a disk that takes nothing and of a user who may not, and is the system's code else", () =>
    Effect.sync(() => {
      assert.strictEqual(whyUnwritable(refusedWith("EROFS")), "the disk is read-only")
      assert.strictEqual(whyUnwritable(refusedWith("ENOSPC")), "the disk is full")
      assert.strictEqual(whyUnwritable(refusedWith("EACCES")), "this user may not write it")
      assert.strictEqual(whyUnwritable(new Cause.UnknownError(Object.assign(new Error(), { code: "EIO" }))), "EIO")
    }))
})
