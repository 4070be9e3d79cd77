import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option, Redacted, Stream } from "effect"
import { TestClock } from "effect/testing"
import { UploadInPartsUnavailable } from "../../../../src/platform/http/errors.ts"
import { Storage } from "../../../../src/platform/storage/Storage.ts"
import { refusal, type S3Call, xml } from "../../../harness/S3Answers.ts"
import { Driver, HastyBucketLayer, S3 } from "../Drivers.ts"
import { expectedAt, put, resumed, sendParts, threeParts } from "../InParts.ts"

const BucketLayer = Layer.effect(
  Driver,
  Effect.map(S3, ({ list }) => ({ list, reach: Redacted.value, forged: () => [] }))
).pipe(Layer.provideMerge(HastyBucketLayer))

const removed = (name: string) => Effect.flatMap(Storage, ({ remove }) => remove(expectedAt(name).key))

const begin = (name: string) => Effect.flatMap(Storage, ({ resume }) => resume(expectedAt(name)))

layer(BucketLayer)("An upload in parts into a bucket", (it) => {
  it.effect("has the type that was announced, and an address that is bound to a part and its length", () =>
    Effect.gen(function*() {
      const s3 = yield* S3
      const { expires_at, missing } = yield* begin("bound")
      const began = s3.calls.find(({ method }) => method === "POST")
      assert.strictEqual(began?.request.headers["content-type"], "text/plain")
      const { searchParams } = new URL(Redacted.value(missing[1]?.url ?? Redacted.make("")))
      assert.strictEqual(searchParams.get("X-Amz-SignedHeaders"), "content-length;host")
      assert.strictEqual(searchParams.get("partNumber"), "2")
      assert.deepStrictEqual([searchParams.get("X-Amz-Expires"), expires_at.epochMilliseconds], ["900", 900_000])
      yield* removed("bound")
    }))

  it.effect("is one, however often it is begun at once, and the others end with it", () =>
    Effect.gen(function*() {
      const s3 = yield* S3
      const storage = yield* Storage
      const expected = expectedAt("many")
      yield* Effect.all(Array.from({ length: 4 }, () => begin("many")), { concurrency: "unbounded" })
      assert.isAbove(s3.inParts().length, 1)
      yield* sendParts(expected, 2)
      assert.deepStrictEqual((yield* resumed(expected)).received, [2])
      yield* sendParts(expected, 1, 3)
      assert.isTrue(yield* storage.assemble(expected))
      assert.deepStrictEqual(s3.inParts(), [])
      yield* removed("many")
    }))

  it.effect("has the parts that were sent last, though one was replaced while they were put together", () =>
    Effect.gen(function*() {
      const s3 = yield* S3
      const storage = yield* Storage
      const expected = expectedAt("replaced")
      const { urls } = yield* resumed(expected)
      yield* sendParts(expected, 1, 2, 3)
      let isReplaced = false
      s3.before(async ({ method, query }) => {
        if (method !== "POST" || !query.has("uploadId") || isReplaced) return undefined
        isReplaced = true
        await Effect.runPromise(put(urls.get(3), "zzzzz"))
        return undefined
      })
      assert.isTrue(yield* storage.assemble(expected))
      s3.before(() => undefined)
      yield* storage.settle(expected.key)
      const found = Buffer.concat(yield* Stream.runCollect(storage.read(expected.key)))
      assert.deepStrictEqual([isReplaced, found.subarray(-5).toString()], [true, "zzzzz"])
      yield* removed("replaced")
    }))

  it.effect("is put together though the bucket's answer to that was lost", () =>
    Effect.gen(function*() {
      const s3 = yield* S3
      const storage = yield* Storage
      const expected = expectedAt("lost")
      yield* sendParts(expected, 1, 2, 3)
      let isLost = false
      s3.before(async ({ method, query, request }) => {
        if (method !== "POST" || !query.has("uploadId") || isLost) return undefined
        isLost = true
        // As if another process had assembled the parts just before.
        s3.before(() => undefined)
        await Effect.runPromise(storage.assemble(expected))
        request.socket.resetAndDestroy()
        return "silence"
      })
      assert.isTrue(yield* storage.assemble(expected))
      assert.deepStrictEqual(yield* storage.settle(expected.key), Option.some(threeParts.size_bytes))
      assert.isTrue(isLost)
      yield* removed("lost")
    }))

  it.effect("is not asked for where a file came as a whole", () =>
    Effect.gen(function*() {
      const s3 = yield* S3
      const storage = yield* Storage
      const expected = { ...expectedAt("whole"), size_bytes: 5 }
      const { headers, url } = yield* storage.upload(expected)
      yield* put(Redacted.value(url), "hello", { ...headers })
      const before = s3.calls.length
      yield* storage.settle(expected.key)
      assert.isFalse(s3.calls.slice(before).some(({ query }) => query.has("uploads") || query.has("uploadId")))
      yield* removed("whole")
    }))

  it.effect.each([[403, "AccessDenied"], [501, "NotImplemented"]] as const)(
    "is none where the bucket says %i %s: files are confirmed, removed and swept as before",
    ([status, code]) =>
      Effect.gen(function*() {
        const s3 = yield* S3
        const storage = yield* Storage
        const expected = { ...expectedAt("before"), size_bytes: 5 }
        s3.before(({ query }) => query.has("uploads") ? refusal(status, code) : undefined)
        assert.isFalse(yield* storage.assemble(expected))
        assert.instanceOf(yield* Effect.flip(storage.resume(expected)), UploadInPartsUnavailable)
        const { headers, url } = yield* storage.upload(expected)
        yield* put(Redacted.value(url), "hello", { ...headers })
        assert.deepStrictEqual((yield* storage.resume(expected)).missing, [])
        assert.isTrue(yield* storage.assemble(expected))
        yield* storage.sweep
        yield* removed("before")
        s3.before(() => undefined)
        assert.deepStrictEqual([s3.list(), s3.inParts()], [[], []])
      })
  )

  it.effect("is refused, and ended again, where the bucket begins it and does not list it or its parts", () =>
    Effect.gen(function*() {
      const s3 = yield* S3
      const nothing = xml("<ListMultipartUploadsResult></ListMultipartUploadsResult>")
      const isList = ({ method, query }: S3Call) => method === "GET" && query.has("uploads")
      const ways = [
        (call: S3Call) => isList(call) ? { status: 200, body: nothing } : undefined,
        ({ method, query }: S3Call) =>
          method === "GET" && query.has("uploadId") ? refusal(403, "AccessDenied") : undefined,
        ({ method }: S3Call) => method === "POST" ? refusal(501, "NotImplemented") : undefined
      ]
      for (const way of ways) {
        s3.before(way)
        for (let n = 0; n < 2; n++) assert.instanceOf(yield* Effect.flip(begin("unlisted")), UploadInPartsUnavailable)
        s3.before(() => undefined)
        assert.deepStrictEqual(s3.inParts(), [])
      }
    }))

  it.effect("is refused though the key may not end what it began", () =>
    Effect.gen(function*() {
      const s3 = yield* S3
      s3.before(({ method, query }) =>
        method === "DELETE" || method === "GET" && query.has("uploadId") ? refusal(403, "AccessDenied") : undefined
      )
      assert.instanceOf(yield* Effect.flip(begin("unended")), UploadInPartsUnavailable)
      assert.isFalse(yield* Effect.flatMap(Storage, ({ assemble }) => assemble(expectedAt("unended"))))
      s3.before(() => undefined)
      yield* removed("unended")
    }))
})

const hour = 3_600_000

layer(BucketLayer)("A sweep of a bucket", (it) => {
  it.effect("ends uploads in parts that are a day old, on whatever page of the list, and nothing else", () =>
    Effect.gen(function*() {
      const s3 = yield* S3
      yield* Effect.forEach(["a", "b", "c", "d"], begin)
      yield* TestClock.adjust(1000)
      yield* begin("b2")
      yield* TestClock.adjust(24 * hour - 1000)
      yield* Effect.flatMap(Storage, ({ sweep }) => sweep)
      assert.deepStrictEqual(s3.inParts(), [["uploads/club.b2", []]])
    }))
})
