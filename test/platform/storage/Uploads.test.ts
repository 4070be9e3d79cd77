import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import { readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { Storage } from "../../../src/platform/storage/Storage.ts"
import { appLayer, at } from "../../harness/App.ts"
import { call, chunked, isRefusal, sendRaw } from "../../harness/RawHttp.ts"
import { key, localFolder, uploadPath } from "./local/LocalFolder.ts"

const { empty, folder, list } = localFolder()

const text = { "Content-Type": "text/plain" }
const put = (path: string, body: string | Uint8Array, headers: Record<string, string> = text) =>
  call("PUT", path, { headers, body })

/** Sends a body without its length. */
const putChunked = (path: string, body: string) =>
  sendRaw(
    `PUT ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: text/plain\r\n`,
    "Transfer-Encoding: chunked\r\n\r\n",
    chunked(body)
  )

/** The content of the file after its upload. */
const contentOf = Effect.fnUntraced(function*() {
  const storage = yield* Storage
  assert.isTrue(Option.isSome(yield* storage.settle(key)))
  return readFileSync(join(folder, "files/kept", key), "utf8")
})

layer(appLayer({ DATA_DIR: folder }))("An upload", (it) => {
  it.effect("is stored as it came, for the owner of the process alone", () =>
    Effect.gen(function*() {
      empty()
      const answer = yield* put(yield* uploadPath({ size_bytes: 5 }), "hello")
      assert.deepStrictEqual([answer.status, answer.text], [204, ""])
      assert.deepStrictEqual(list(), ["uploads/club.file"])
      assert.strictEqual(yield* contentOf(), "hello")
      assert.deepStrictEqual(list(), ["kept/club/file"])
      assert.strictEqual(statSync(join(folder, "files/kept/club/file")).mode & 0o777, 0o600)
    }))

  it.effect("may come in chunks, without its length", () =>
    Effect.gen(function*() {
      empty()
      const body = "a".repeat(100_000)
      const path = yield* uploadPath({ size_bytes: body.length })
      assert.strictEqual((yield* putChunked(path, body)).status, 204)
      assert.strictEqual(yield* contentOf(), body)
    }))

  it.effect("is replaced as a whole by another one until it is settled, and by none after that", () =>
    Effect.gen(function*() {
      empty()
      const path = yield* uploadPath({ size_bytes: 5 })
      assert.strictEqual((yield* put(path, "first")).status, 204)
      assert.strictEqual((yield* put(path, "other")).status, 204)
      assert.strictEqual(yield* contentOf(), "other")
      isRefusal(yield* put(path, "third"), 409, "upload_completed")
      assert.strictEqual(yield* contentOf(), "other")
      assert.deepStrictEqual(list(), ["kept/club/file"])
    }))

  it.effect("of another type is refused, and nothing is left", () =>
    Effect.gen(function*() {
      empty()
      const path = yield* uploadPath({ size_bytes: 5 })
      for (const type of ["text/html", "image/jpeg", "", "application/json"]) {
        const answer = yield* put(path, "hello", { "Content-Type": type })
        isRefusal(answer, 415, "unsupported_media_type")
        assert.include(String(at(answer.json, "error", "message")), "announced with: text/plain")
      }
      assert.deepStrictEqual(list(), [])
    }))

  it.effect("may be sent by any name of its type", () =>
    Effect.gen(function*() {
      empty()
      const path = yield* uploadPath({ mime: "image/jpeg", size_bytes: 5 })
      for (const type of ["image/jpeg", "image/jpg", "Image/PJPEG", "image/jpeg; charset=binary"]) {
        assert.strictEqual((yield* put(path, "hello", { "Content-Type": type })).status, 204, type)
      }
    }))

  it.effect("of another length is refused before it is read, and nothing is left", () =>
    Effect.gen(function*() {
      empty()
      const path = yield* uploadPath({ size_bytes: 5 })
      for (const body of ["hell", "hello!", "a".repeat(2_000_000)]) {
        isRefusal(yield* put(path, body), 422, "upload_size_wrong")
      }
      assert.deepStrictEqual(list(), [])
    }))

  it.effect("of more or fewer bytes than announced is refused where it hides its length, and nothing is left", () =>
    Effect.gen(function*() {
      empty()
      const path = yield* uploadPath({ size_bytes: 70_000 })
      isRefusal(yield* putChunked(path, "a".repeat(70_001)), 413, "payload_too_large")
      isRefusal(yield* putChunked(path, "a".repeat(69_999)), 422, "upload_size_wrong")
      assert.deepStrictEqual(list(), [])
    }))

  it.effect("answers one refusal for every address that it does not know", () =>
    Effect.gen(function*() {
      empty()
      const path = yield* uploadPath({ size_bytes: 5 })
      const [payload = "", mac = ""] = path.split("/").at(-1)?.split(".") ?? []
      const wider = Buffer.from(Buffer.from(payload, "base64url").toString().replace(":5", ":6")).toString("base64url")
      const wrong = [
        `${wider}.${mac}`,
        `${payload}.${mac.startsWith("A") ? "B" : "A"}${mac.slice(1)}`,
        `${payload}.${mac.slice(1)}`,
        payload,
        `${payload}.`,
        "..%2F..%2Fetc%2Fpasswd",
        "x"
      ]
      const answers = yield* Effect.forEach(wrong, (token) => put(`/storage/uploads/${token}`, "hello"))
      for (const answer of answers) isRefusal(answer, 403, "url_invalid")
      assert.lengthOf(new Set(answers.map(({ text }) => text)), 1)
      assert.deepStrictEqual(list(), [])
    }))

  it.effect("takes no address of a download, and the other way round", () =>
    Effect.gen(function*() {
      const path = yield* uploadPath({ size_bytes: 5 })
      isRefusal(yield* call("GET", path.replace("uploads", "files")), 403, "url_invalid")
    }))

  it.effect("is asked for by its method alone", () =>
    Effect.gen(function*() {
      const answer = yield* call("POST", yield* uploadPath({ size_bytes: 5 }), { headers: text, body: "hello" })
      isRefusal(answer, 405, "method_not_allowed")
      assert.strictEqual(answer.headers["allow"], "PUT")
    }))
})
