import { assert, describe, it, layer } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { HttpServer } from "effect/http"
import { TestClock } from "effect/testing"
import { makeUploadPace, uploadDeadline } from "../../../src/platform/storage/local/UploadPace.ts"
import { uploadLifetime, uploadRetention } from "../../../src/platform/storage/Storage.ts"
import { appLayer } from "../../harness/App.ts"
import { eventually } from "../../harness/Eventually.ts"
import { isRefusal } from "../../harness/RawHttp.ts"
import { startUpload } from "../../harness/SlowUpload.ts"
import { localFolder, uploadPath } from "./local/LocalFolder.ts"

const gibibyte = 1024 ** 3

/** Checks every five seconds a body that gets this many bytes each second. Returns the second of its end. */
const endOf = (size: number, bytesIn: (second: number) => number) => {
  const pace = makeUploadPace(0, size)
  let come = 0
  for (let second = 1; second <= 100_000; second++) {
    come += bytesIn(second)
    if (second % 5 === 0 && pace.isTooSlow(second * 1000, come)) return second
  }
  return undefined
}

describe("The pace of a body", () => {
  it("is at least 1 KiB a second over any minute", () => {
    assert.strictEqual(endOf(gibibyte, () => 1023), 60)
    assert.strictEqual(endOf(gibibyte, () => 0), 60)
    assert.strictEqual(endOf(gibibyte, (second) => second <= 100 ? 1024 : 0), 105)
    // A single second brings enough bytes for its whole minute.
    assert.strictEqual(endOf(gibibyte, (second) => second <= 100 ? 60 * 1024 : 0), 160)
    assert.strictEqual(endOf(gibibyte, (second) => second % 30 === 1 ? 30 * 1024 : 0), 16_685)
  })

  it("has a deadline that follows from the size, and lets nobody come after the record of the upload is gone", () => {
    const mebibyte = 1024 * 1024
    assert.strictEqual(endOf(mebibyte, () => 1024), 320)
    assert.deepStrictEqual(uploadDeadline(20 * mebibyte), Duration.seconds(300 + 320))
    const latest = Duration.sum(uploadLifetime, uploadDeadline(5 * gibibyte))
    assert.isBelow(Duration.toMillis(latest), Duration.toMillis(uploadRetention))
  })
})

const { empty, folder, list } = localFolder()

layer(appLayer({ DATA_DIR: folder }))("An upload that comes too slowly", (it) => {
  it.effect("ends after a minute, with what had come of it", () =>
    Effect.gen(function*() {
      empty()
      const { address } = yield* HttpServer.HttpServer
      if (address._tag === "UnixPathAddress") return yield* Effect.die(new Error("The server listens on no port"))
      const path = yield* uploadPath({ size_bytes: 100_000 })
      const upload = yield* startUpload(address.port, path, { size_bytes: 100_000 })
      yield* upload.write("a".repeat(61_439))
      yield* eventually(Effect.sync(list), (found) => found.length === 2)
      yield* TestClock.adjust("55 seconds")
      assert.lengthOf(list(), 2)
      // The minute begins with the first bytes, perhaps after the clock has begun to move.
      yield* eventually(
        Effect.andThen(TestClock.adjust("1 second"), Effect.sync(upload.isAnswered)),
        (isOver) => isOver
      )
      isRefusal(yield* upload.answer, 408, "request_timeout")
      assert.deepStrictEqual(list(), [])
    }))
})
