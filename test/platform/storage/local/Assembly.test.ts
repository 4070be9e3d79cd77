import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import { HttpServer } from "effect/http"
import { TestClock } from "effect/testing"
import { mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Storage } from "../../../../src/platform/storage/Storage.ts"
import { partSize } from "../../../../src/platform/storage/UploadInParts.ts"
import { appLayer } from "../../../harness/App.ts"
import { eventually } from "../../../harness/Eventually.ts"
import { call, isRefusal } from "../../../harness/RawHttp.ts"
import { startUpload } from "../../../harness/SlowUpload.ts"
import { key, localFolder, pathOf } from "./LocalFolder.ts"

const { empty, folder, list } = localFolder()

const expected = { key, mime: "text/plain", size_bytes: partSize + 5 }
const first = Buffer.alloc(partSize, "a")
const own = join(folder, "files/assembly/club.file")

/** The received parts, and the paths of the missing ones. */
const resumed = Effect.gen(function*() {
  const { missing, received } = yield* Effect.flatMap(Storage, ({ resume }) => resume(expected))
  return { received, paths: new Map(missing.map(({ number, url }) => [number, pathOf(url)])) }
})

const pathTo = (number: number) => Effect.map(resumed, ({ paths }) => paths.get(number) ?? "")

const put = (path: string, body: string | Uint8Array) => call("PUT", path, { body })

/** The content of the file after the assembly of its parts. */
const content = Effect.gen(function*() {
  const storage = yield* Storage
  assert.isTrue(yield* storage.assemble(expected))
  assert.deepStrictEqual(yield* storage.settle(key), Option.some(expected.size_bytes))
  assert.deepStrictEqual(list(), ["kept/club/file"])
  return readFileSync(join(folder, "files/kept", key))
})

const lastOf = (file: Buffer) => file.subarray(partSize).toString()

layer(appLayer({ DATA_DIR: folder }))("A part of an upload", (it) => {
  it.effect("is copied to its place, for the owner of the process alone, and takes its room once", () =>
    Effect.gen(function*() {
      empty()
      const path = yield* pathTo(2)
      const answer = yield* put(path, "hello")
      assert.deepStrictEqual([answer.status, answer.text], [204, ""])
      assert.deepStrictEqual(list(), ["assembly/club.file/2.done", "assembly/club.file/file"])
      const { mode, size } = statSync(join(own, "file"))
      assert.deepStrictEqual([size, mode & 0o777], [partSize + 5, 0o600])
      assert.strictEqual(statSync(join(own, "2.done")).size, 0)
    }))

  it.effect("stays what it was when it is sent again", () =>
    Effect.gen(function*() {
      empty()
      const { paths } = yield* resumed
      yield* put(paths.get(2) ?? "", "hello")
      assert.strictEqual((yield* put(paths.get(2) ?? "", "other")).status, 204)
      yield* put(paths.get(1) ?? "", first)
      assert.strictEqual(lastOf(yield* content), "hello")
    }))

  it.effect("of another size is refused, before it is read or after, and nothing of it is left", () =>
    Effect.gen(function*() {
      empty()
      const path = yield* pathTo(2)
      for (const body of ["hell", "hello!", first]) isRefusal(yield* put(path, body), 422, "upload_size_wrong")
      assert.deepStrictEqual(list(), ["assembly/club.file/file"])
    }))

  it.effect("is taken from one at a time, while the other parts come", () =>
    Effect.gen(function*() {
      empty()
      const { address } = yield* HttpServer.HttpServer
      const port = address._tag === "UnixPathAddress" ? 0 : address.port
      const { paths } = yield* resumed
      const slow = yield* startUpload(port, paths.get(1) ?? "", { size_bytes: partSize })
      yield* slow.write(first.subarray(1))
      yield* eventually(Effect.sync(list), (names) => names.includes("parts/club.file.1"))
      isRefusal(yield* put(paths.get(1) ?? "", first), 409, "upload_in_progress")
      assert.strictEqual((yield* put(paths.get(2) ?? "", "hello")).status, 204)
      assert.deepStrictEqual((yield* resumed).received, [2])
      yield* slow.hangUp
      yield* eventually(Effect.sync(list), (names) => !names.includes("parts/club.file.1"))
      assert.deepStrictEqual((yield* resumed).received, [2])
      assert.strictEqual((yield* put(paths.get(1) ?? "", first)).status, 204)
      assert.strictEqual(lastOf(yield* content), "hello")
    }))

  it.effect("that a process took in whole before it was killed is there, and copied by whoever comes", () =>
    Effect.gen(function*() {
      empty()
      const { paths } = yield* resumed
      writeFileSync(join(own, "2"), "hello")
      assert.deepStrictEqual((yield* resumed).received, [2])
      yield* put(paths.get(1) ?? "", first)
      assert.strictEqual(lastOf(yield* content), "hello")
    }))

  it.effect("that was copied is replaced by none that got its name afterwards", () =>
    Effect.gen(function*() {
      empty()
      const { paths } = yield* resumed
      yield* put(paths.get(2) ?? "", "hello")
      writeFileSync(join(own, "2"), "other")
      yield* put(paths.get(1) ?? "", first)
      assert.strictEqual(lastOf(yield* content), "hello")
    }))

  it.effect("is refused once the file is settled, by an address that is still valid", () =>
    Effect.gen(function*() {
      empty()
      const { paths } = yield* resumed
      yield* put(paths.get(1) ?? "", first)
      yield* put(paths.get(2) ?? "", "hello")
      assert.strictEqual(lastOf(yield* content), "hello")
      isRefusal(yield* put(paths.get(2) ?? "", "other"), 409, "upload_completed")
      assert.deepStrictEqual(list(), ["kept/club/file"])
    }))

  it.effect("is refused once the upload is removed, and begins none", () =>
    Effect.gen(function*() {
      empty()
      const path = yield* pathTo(2)
      yield* Effect.flatMap(Storage, ({ remove }) => remove(key))
      isRefusal(yield* put(path, "hello"), 403, "url_invalid")
      assert.deepStrictEqual(list(), [])
    }))

  it.effect("has an address that is no upload's, and the other way round", () =>
    Effect.gen(function*() {
      empty()
      const path = yield* pathTo(2)
      isRefusal(yield* put(path.replace("/parts/", "/"), "hello"), 403, "url_invalid")
      const { url } = yield* Effect.flatMap(Storage, ({ upload }) => upload({ ...expected, size_bytes: 5 }))
      isRefusal(yield* put(pathOf(url).replace("/uploads/", "/uploads/parts/"), "hello"), 403, "url_invalid")
      assert.deepStrictEqual(list(), ["assembly/club.file/file"])
    }))
})

layer(appLayer({ DATA_DIR: folder }))("A sweep of uploads in parts", (it) => {
  it.effect("deletes those to which nothing has come for a day", () =>
    Effect.gen(function*() {
      empty()
      const [now, day] = [1_800_000_000, 86_400]
      yield* TestClock.setTime(now * 1000)
      for (const [name, age] of [["a.b", day], ["a.c", day - 1]] as const) {
        const one = join(folder, "files/assembly", name)
        mkdirSync(one, { recursive: true })
        writeFileSync(join(one, "file"), "x")
        writeFileSync(join(one, "1.done"), "")
        utimesSync(one, now - age, now - age)
      }
      yield* Effect.flatMap(Storage, ({ sweep }) => sweep)
      assert.deepStrictEqual(list(), ["assembly/a.c/1.done", "assembly/a.c/file"])
    }))
})

// No disk has this much space.
layer(appLayer({ DATA_DIR: folder, STORAGE_FREE_FLOOR: "4 PiB" }))(
  "A disk with less free space than the floor",
  (it) => {
    it.effect("takes no part, and the upload goes on later", () =>
      Effect.gen(function*() {
        empty()
        isRefusal(yield* put(yield* pathTo(2), "hello"), 507, "storage_full")
        assert.deepStrictEqual((yield* resumed).received, [])
      }))
  }
)

layer(appLayer({ DATA_DIR: folder, RATE_LIMIT_WRITES: "1" }))(
  "Parts from one address",
  (it) => {
    it.effect("are counted like its other writes", () =>
      Effect.gen(function*() {
        empty()
        const path = yield* pathTo(2)
        assert.strictEqual((yield* put(path, "hello")).status, 204)
        isRefusal(yield* put(path, "hello"), 429, "rate_limited")
      }))
  }
)
