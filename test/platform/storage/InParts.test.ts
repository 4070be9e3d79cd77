import { assert, describe, layer } from "@effect/vitest"
import { Effect, Option, Stream } from "effect"
import { TestClock } from "effect/testing"
import { type Expected, Storage } from "../../../src/platform/storage/Storage.ts"
import { partSize } from "../../../src/platform/storage/UploadInParts.ts"
import { Driver, drivers } from "./Drivers.ts"
import { expectedAt, put, resumed, sendParts, threeParts } from "./InParts.ts"

// Takes long: the tests write, read and hash files of several parts.

const whole = Buffer.concat(threeParts.parts)

/** Assembles the parts, settles the file and returns its content. */
const settled = Effect.fnUntraced(function*(expected: Expected) {
  const storage = yield* Storage
  assert.isTrue(yield* storage.assemble(expected))
  assert.deepStrictEqual(yield* storage.settle(expected.key), Option.some(expected.size_bytes))
  return Buffer.concat(yield* Stream.runCollect(storage.read(expected.key)))
})

const removed = ({ key }: Expected) => Effect.flatMap(Storage, ({ remove }) => remove(key))

const isTaken = (status: number) => assert.include([200, 204], status)

describe.each(Object.entries(drivers))("an upload in parts into %s", (_, driverLayer) => {
  layer(driverLayer())("goes on", (it) => {
    it.effect("where it broke, in any order, and is the file once all parts are there", () =>
      Effect.gen(function*() {
        const storage = yield* Storage
        const expected = expectedAt("broken")
        const { missing, received } = yield* resumed(expected)
        assert.deepStrictEqual(received, [])
        assert.deepStrictEqual(missing.map(({ number, offset, size_bytes }) => [number, offset, size_bytes]), [
          [1, 0, partSize],
          [2, partSize, partSize],
          [3, 2 * partSize, 5]
        ])
        for (const status of yield* sendParts(expected, 3, 1)) isTaken(status)
        assert.isFalse(yield* storage.assemble(expected))
        assert.deepStrictEqual(yield* storage.settle(expected.key), Option.none())
        const again = yield* resumed(expected)
        assert.deepStrictEqual([again.received, again.missing.map(({ number }) => number)], [[1, 3], [2]])
        for (const status of yield* sendParts(expected, 2)) isTaken(status)
        assert.isTrue((yield* settled(expected)).equals(whole))
        yield* removed(expected)
        assert.deepStrictEqual((yield* Driver).list(), [])
      }))

    it.effect("of two at once, and is one file of parts that each came from one of them", () =>
      Effect.gen(function*() {
        const expected = expectedAt("twice")
        const [one, two] = yield* Effect.all([resumed(expected), resumed(expected)], { concurrency: 2 })
        const others = threeParts.parts.map((part) => Buffer.alloc(part.length, "z"))
        const sent = [1, 2, 3].flatMap((number) => [
          put(one.urls.get(number), threeParts.parts[number - 1]),
          put(two.urls.get(number), others[number - 1])
        ])
        const statuses = yield* Effect.all(sent, { concurrency: "unbounded" })
        for (const status of statuses) assert.include([200, 204, 409], status)
        const found = yield* settled(expected)
        for (
          const { length, offset } of [0, 1, 2].map((n) => ({ offset: n * partSize, length: n < 2 ? partSize : 5 }))
        ) {
          assert.strictEqual(new Set(found.subarray(offset, offset + length)).size, 1)
        }
        yield* removed(expected)
      }))

    it.effect("once for many that put it together at the same time", () =>
      Effect.gen(function*() {
        const storage = yield* Storage
        const expected = expectedAt("once")
        yield* sendParts(expected, 1, 2, 3)
        const finish = Effect.andThen(storage.assemble(expected), storage.settle(expected.key))
        const all = yield* Effect.all(Array.from({ length: 6 }, () => finish), { concurrency: "unbounded" })
        assert.deepStrictEqual(all, Array.from({ length: 6 }, () => Option.some(expected.size_bytes)))
        assert.deepStrictEqual((yield* Driver).list(), ["kept/club/once"])
        yield* removed(expected)
      }))

    it.effect("with no part where it came as a whole", () =>
      Effect.gen(function*() {
        const storage = yield* Storage
        const expected = { ...expectedAt("whole"), size_bytes: 5 }
        const { headers, url } = yield* storage.upload(expected)
        isTaken(yield* put((yield* Driver).reach(url), "hello", { ...headers }))
        const told = yield* storage.resume(expected)
        assert.deepStrictEqual([told.received, told.missing], [[1], []])
        assert.deepStrictEqual(yield* storage.settle(expected.key), Option.some(5))
        assert.deepStrictEqual((yield* storage.resume(expected)).received, [1])
        yield* removed(expected)
      }))

    it.effect("with 32 addresses at a time", () =>
      Effect.gen(function*() {
        const storage = yield* Storage
        const expected = { ...expectedAt("large"), size_bytes: 5 * 1024 ** 3 }
        const { missing, part_count } = yield* storage.resume(expected)
        assert.deepStrictEqual([part_count, missing.length, missing.at(-1)?.number], [320, 32, 32])
        yield* removed(expected)
      }))
  })

  layer(driverLayer())("refuses", (it) => {
    it.effect("a part of another size, and one whose address was changed or is over", () =>
      Effect.gen(function*() {
        const expected = expectedAt("refused")
        const { urls } = yield* resumed(expected)
        for (const body of ["", "cccc", "cccccc"]) assert.include([403, 422], yield* put(urls.get(3), body))
        const [, second = "", third = ""] = [...urls.values()]
        // The path of one part with the signature for another one.
        const mixed = second.includes("partNumber=")
          ? third.replace("partNumber=3", "partNumber=2")
          : third.replace(/[^/.]+(?=\.[^.]*$)/, /[^/.]+(?=\.[^.]*$)/.exec(second)?.[0] ?? "")
        assert.notStrictEqual(mixed, third)
        assert.strictEqual(yield* put(mixed, "ccccc"), 403)
        for (const forged of (yield* Driver).forged(third)) {
          assert.include([403, 404], yield* put(forged, "ccccc"), forged)
        }
        assert.deepStrictEqual((yield* resumed(expected)).received, [])
        yield* TestClock.adjust("15 minutes")
        assert.strictEqual(yield* put(third, "ccccc"), 403)
        assert.deepStrictEqual((yield* resumed(expected)).received, [])
        yield* removed(expected)
      }))

    it.effect("every part once the file is settled", () =>
      Effect.gen(function*() {
        const storage = yield* Storage
        const expected = expectedAt("settled")
        const { urls } = yield* resumed(expected)
        yield* sendParts(expected, 1, 2, 3)
        yield* settled(expected)
        assert.include([404, 409], yield* put(urls.get(3), "zzzzz"))
        const found = Buffer.concat(yield* Stream.runCollect(storage.read(expected.key)))
        assert.isTrue(found.equals(whole))
        assert.deepStrictEqual((yield* Driver).list(), ["kept/club/settled"])
        yield* removed(expected)
      }))

    it.effect("every part once the upload is removed, and nothing is left", () =>
      Effect.gen(function*() {
        const expected = expectedAt("removed")
        const { urls } = yield* resumed(expected)
        yield* sendParts(expected, 1)
        yield* removed(expected)
        assert.include([403, 404], yield* put(urls.get(3), "ccccc"))
        assert.deepStrictEqual((yield* Driver).list(), [])
      }))
  })
})
