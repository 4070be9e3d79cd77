import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import { mkdirSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { LocalFiles } from "../../../../src/platform/storage/local/LocalFiles.ts"
import { Storage } from "../../../../src/platform/storage/Storage.ts"
import { appLayer } from "../../../harness/App.ts"
import { call } from "../../../harness/RawHttp.ts"
import { key, localFolder, uploadPath } from "./LocalFolder.ts"

const { empty, folder, list } = localFolder()

const day = 86_400

layer(appLayer({ DATA_DIR: folder }))("A sweep", (it) => {
  it.effect("of uploads finds nothing where nothing was ever uploaded", () =>
    Effect.gen(function*() {
      empty()
      const files = yield* LocalFiles
      yield* files.sweep
      assert.deepStrictEqual(list(), [])
    }))

  it.effect("deletes uploads that are a day old and were never settled, and what a killed process left", () =>
    Effect.gen(function*() {
      empty()
      const files = yield* LocalFiles
      const storage = yield* Storage
      yield* call("PUT", yield* uploadPath({ size_bytes: 5 }), {
        headers: { "Content-Type": "text/plain" },
        body: "hello"
      })
      assert.deepStrictEqual(yield* storage.settle(key), Option.some(5))
      mkdirSync(join(folder, "files/uploads"), { recursive: true })
      const now = 1_800_000_000
      yield* TestClock.setTime(now * 1000)
      for (const [name, age] of [["a.b", day], ["a.c", day - 1], ["a.b.1.part", day + 1], ["a.c.1.part", 0]] as const) {
        const file = join(folder, "files/uploads", name)
        writeFileSync(file, "x")
        utimesSync(file, now - age, now - age)
      }
      utimesSync(join(folder, "files/kept", key), 0, 0)
      yield* files.sweep
      assert.deepStrictEqual(list(), ["kept/club/file", "uploads/a.c", "uploads/a.c.1.part"])
    }))
})
