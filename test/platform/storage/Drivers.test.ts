import { assert, describe, layer } from "@effect/vitest"
import { Effect, Option, Stream } from "effect"
import { TestClock } from "effect/testing"
import { Storage, StorageKey } from "../../../src/platform/storage/Storage.ts"
import { Driver, drivers } from "./Drivers.ts"

const plain = { mime: "text/plain", size_bytes: 5 }
const shown = { file_name: "lição.txt", mime: "text/plain", inline: false }

const keyOf = (name: string) => StorageKey.make(`club/${name}`)
const key = keyOf("file")

const call = (url: string, init: RequestInit) =>
  Effect.promise(async () => {
    const response = await fetch(url, { ...init, redirect: "error" })
    return { status: response.status, headers: response.headers, text: await response.text() }
  })

/** The upload of a file: its address, and the headers to send. */
const begun = Effect.fnUntraced(function*(at: StorageKey, expected = plain) {
  const storage = yield* Storage
  const driver = yield* Driver
  const { headers, url } = yield* storage.upload({ key: at, ...expected })
  const reached = driver.reach(url)
  return {
    url: reached,
    send: (body: NonNullable<RequestInit["body"]>, more: Record<string, string> = {}, to = reached) =>
      call(to, { method: "PUT", headers: { ...headers, ...more }, body, duplex: "half" })
  }
})

/** A settled file with this content. */
const stored = Effect.fnUntraced(function*(at: StorageKey, body = "hello") {
  const storage = yield* Storage
  const { send } = yield* begun(at, { mime: "text/plain", size_bytes: body.length })
  assert.include([200, 204], (yield* send(body)).status)
  assert.deepStrictEqual(yield* storage.settle(at), Option.some(body.length))
})

const textAt = Effect.fnUntraced(function*(
  at: StorageKey,
  range?: { readonly offset?: number; readonly bytes?: number }
) {
  const storage = yield* Storage
  return Buffer.concat(yield* Stream.runCollect(storage.read(at, range))).toString()
})

const isEmpty = Effect.map(Driver, ({ list }) => assert.deepStrictEqual(list(), []))

const removed = (at: StorageKey) => Effect.flatMap(Storage, ({ remove }) => remove(at))

const streamOf = (...pieces: ReadonlyArray<string>) => new Blob([...pieces]).stream()

describe.each(Object.entries(drivers))("storage in %s", (_, driverLayer) => {
  layer(driverLayer())("keeps files", (it) => {
    it.effect("that are sent as the upload says, and gives them back as they are presented", () =>
      Effect.gen(function*() {
        const storage = yield* Storage
        const driver = yield* Driver
        const { send } = yield* begun(key)
        assert.include([200, 204], (yield* send("hello")).status)
        assert.deepStrictEqual(driver.list(), ["uploads/club.file"])
        assert.deepStrictEqual(yield* storage.settle(key), Option.some(5))
        assert.deepStrictEqual(driver.list(), ["kept/club/file"])
        assert.strictEqual(yield* textAt(key), "hello")
        const { url } = yield* storage.download(key, shown)
        const { headers, status, text } = yield* call(driver.reach(url), { method: "GET" })
        assert.deepStrictEqual([status, text], [200, "hello"])
        assert.strictEqual(headers.get("content-type"), "text/plain")
        assert.strictEqual(headers.get("cache-control"), "private, max-age=3600")
        const name = "attachment; filename=\"li__o.txt\"; filename*=UTF-8''li%C3%A7%C3%A3o.txt"
        assert.strictEqual(headers.get("content-disposition"), name)
        yield* removed(key)
      }))

    it.effect("of which nothing came as none, and says the same of the others each time", () =>
      Effect.gen(function*() {
        const storage = yield* Storage
        const at = keyOf("again")
        yield* begun(at)
        assert.deepStrictEqual(yield* storage.settle(at), Option.none())
        yield* stored(at)
        assert.deepStrictEqual(yield* storage.settle(at), Option.some(5))
        yield* removed(at)
      }))

    it.effect("that are settled for good: their addresses replace nothing any more", () =>
      Effect.gen(function*() {
        const storage = yield* Storage
        const at = keyOf("good")
        const { send } = yield* begun(at)
        yield* send("hello")
        yield* storage.settle(at)
        yield* send("other")
        assert.deepStrictEqual(yield* storage.settle(at), Option.some(5))
        assert.strictEqual(yield* textAt(at), "hello")
        yield* removed(at)
      }))

    it.effect("once, however many settle one at the same time", () =>
      Effect.gen(function*() {
        const storage = yield* Storage
        const at = keyOf("once")
        const { send } = yield* begun(at)
        yield* send("hello")
        const settled = yield* Effect.all(Array.from({ length: 10 }, () => storage.settle(at)), {
          concurrency: "unbounded"
        })
        assert.deepStrictEqual(settled, Array.from({ length: 10 }, () => Option.some(5)))
        assert.deepStrictEqual((yield* Driver).list(), ["kept/club/once"])
        yield* removed(at)
      }))

    it.effect("and reads them from any byte on", () =>
      Effect.gen(function*() {
        const at = keyOf("range")
        yield* stored(at, "0123456789")
        assert.strictEqual(yield* textAt(at, { offset: 3, bytes: 2 }), "34")
        assert.strictEqual(yield* textAt(at, { offset: 8 }), "89")
        assert.strictEqual(yield* textAt(at, { offset: 8, bytes: 100 }), "89")
        assert.strictEqual(yield* textAt(at, { bytes: 4 }), "0123")
        assert.strictEqual(yield* textAt(at, { bytes: 0 }), "")
        assert.strictEqual(yield* textAt(at, { offset: 10 }), "")
        yield* removed(at)
      }))

    it.effect("at two places where they are copied, and replaces nothing by that", () =>
      Effect.gen(function*() {
        const storage = yield* Storage
        const [one, two] = [keyOf("one"), keyOf("other/two")]
        assert.isFalse(yield* storage.copy(one, two))
        yield* (yield* begun(one)).send("hello")
        assert.isFalse(yield* storage.copy(one, two))
        yield* storage.settle(one)
        const copied = yield* Effect.all([storage.copy(one, two), storage.copy(one, two)], { concurrency: "unbounded" })
        assert.deepStrictEqual(copied, [true, true])
        assert.deepStrictEqual([yield* textAt(one), yield* textAt(two)], ["hello", "hello"])
        const { url } = yield* storage.download(two, shown)
        assert.strictEqual((yield* call((yield* Driver).reach(url), { method: "GET" })).text, "hello")
        yield* removed(one)
        assert.isTrue(yield* storage.copy(one, two))
        yield* stored(one, "other")
        assert.isTrue(yield* storage.copy(one, two))
        assert.strictEqual(yield* textAt(two), "hello")
        yield* Effect.forEach([one, two], removed)
        assert.deepStrictEqual((yield* Driver).list(), [])
      }))

    it.effect("until they are removed, settled or not", () =>
      Effect.gen(function*() {
        const storage = yield* Storage
        const driver = yield* Driver
        const [one, two] = [keyOf("one"), keyOf("two")]
        yield* stored(one)
        yield* (yield* begun(two)).send("hello")
        const { url } = yield* storage.download(one, shown)
        for (const at of [one, two, one, two]) yield* removed(at)
        assert.deepStrictEqual(driver.list(), [])
        assert.strictEqual((yield* Effect.flip(textAt(one)))._tag, "FileMissing")
        assert.strictEqual((yield* call(driver.reach(url), { method: "GET" })).status, 404)
      }))

    it.effect("and has none that is not settled", () =>
      Effect.gen(function*() {
        const storage = yield* Storage
        const driver = yield* Driver
        const at = keyOf("unsettled")
        yield* (yield* begun(at)).send("hello")
        assert.strictEqual((yield* Effect.flip(textAt(at)))._tag, "FileMissing")
        const { url } = yield* storage.download(at, shown)
        assert.strictEqual((yield* call(driver.reach(url), { method: "GET" })).status, 404)
        yield* removed(at)
      }))
  })

  layer(driverLayer())("refuses, and nothing is left of", (it) => {
    it.effect.each([["text/html"], ["text/plainer"], ["application/octet-stream"]])(
      "an upload as %s, which is not the type that was announced",
      ([type = ""]) =>
        Effect.gen(function*() {
          const { send } = yield* begun(key)
          assert.include([403, 415], (yield* send("hello", { "content-type": type })).status)
          yield* isEmpty
        })
    )

    it.effect.each(["", "hell", "hello!", "a".repeat(2_000_000)].map((body) => [body.length, body] as const))(
      "an upload of %i bytes where five were announced",
      ([, body]) =>
        Effect.gen(function*() {
          const { send } = yield* begun(key)
          assert.include([403, 422], (yield* send(body)).status)
          yield* isEmpty
        })
    )

    it.effect("an upload that hides its length and is too long or too short", () =>
      Effect.gen(function*() {
        const { send } = yield* begun(key)
        assert.include([403, 413], (yield* send(streamOf("hel", "lo", "!"))).status)
        assert.include([403, 422], (yield* send(streamOf("he", "ll"))).status)
        yield* isEmpty
      }))

    it.effect("an upload to an address of which any part was changed", () =>
      Effect.gen(function*() {
        const driver = yield* Driver
        const { send, url } = yield* begun(key)
        const forged = driver.forged(url)
        assert.isAbove(forged.length, 12)
        for (const one of forged) {
          const { status } = yield* send("hello", {}, one)
          assert.include([403, 404], status, one)
        }
        yield* isEmpty
      }))

    it.effect("a download from an address of which any part was changed", () =>
      Effect.gen(function*() {
        const storage = yield* Storage
        const driver = yield* Driver
        yield* stored(key)
        const url = driver.reach((yield* storage.download(key, shown)).url)
        assert.strictEqual((yield* call(url, { method: "GET" })).status, 200)
        for (const one of driver.forged(url)) {
          const { status } = yield* call(one, { method: "GET" })
          assert.include([403, 404], status, one)
        }
        yield* removed(key)
      }))

    it.effect("what is sent to the address of a download, and what is fetched from that of an upload", () =>
      Effect.gen(function*() {
        const storage = yield* Storage
        const driver = yield* Driver
        const { url } = yield* begun(key)
        assert.include([403, 405, 404], (yield* call(url, { method: "GET" })).status)
        const download = driver.reach((yield* storage.download(key, shown)).url)
        const headers = { "content-type": "text/plain" }
        assert.include([403, 404, 405], (yield* call(download, { method: "PUT", headers, body: "hello" })).status)
        yield* isEmpty
      }))
  })

  layer(driverLayer())("ends", (it) => {
    it.effect("an upload's address after 15 minutes", () =>
      Effect.gen(function*() {
        const { send } = yield* begun(key)
        yield* TestClock.adjust("15 minutes")
        assert.strictEqual((yield* send("hello")).status, 403)
        yield* isEmpty
        const later = yield* begun(key)
        yield* TestClock.adjust("14 minutes")
        assert.include([200, 204], (yield* later.send("hello")).status)
        yield* removed(key)
      }))

    it.effect("a download's address after an hour", () =>
      Effect.gen(function*() {
        const storage = yield* Storage
        const driver = yield* Driver
        yield* stored(key)
        const { expires_at, url } = yield* storage.download(key, shown)
        yield* TestClock.adjust("59 minutes")
        assert.strictEqual((yield* call(driver.reach(url), { method: "GET" })).status, 200)
        yield* TestClock.setTime(expires_at.epochMilliseconds)
        assert.strictEqual((yield* call(driver.reach(url), { method: "GET" })).status, 403)
        yield* removed(key)
      }))
  })
})
