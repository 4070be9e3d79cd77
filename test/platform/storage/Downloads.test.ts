import { assert, layer } from "@effect/vitest"
import { Effect, Exit, Option, Stream } from "effect"
import { Storage, StorageKey } from "../../../src/platform/storage/Storage.ts"
import { appLayer } from "../../harness/App.ts"
import { call, isRefusal } from "../../harness/RawHttp.ts"
import { downloadPath, key, localFolder, uploadPath } from "./local/LocalFolder.ts"

const { empty, folder, list } = localFolder()

/** A settled file with this content. */
const stored = Effect.fnUntraced(function*(body: string) {
  empty()
  const storage = yield* Storage
  const path = yield* uploadPath({ size_bytes: Buffer.byteLength(body) })
  yield* call("PUT", path, { headers: { "Content-Type": "text/plain" }, body })
  assert.deepStrictEqual(yield* storage.settle(key), Option.some(Buffer.byteLength(body)))
})

layer(appLayer({ DATA_DIR: folder }))("A download", (it) => {
  it.effect("is the file, with all that keeps a browser from taking it for something else", () =>
    Effect.gen(function*() {
      yield* stored("hello")
      const answer = yield* call("GET", yield* downloadPath({ file_name: "a b.txt" }))
      assert.deepStrictEqual([answer.status, answer.text], [200, "hello"])
      const { headers } = answer
      assert.strictEqual(headers["content-type"], "text/plain")
      assert.strictEqual(headers["content-length"], "5")
      assert.strictEqual(headers["content-disposition"], "attachment; filename=\"a b.txt\"; filename*=UTF-8''a%20b.txt")
      assert.strictEqual(headers["x-content-type-options"], "nosniff")
      assert.strictEqual(headers["content-security-policy"], "sandbox")
      assert.strictEqual(headers["accept-ranges"], "bytes")
    }))

  it.effect("may be asked for its head", () =>
    Effect.gen(function*() {
      yield* stored("hello")
      const answer = yield* call("HEAD", yield* downloadPath())
      assert.deepStrictEqual([answer.status, answer.text, answer.headers["content-length"]], [200, "", "5"])
    }))

  it.effect("is sent as it is, whatever coding is asked for, and not again to who has it", () =>
    Effect.gen(function*() {
      const body = "hello ".repeat(1000)
      yield* stored(body)
      const path = yield* downloadPath()
      const answer = yield* call("GET", path, { headers: { "Accept-Encoding": "br, gzip" } })
      assert.deepStrictEqual([answer.status, answer.text], [200, body])
      assert.notProperty(answer.headers, "content-encoding")
      const held = { headers: { "If-None-Match": answer.headers["etag"] ?? "" } }
      const again = yield* call("GET", path, held)
      assert.deepStrictEqual([again.status, again.text], [304, ""])
      assert.strictEqual(again.headers["etag"], answer.headers["etag"])
      assert.strictEqual(again.headers["cache-control"], "private, max-age=3600")
    }))

  it.effect("answers the part that is asked for", () =>
    Effect.gen(function*() {
      yield* stored("0123456789")
      const path = yield* downloadPath()
      const part = (range: string, headers: Record<string, string> = {}) =>
        call("GET", path, { headers: { Range: range, ...headers } })
      for (
        const [range, body, said] of [
          ["bytes=0-0", "0", "bytes 0-0/10"],
          ["bytes=2-4", "234", "bytes 2-4/10"],
          ["bytes=7-", "789", "bytes 7-9/10"],
          ["bytes=7-99", "789", "bytes 7-9/10"],
          ["bytes=-3", "789", "bytes 7-9/10"],
          ["bytes=-99", "0123456789", "bytes 0-9/10"]
        ] as const
      ) {
        const answer = yield* part(range)
        assert.deepStrictEqual(
          [answer.status, answer.text, answer.headers["content-range"], answer.headers["content-length"]],
          [206, body, said, String(body.length)],
          range
        )
      }
      for (const ignored of ["bytes=4-2", "bytes=0-1,3-4", "bytes=-", "lines=1-2", "bytes=a-b"]) {
        const answer = yield* part(ignored)
        assert.deepStrictEqual([answer.status, answer.text], [200, "0123456789"], ignored)
      }
      for (const beyond of ["bytes=10-", "bytes=99-100", "bytes=-0"]) {
        const answer = yield* part(beyond)
        isRefusal(answer, 416, "range_not_satisfiable")
        assert.strictEqual(answer.headers["content-range"], "bytes */10")
      }
      const tag = (yield* part("bytes=0-0")).headers["etag"] ?? ""
      assert.strictEqual((yield* part("bytes=0-0", { "If-Range": tag })).status, 206)
      assert.strictEqual((yield* part("bytes=0-0", { "If-Range": "\"other\"" })).status, 200)
    }))

  it.effect("of a file that is not there, or not settled, is 404", () =>
    Effect.gen(function*() {
      empty()
      isRefusal(yield* call("GET", yield* downloadPath()), 404, "not_found")
      yield* call("PUT", yield* uploadPath({ size_bytes: 5 }), {
        headers: { "Content-Type": "text/plain" },
        body: "hello"
      })
      isRefusal(yield* call("GET", yield* downloadPath()), 404, "not_found")
    }))

  it.effect("of an address that is not ours is 403", () =>
    Effect.gen(function*() {
      yield* stored("hello")
      const path = yield* downloadPath()
      for (const wrong of [`${path}A`, path.slice(0, -1), path.replace("files/", "files/A")]) {
        isRefusal(yield* call("GET", wrong), 403, "url_invalid")
      }
    }))

  it.effect("ends with the file", () =>
    Effect.gen(function*() {
      yield* stored("hello")
      const storage = yield* Storage
      const path = yield* downloadPath()
      yield* storage.remove(key)
      yield* storage.remove(key)
      isRefusal(yield* call("GET", path), 404, "not_found")
      assert.deepStrictEqual(list(), [])
    }))
})

layer(appLayer({ DATA_DIR: folder }))("A stored file", (it) => {
  it.effect("is read from any byte on", () =>
    Effect.gen(function*() {
      yield* stored("0123456789")
      const storage = yield* Storage
      const read = (range?: { readonly offset?: number; readonly bytes?: number }) =>
        Effect.map(Stream.runCollect(storage.read(key, range)), (chunks) => Buffer.concat(chunks).toString())
      assert.strictEqual(yield* read(), "0123456789")
      assert.strictEqual(yield* read({ offset: 3, bytes: 2 }), "34")
      assert.strictEqual(yield* read({ offset: 8 }), "89")
    }))

  it.effect("that is not there fails as missing", () =>
    Effect.gen(function*() {
      empty()
      const storage = yield* Storage
      const failure = yield* Effect.flip(Stream.runDrain(storage.read(key)))
      assert.strictEqual(failure._tag, "FileMissing")
      assert.deepStrictEqual(yield* storage.settle(key), Option.none())
    }))

  it.effect.each([
    "../secret",
    "a/../b",
    "/etc/passwd",
    "a//b",
    "a/",
    "A",
    "a.b",
    "a\\b",
    "a\u0000",
    "",
    "%2e%2e",
    "."
  ])(
    "has no place like %j",
    (place) =>
      Effect.gen(function*() {
        assert.isTrue(Exit.isFailure(yield* Effect.exit(Effect.sync(() => StorageKey.make(place)))))
      })
  )
})
