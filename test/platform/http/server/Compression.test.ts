import { assert, describe, it as alone, layer } from "@effect/vitest"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { compress, isCompressible } from "../../../../src/platform/http/server/Compression.ts"
import { staticAnswer } from "../../../../src/platform/http/server/StaticAnswer.ts"
import { AppLayer, at, foundClub } from "../../../harness/App.ts"
import { exchange } from "../../../harness/Exchange.ts"
import { makeCourse, makeStudent } from "../../../harness/Makers.ts"

const br = { "Accept-Encoding": "gzip, deflate, br" }

/** A club with this many courses, so that a page of them has a minimum length. */
const withCourses = Effect.fnUntraced(function*(count: number, description = "") {
  const club = yield* foundClub()
  yield* Effect.forEach(
    Array.from({ length: count }),
    (_, n) => makeCourse(club, { title: `Curso ${n} ${description}` }),
    { discard: true }
  )
  return club
})

layer(AppLayer)("A long answer", (it) => {
  it.effect.each([
    ["br", "br"],
    ["gzip", "gzip"],
    ["gzip;q=1, br;q=0.1", "gzip"],
    ["*", "br"]
  ] as const)("is sent in fewer bytes that say the same: %s", ([accepted, coding]) =>
    Effect.gen(function*() {
      const { path, token } = yield* withCourses(12)
      const plain = yield* exchange("GET", `${path}/courses`, { token })
      const short = yield* exchange("GET", `${path}/courses`, { token, headers: { "Accept-Encoding": accepted } })
      assert.isAbove(plain.bytes.length, 1024)
      assert.isUndefined(plain.headers["content-encoding"])
      assert.strictEqual(short.headers["content-encoding"], coding)
      assert.strictEqual(short.text, plain.text)
      assert.isBelow(short.bytes.length, plain.bytes.length / 2)
      assert.strictEqual(short.headers["content-length"], String(short.bytes.length))
      for (const { headers } of [plain, short]) {
        assert.strictEqual(headers["vary"], "Origin, Accept-Encoding")
        assert.match(headers["content-type"] ?? "", /^application\/json/)
      }
    }))

  it.effect.each(["identity", "br;q=0", "br;q=0.5, identity", "deflate", ""])(
    "is sent as it is to who would rather have that: %s",
    (accepted) =>
      Effect.gen(function*() {
        const { path, token } = yield* withCourses(12)
        const plain = yield* exchange("GET", `${path}/courses`, { token })
        const answer = yield* exchange("GET", `${path}/courses`, { token, headers: { "Accept-Encoding": accepted } })
        assert.isUndefined(answer.headers["content-encoding"])
        assert.strictEqual(answer.text, plain.text)
      })
  )

  it.effect("is compressed the same by a thread as at once", () =>
    Effect.gen(function*() {
      const { path, token } = yield* withCourses(100, "a".repeat(180))
      const url = `${path}/courses?limit=100`
      const plain = yield* exchange("GET", url, { token })
      assert.isAbove(plain.bytes.length, 32_768)
      for (const coding of ["br", "gzip"]) {
        const answer = yield* exchange("GET", url, { token, headers: { "Accept-Encoding": coding } })
        assert.strictEqual(answer.headers["content-encoding"], coding)
        assert.strictEqual(answer.text, plain.text)
        assert.isBelow(answer.bytes.length, plain.bytes.length / 3)
      }
    }))

  it.effect("keeps what else it says", () =>
    Effect.gen(function*() {
      const { path, token } = yield* withCourses(12)
      const headers = { ...br, Origin: "http://localhost:5173", "X-Request-Id": "mine" }
      const answer = yield* exchange("GET", `${path}/courses`, { token, headers })
      assert.strictEqual(answer.headers["x-request-id"], "mine")
      assert.strictEqual(answer.headers["access-control-allow-origin"], "http://localhost:5173")
    }))

  it.effect("has a head that is that of the whole", () =>
    Effect.gen(function*() {
      const { path, token } = yield* withCourses(12)
      const whole = yield* exchange("GET", `${path}/courses`, { token })
      const head = yield* exchange("HEAD", `${path}/courses`, { token, headers: br })
      assert.strictEqual(head.bytes.length, 0)
      assert.isUndefined(head.headers["content-encoding"])
      assert.strictEqual(head.headers["content-length"], whole.headers["content-length"])
    }))

  it.effect("is never compressed where nobody may keep it", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      yield* Effect.forEach(Array.from({ length: 12 }), () => makeStudent(club), { discard: true })
      const { headers, text } = yield* exchange("GET", `${club.path}/students`, { token: club.token, headers: br })
      assert.isAbove(text.length, 1024)
      assert.strictEqual(headers["cache-control"], "no-store")
      assert.isUndefined(headers["content-encoding"])
      assert.strictEqual(headers["vary"], "Origin")
    }))

  it.effect("that is a page or a document is compressed too", () =>
    Effect.gen(function*() {
      for (const path of ["/docs", "/openapi.json"]) {
        const plain = yield* exchange("GET", path)
        const [first, second] = [
          yield* exchange("GET", path, { headers: br }),
          yield* exchange("GET", path, { headers: br })
        ]
        const zipped = yield* exchange("GET", path, { headers: { "Accept-Encoding": "gzip" } })
        assert.deepStrictEqual(first.bytes, second.bytes)
        for (const answer of [first, zipped]) {
          assert.strictEqual(answer.text, plain.text)
          assert.isBelow(answer.bytes.length, plain.bytes.length / 3)
        }
      }
    }))
})

layer(AppLayer)("A short answer", (it) => {
  it.effect("is sent as it is", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      for (const path of ["/v1/health", club.path, `${club.path}/nowhere`]) {
        const { headers, text } = yield* exchange("GET", path, { token: club.token, headers: br })
        assert.isBelow(text.length, 1024)
        assert.isUndefined(headers["content-encoding"])
        assert.strictEqual(headers["vary"], path.endsWith("/nowhere") ? "Origin, Accept-Language" : "Origin")
      }
    }))
})

describe("What is compressed", () => {
  const text = "a".repeat(2000)
  const json = (given: Parameters<typeof HttpServerResponse.text>[1]) =>
    HttpServerResponse.text(text, { contentType: "application/json", ...given })

  alone.each([
    "application/json",
    "application/json; charset=utf-8",
    "application/problem+json",
    "text/html",
    "text/css",
    "text/javascript",
    "application/javascript",
    "image/svg+xml"
  ])("is text: %s", (contentType) => {
    assert.isTrue(isCompressible(json({ contentType })))
  })

  alone.each(["image/png", "application/zip", "font/woff2", "text/event-stream", "application/octet-stream"])(
    "is nothing else: %s",
    (contentType) => {
      assert.isFalse(isCompressible(json({ contentType })))
    }
  )

  alone("is a success that is all there, has no coding and may be kept", () => {
    assert.isTrue(isCompressible(json({ status: 201 })))
    for (const status of [204, 206, 304, 400, 500]) assert.isFalse(isCompressible(json({ status })), String(status))
    assert.isFalse(isCompressible(json({ headers: { "content-encoding": "gzip" } })))
    assert.isFalse(isCompressible(json({ headers: { "cache-control": "no-store" } })))
    assert.isFalse(isCompressible(json({ headers: { "cache-control": "private, no-transform" } })))
    assert.isFalse(isCompressible(HttpServerResponse.text("a".repeat(1024), { contentType: "application/json" })))
    assert.isTrue(isCompressible(HttpServerResponse.text("a".repeat(1025), { contentType: "application/json" })))
  })
})

layer(AppLayer)("A read that is asked again and again", (it) => {
  const club = Effect.map(foundClub(), ({ path, token }) => ({ token, path, url: `${path}/gamification` }))

  it.effect("has a tag, and a browser asks each time whether it still holds", () =>
    Effect.gen(function*() {
      const { token, url } = yield* club
      const { headers } = yield* exchange("GET", url, { token })
      assert.match(headers.etag ?? "", /^"[\w-]{22}"$/)
      assert.strictEqual(headers["cache-control"], "private, no-cache")
    }))

  it.effect("is not sent again to who has it", () =>
    Effect.gen(function*() {
      const { token, url } = yield* club
      const { headers: { etag = "" } } = yield* exchange("GET", url, { token })
      for (const method of ["GET", "HEAD"]) {
        for (const held of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
          const headers = { "If-None-Match": held, Origin: "http://localhost:1", "X-Request-Id": "mine" }
          const answer = yield* exchange(method, url, { token, headers })
          assert.deepStrictEqual([answer.status, answer.bytes.length], [304, 0], held)
          assert.strictEqual(answer.headers.etag, etag)
          assert.strictEqual(answer.headers["cache-control"], "private, no-cache")
          assert.strictEqual(answer.headers["x-request-id"], "mine")
          assert.strictEqual(answer.headers["access-control-allow-origin"], "http://localhost:1")
          assert.match(answer.headers["vary"] ?? "", /^Origin/)
          assert.notProperty(answer.headers, "content-type")
          assert.notProperty(answer.headers, "content-length")
        }
      }
    }))

  it.effect("is sent to who has another, and to who may not read it at all", () =>
    Effect.gen(function*() {
      const { path, token, url } = yield* club
      const { headers: { etag = "" } } = yield* exchange("GET", url, { token })
      const held = { "If-None-Match": etag }
      const switched = { token, body: { ranking_visible: false }, headers: held }
      assert.strictEqual((yield* exchange("PATCH", url, switched)).status, 200)
      const changed = yield* exchange("GET", url, { token, headers: held })
      assert.strictEqual(changed.status, 200)
      assert.notStrictEqual(changed.headers.etag, etag)
      assert.strictEqual((yield* exchange("GET", url, { headers: { "If-None-Match": "*" } })).status, 401)
      const stranger = yield* foundClub()
      const foreign = { token: stranger.token, headers: { "If-None-Match": "*" } }
      assert.strictEqual((yield* exchange("GET", url, foreign)).status, 403)
      assert.strictEqual((yield* exchange("GET", `${path}/courses/nope`, { token, headers: held })).status, 404)
    }))

  it.effect("has a weak tag while it is compressed, which names it as well", () =>
    Effect.gen(function*() {
      const { path, token } = yield* withCourses(12)
      const url = `${path}/courses`
      const { headers: { etag = "" } } = yield* exchange("GET", url, { token })
      const short = yield* exchange("GET", url, { token, headers: br })
      assert.strictEqual(short.headers.etag, `W/${etag}`)
      for (const held of [etag, `W/${etag}`]) {
        const again = yield* exchange("GET", url, { token, headers: { ...br, "If-None-Match": held } })
        assert.deepStrictEqual([again.status, again.headers.etag], [304, `W/${etag}`])
        assert.strictEqual(again.headers["vary"], "Origin, Accept-Encoding")
        assert.notProperty(again.headers, "content-encoding")
      }
    }))

  it.effect("is one of these", () =>
    Effect.gen(function*() {
      const { path, token } = yield* withCourses(1)
      const { text } = yield* exchange("GET", `${path}/courses`, { token })
      const course = String(at(JSON.parse(text), "data", 0, "id"))
      const urls = [
        `${path}/gamification`,
        `${path}/courses`,
        `${path}/courses/${course}`,
        `${path}/courses/${course}/modules`,
        `${path}/webhook-event-types`,
        "/docs",
        "/openapi.json"
      ]
      for (const url of urls) {
        const { headers: { etag = "none" } } = yield* exchange("GET", url, { token })
        const again = yield* exchange("GET", url, { token, headers: { "If-None-Match": etag } })
        assert.deepStrictEqual([url, again.status, again.bytes.length], [url, 304, 0])
      }
    }))

  it.effect("is no other: what has no tag is sent whatever one has", () =>
    Effect.gen(function*() {
      const { path, token } = yield* club
      const answer = yield* exchange("GET", path, { token, headers: { "If-None-Match": "*" } })
      assert.strictEqual(answer.status, 200)
      assert.notProperty(answer.headers, "etag")
    }))
})

describe("An answer that is the same for everybody", () => {
  const page = HttpServerResponse.text("a long page ".repeat(1000), { contentType: "text/html" })
  const bytesOf = (response: HttpServerResponse.HttpServerResponse, coding: "br" | "gzip") =>
    Effect.map(
      compress(response, coding),
      ({ body }) => body._tag === "Uint8Array" ? body.body : assert.fail("There is no body")
    )

  alone.effect(
    "is compressed once for each coding, whoever asks and whatever is added to it",
    () =>
      Effect.gen(function*() {
        const kept = staticAnswer(page)
        const first = yield* bytesOf(kept, "br")
        assert.strictEqual(yield* bytesOf(HttpServerResponse.setHeader(kept, "x-request-id", "other"), "br"), first)
        assert.notStrictEqual(yield* bytesOf(kept, "gzip"), first)
        const other = HttpServerResponse.text("another page ".repeat(1000), { contentType: "text/html" })
        assert.notStrictEqual(yield* bytesOf(other, "br"), yield* bytesOf(other, "br"))
      })
  )

  alone("has a tag of its content, and is asked for each time unless something else is said", () => {
    const [one, same] = [staticAnswer(page), staticAnswer(page, "max-age=60")]
    assert.strictEqual(one.headers["etag"], same.headers["etag"])
    assert.deepStrictEqual([one.headers["cache-control"], same.headers["cache-control"]], ["no-cache", "max-age=60"])
    assert.notStrictEqual(staticAnswer(HttpServerResponse.text("b")).headers["etag"], one.headers["etag"])
    assert.isUndefined(staticAnswer(HttpServerResponse.text("b", { status: 404 })).headers["etag"])
  })
})
