import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import { HttpServer } from "effect/http"
import { TestClock } from "effect/testing"
import { mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { LocalFiles } from "../../../../src/platform/storage/local/LocalFiles.ts"
import { Storage } from "../../../../src/platform/storage/Storage.ts"
import { appLayer, at } from "../../../harness/App.ts"
import { eventually } from "../../../harness/Eventually.ts"
import { call, isRefusal } from "../../../harness/RawHttp.ts"
import { startUpload } from "../../../harness/SlowUpload.ts"
import { key, localFolder, uploadPath } from "./LocalFolder.ts"

const { empty, folder, list } = localFolder()

const size_bytes = 100_000
const half = "a".repeat(size_bytes / 2)
const part = /^parts\/club\.file~[0-9a-f-]{36}$/

const portOf = Effect.flatMap(HttpServer.HttpServer, ({ address }) =>
  address._tag === "UnixPathAddress"
    ? Effect.die(new Error("The server listens on no port"))
    : Effect.succeed(address.port))

const start = (path: string) => Effect.flatMap(portOf, (port) => startUpload(port, path, { size_bytes }))

const put = (path: string) =>
  call("PUT", path, { headers: { "Content-Type": "text/plain" }, body: "b".repeat(size_bytes) })

/** Waits for this many names in the folder, each with a half-received body. */
const untilHalf = (names: number) =>
  eventually(
    Effect.sync(() => list().map((name) => statSync(join(folder, "files", name), { throwIfNoEntry: false })?.size)),
    (sizes) => sizes.length === names && sizes.every((size) => size === half.length)
  )

/** An upload that has begun and holds its key. */
const begun = Effect.fnUntraced(function*() {
  empty()
  const path = yield* uploadPath({ size_bytes })
  const upload = yield* start(path)
  yield* upload.write(half)
  yield* untilHalf(2)
  return { path, upload }
})

const contentOf = Effect.gen(function*() {
  const storage = yield* Storage
  assert.isTrue(Option.isSome(yield* storage.settle(key)))
  return readFileSync(join(folder, "files/kept", key), "utf8")
})

layer(appLayer({ DATA_DIR: folder }))("The address of an upload", (it) => {
  it.effect("takes one body at a time, and the next once that has come", () =>
    Effect.gen(function*() {
      const { path, upload } = yield* begun()
      const [name, file] = list()
      assert.strictEqual(name, "parts/club.file")
      assert.match(file ?? "", part)
      isRefusal(yield* put(path), 409, "upload_in_progress")
      assert.deepStrictEqual(list(), [name, file])
      yield* upload.write(half)
      assert.strictEqual((yield* upload.answer).status, 204)
      assert.deepStrictEqual(list(), ["uploads/club.file"])
      assert.strictEqual((yield* put(path)).status, 204)
      assert.strictEqual(yield* contentOf, "b".repeat(size_bytes))
      assert.deepStrictEqual(list(), ["kept/club/file"])
    }))

  it.effect("has one body on the disk however many come at once, and one of them is taken", () =>
    Effect.gen(function*() {
      const { path, upload } = yield* begun()
      const others = yield* Effect.replicateEffect(start(path), 30)
      yield* Effect.forEach(others, ({ write }) => write(half))
      for (const { answer } of others) isRefusal(yield* answer, 409, "upload_in_progress")
      assert.lengthOf(list(), 2)
      yield* upload.write(half)
      assert.strictEqual((yield* upload.answer).status, 204)
      assert.strictEqual(yield* contentOf, half + half)
    }))

  it.effect("keeps nothing of a body whose connection ends, and takes the next one", () =>
    Effect.gen(function*() {
      const { path, upload } = yield* begun()
      yield* upload.hangUp
      yield* eventually(Effect.sync(list), (found) => found.length === 0)
      assert.strictEqual((yield* put(path)).status, 204)
    }))

  it.effect("is not swept away while a body comes", () =>
    Effect.gen(function*() {
      yield* begun()
      const files = yield* LocalFiles
      yield* files.sweepParts
      assert.lengthOf(list(), 2)
    }))
})

const now = 1_800_000_000

/** Leaves the files of a process that died this many seconds ago. */
const leave = (age: number) => {
  mkdirSync(join(folder, "files/parts"), { recursive: true })
  for (const name of ["club.file", "club.file~6f0c1c9e-0000-4000-8000-000000000000"]) {
    const file = join(folder, "files/parts", name)
    writeFileSync(file, half)
    utimesSync(file, now - age, now - age)
  }
}

layer(appLayer({ DATA_DIR: folder }))("What a killed process was taking in", (it) => {
  it.effect("holds its key for twenty seconds, and then goes", () =>
    Effect.gen(function*() {
      empty()
      yield* TestClock.setTime(now * 1000)
      const files = yield* LocalFiles
      leave(19)
      const path = yield* uploadPath({ size_bytes })
      yield* files.sweepParts
      isRefusal(yield* put(path), 409, "upload_in_progress")
      assert.lengthOf(list(), 2)
      yield* TestClock.setTime((now + 1) * 1000)
      // A request before the sweep takes over the key.
      assert.strictEqual((yield* put(path)).status, 204)
      assert.deepStrictEqual(list(), ["parts/club.file~6f0c1c9e-0000-4000-8000-000000000000", "uploads/club.file"])
      yield* files.sweepParts
      assert.deepStrictEqual(list(), ["uploads/club.file"])
    }))

  it.effect("is swept away without anybody coming", () =>
    Effect.gen(function*() {
      empty()
      leave(20)
      const files = yield* LocalFiles
      yield* files.sweepParts
      assert.deepStrictEqual(list(), [])
    }))
})

/** Sets the writer's last sign of life to the moment zero. */
const silence = () => {
  for (const one of list()) utimesSync(join(folder, "files", one), 0, 0)
}

layer(appLayer({ DATA_DIR: folder }))("Who was taken for dead and is not", (it) => {
  it.effect("ends, and what came after them stays whole", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(20_000)
      const { path, upload } = yield* begun()
      silence()
      const second = yield* start(path)
      yield* second.write(half)
      yield* untilHalf(3)
      yield* upload.write(half)
      isRefusal(yield* upload.answer, 409, "upload_in_progress")
      yield* second.write(half)
      assert.strictEqual((yield* second.answer).status, 204)
      assert.deepStrictEqual(list(), ["uploads/club.file"])
    }))

  it.effect("ends while it waits for more, too", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(20_000)
      const { path, upload } = yield* begun()
      silence()
      const second = yield* start(path)
      yield* second.write(half)
      yield* untilHalf(3)
      yield* TestClock.adjust("5 seconds")
      const answer = yield* upload.answer
      assert.deepStrictEqual([answer.status, at(answer.json, "error", "code")], [409, "upload_in_progress"])
      yield* second.hangUp
      yield* eventually(Effect.sync(list), (found) => found.length === 0)
    }))
})
