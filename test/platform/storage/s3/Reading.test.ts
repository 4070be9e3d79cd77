import { assert, layer } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { once } from "node:events"
import { Readable } from "node:stream"
import { Storage, StorageKey } from "../../../../src/platform/storage/Storage.ts"
import { BucketLayer, S3 } from "../Drivers.ts"

const key = StorageKey.make("club/large")
const mebibyte = 1024 * 1024

layer(BucketLayer)("A large file of a bucket", (it) => {
  /** S3 sends a gibibyte as fast as the client reads. `sent` counts the bytes. */
  const sending = Effect.gen(function*() {
    const s3 = yield* S3
    const chunk = Buffer.alloc(mebibyte)
    const state = { sent: 0, closed: Promise.resolve<unknown>(undefined) }
    s3.before(({ response }) => {
      state.closed = once(response, "close")
      response.writeHead(200, { "content-length": 1024 * mebibyte })
      Readable.from(
        (function*() {
          for (let n = 0; n < 1024; n++) {
            state.sent += mebibyte
            yield chunk
          }
        })(),
        { objectMode: false, highWaterMark: mebibyte }
      ).pipe(response)
      return "silence"
    })
    return state
  })

  it.effect("comes no faster than it is read, and no further than that", () =>
    Effect.gen(function*() {
      const state = yield* sending
      const { read } = yield* Storage
      let got = 0
      let ahead = 0
      yield* Stream.runForEachWhile(read(key), (chunk) =>
        Effect.promise(() =>
          new Promise(setImmediate)
        ).pipe(Effect.map(() => {
          got += chunk.length
          ahead = Math.max(ahead, state.sent - got)
          return got < 64 * mebibyte
        })))
      yield* Effect.promise(() => state.closed)
      assert.isAtLeast(got, 64 * mebibyte)
      // The buffers at both ends of the connection may hold this much.
      assert.isBelow(ahead, 32 * mebibyte)
      assert.isBelow(state.sent, 128 * mebibyte)
    }))
})
