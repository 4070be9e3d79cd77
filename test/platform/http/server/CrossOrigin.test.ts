import { assert, it as alone, layer } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { PassThrough } from "node:stream"
import { RoutesLayer } from "../../../../src/App.ts"
import { Gamifications } from "../../../../src/learning/gamification/Gamifications.ts"
import { createApiServer } from "../../../../src/platform/http/server/Server.ts"
import { Unanswered } from "../../../../src/platform/http/server/Unanswered.ts"
import { AppLayer, appLayer, at, enrolledStudent, foundClub } from "../../../harness/App.ts"
import { operations, pathWith } from "../../../harness/Document.ts"
import { eventually } from "../../../harness/Eventually.ts"
import { exchange } from "../../../harness/Exchange.ts"
import { call, isRefusal, parseAnswer, type RawAnswer, rawRequest, sendRaw } from "../../../harness/RawHttp.ts"
import { downloadPath, localFolder, uploadPath } from "../../storage/local/LocalFolder.ts"

// Takes long: it asks every route.

const { folder } = localFolder()
const app = "https://app.example.com"
const foreign = "https://app.example.com.evil.com"
const unknownId = "018f0000-0000-7000-8000-000000000001"
const secret = "a-long-random-text"

const settings = { ALLOWED_ORIGINS: `${app},https://*.clubs.example.com,http://localhost:*`, DATA_DIR: folder }

const exposed =
  "X-Request-Id, RateLimit, RateLimit-Policy, Retry-After, Idempotency-Replayed, Content-Disposition, ETag"

const ofAccess = (headers: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) =>
    name.startsWith("access-control-") || name === "timing-allow-origin"
  ))

/** Checks that the requesting page may read the answer, and that caches keep it from other pages. */
const isReadable = ({ headers }: { readonly headers: Readonly<Record<string, unknown>> }, origin = app) => {
  assert.deepStrictEqual(ofAccess(headers), {
    "access-control-allow-origin": origin,
    "access-control-expose-headers": exposed,
    "timing-allow-origin": origin
  })
  assert.match(String(headers["vary"]), /^Origin\b/)
}

const from = (origin: string, more: Record<string, string> = {}) => ({ headers: { Origin: origin, ...more } })

/** The preflight of a browser before a page's request. */
const preflight = (path: string, method: string, origin = app) =>
  call("OPTIONS", path, from(origin, { "Access-Control-Request-Method": method }))

const isAllowed = ({ headers, status, text }: RawAnswer, methods: string) => {
  assert.deepStrictEqual([status, text], [204, ""])
  assert.deepStrictEqual(ofAccess(headers), {
    "access-control-allow-headers":
      "Accept-Language, Authorization, Content-Type, Idempotency-Key, If-None-Match, If-Range, Last-Event-ID, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Range, X-Request-Id",
    "access-control-allow-methods": methods,
    "access-control-allow-origin": app,
    "access-control-expose-headers": exposed,
    "access-control-max-age": "3600",
    "timing-allow-origin": app
  })
  assert.strictEqual(headers["vary"], "Origin")
  assert.isDefined(headers["x-request-id"])
}

layer(appLayer(settings))("A page of an allowed origin", (it) => {
  it.effect.each([app, "https://flauta.clubs.example.com", "http://localhost:5173", "http://localhost"])(
    "may read, whichever of them it is: %s",
    (origin) =>
      Effect.gen(function*() {
        const answer = yield* call("GET", "/v1/health", from(origin))
        assert.strictEqual(answer.status, 200)
        isReadable(answer, origin)
      })
  )

  it.effect("may read every kind of answer, refusals too", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const { token } = club
      const student = yield* enrolledStudent(club)
      const json = { ...from(app), token }
      const answers = [
        [200, yield* call("GET", club.path, json)],
        [204, yield* call("DELETE", "/v1/auth/session", { ...from(app), token: student.token })],
        [401, yield* call("GET", club.path, from(app))],
        [404, yield* call("GET", "/nowhere", from(app))],
        [404, yield* call("GET", `${club.path}/courses/nope`, json)],
        [405, yield* call("PUT", "/v1/health", from(app))],
        [405, yield* call("OPTIONS", "/v1/health", from(app))],
        [400, yield* call("POST", "/v1/clubs", { ...json, body: "{" })],
        [413, yield* call("POST", "/v1/clubs", { ...json, body: `{"name":"${"a".repeat(1_048_576)}"}` })],
        [415, yield* call("POST", "/v1/clubs", { ...from(app, { "Content-Type": "text/plain" }), token, body: "{}" })],
        [422, yield* call("POST", "/v1/clubs", { ...json, body: "{}" })],
        [417, yield* call("GET", "/v1/health", from(app, { Expect: "magic" }))],
        [431, yield* call("GET", "/v1/health", from(app, { A: "a".repeat(20_000) }))],
        [431, yield* call("GET", `/v1/health?${"a".repeat(60_000)}`, from(app))],
        [200, yield* call("HEAD", "/v1/health", from(app))],
        [200, yield* call("GET", "/openapi.json", from(app))],
        [200, yield* call("GET", `${club.path}/students/export.csv`, json)]
      ] as const
      for (const [status, answer] of answers) {
        assert.strictEqual(answer.status, status, answer.text.slice(0, 200))
        isReadable(answer)
      }
    }))

  it.effect("may send files and get them", () =>
    Effect.gen(function*() {
      const [upload, download] = [yield* uploadPath({ size_bytes: 5 }), yield* downloadPath()]
      isAllowed(yield* preflight(upload, "PUT"), "PUT")
      isAllowed(yield* preflight(download, "GET"), "GET, HEAD")
      const refused = yield* call("PUT", upload, { ...from(app), body: "hello" })
      const sent = yield* call("PUT", upload, { ...from(app, { "Content-Type": "text/plain" }), body: "hello" })
      const gone = yield* call("GET", download, from(app))
      assert.deepStrictEqual([refused.status, sent.status, gone.status], [415, 204, 404])
      for (const answer of [refused, sent, gone]) isReadable(answer)
    }))

  it.effect("reads it when an answer is late", () =>
    Effect.gen(function*() {
      const unanswered = yield* Unanswered
      const [head = ""] = rawRequest("POST", "/v1/auth/admin/sign-in", {
        ...from(app, { "Content-Type": "application/json", "Content-Length": "100" })
      })
      const late = yield* Effect.forkChild(sendRaw(head))
      const isThere = Effect.sync(() => {
        unanswered.giveUpAll()
        return late.pollUnsafe() !== undefined
      })
      yield* eventually(isThere, (is) => is)
      const answer = yield* Fiber.join(late)
      isRefusal(answer, 503, "temporarily_unavailable")
      isReadable(answer)
    }))

  it.effect("reads it when the body is no HTTP any more", () =>
    Effect.gen(function*() {
      const { token } = yield* foundClub()
      const headers = { "Content-Type": "application/json", "Transfer-Encoding": "chunked", Origin: app }
      const [head = ""] = rawRequest("POST", "/v1/clubs", { token, headers })
      const answer = yield* sendRaw(head, `1;${"a".repeat(20_000)}\r\n{\r\n0\r\n\r\n`)
      isRefusal(answer, 413, "payload_too_large")
      isReadable(answer)
    }))

  it.effect("may ask first for a URL that is too long, and reads that it is", () =>
    Effect.gen(function*() {
      isAllowed(yield* preflight(`/v1/health?${"a".repeat(20_000)}`, "GET"), "GET, HEAD")
    }))

  it.effect("hears for every route what it really takes", () =>
    Effect.gen(function*() {
      const paths = [...new Set(operations.map((operation) => pathWith(operation, {}, unknownId)))]
      assert.isAbove(paths.length, 100)
      for (const path of [...paths, "/docs", "/openapi.json?a"]) {
        const taken: Array<string> = []
        for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]) {
          if ((yield* call(method, path)).status !== 405) taken.push(method)
        }
        const answer = yield* preflight(path, taken[0] ?? "")
        const said = answer.headers["access-control-allow-methods"] ?? ""
        assert.sameMembers(said.split(", "), taken, path)
        isAllowed(answer, said)
      }
    }))

  it.effect("reads no page that people look at, be it one that answers a form", () =>
    Effect.gen(function*() {
      const looking = { headers: { ...from(app).headers, accept: "text/html" } }
      const pages = [
        yield* call("GET", "/docs", looking),
        yield* call("GET", "/", looking),
        yield* call("GET", "/account/sign-in", looking),
        yield* call("POST", "/account/sign-in", looking)
      ]
      for (const { headers, text } of pages) {
        assert.match(headers["content-type"] ?? "", /^text\/html/, text)
        for (const name of ["access-control-allow-origin", "access-control-expose-headers", "timing-allow-origin"]) {
          assert.notProperty(headers, name)
        }
      }
    }))

  it.effect("asks in vain for a route that there is not", () =>
    Effect.gen(function*() {
      for (const path of ["/v1/nowhere", "//", "/storage/uploads", "*"]) {
        const answer = yield* preflight(path, "GET")
        isRefusal(answer, 404, "not_found")
        isReadable(answer)
      }
    }))

  it.effect("is never given credentials, nor everybody's leave", () =>
    Effect.gen(function*() {
      const { headers } = yield* preflight("/v1/me", "GET")
      assert.notProperty(headers, "access-control-allow-credentials")
      assert.notInclude(Object.entries(ofAccess(headers)).map(([, value]) => value), "*")
    }))

  it.effect("asks first without a statement", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const club = yield* foundClub()
      // A query for the club or a session would wait for this lock.
      yield* sql.withTransaction(Effect.gen(function*() {
        yield* sql`lock table clubs, user_sessions in access exclusive mode`
        isAllowed(yield* preflight(`${club.path}/courses`, "POST"), "GET, HEAD, POST")
      }))
    }))
})

layer(appLayer({ ...settings, INTERNAL_SECRET: secret, RATE_LIMIT_CREDENTIALS: "2" }))(
  "Of limits, a page",
  (it) => {
    it.effect("spends none by asking first, and reads what it has spent", () =>
      Effect.gen(function*() {
        const path = "/v1/auth/admin/sign-in"
        for (let n = 0; n < 5; n++) isAllowed(yield* preflight(path, "POST"), "POST")
        const body = JSON.stringify({ email: "ana@example.com", password: "violao e voz" })
        const answers = [1, 2, 3].map(() => call("POST", path, { ...from(app), body }))
        const [first, second, third] = yield* Effect.all(answers)
        assert.deepStrictEqual([first?.status, second?.status, third?.status], [401, 401, 429])
        if (third === undefined) return assert.fail("There were fewer")
        isReadable(third)
        assert.isDefined(third.headers["retry-after"])
      }))

    it.effect("asking first is counted as that, and as no failure", () =>
      Effect.gen(function*() {
        // Other tests of the process also count, including their refused requests.
        const counted = Effect.map(call("GET", "/internal/metrics", { token: secret }), ({ text }) =>
          Object.fromEntries(Array.from(
            text.matchAll(/^turma_http_requests_total\{(.*method="OPTIONS".*)\} (\d+)$/gm),
            ([, labels = "", count]) => [labels, Number(count)]
          )))
        const before = yield* counted
        yield* preflight("/v1/me", "GET")
        const after = yield* counted
        const grown = Object.entries(after).flatMap(([labels, count]) => {
          const more = count - (before[labels] ?? 0)
          return more === 0 ? [] : [[labels, more]]
        })
        assert.deepStrictEqual(grown, [[`method="OPTIONS",route="preflight",status="204"`, 1]])
      }))
  }
)

const broken = Layer.mock(Gamifications, { read: () => Effect.die(new Error("broken")) })

layer(appLayer(settings, { routes: RoutesLayer.pipe(Layer.provide(broken)) }))(
  "A defect",
  (it) => {
    it.effect("is told to the page that met it", () =>
      Effect.gen(function*() {
        const { path, token } = yield* foundClub()
        const answer = yield* call("GET", `${path}/gamification`, { ...from(app), token })
        isRefusal(answer, 500, "internal_error")
        isReadable(answer)
      }))
  }
)

layer(appLayer(settings))("A page of another origin", (it) => {
  const strangers = [
    foreign,
    "null",
    "https://App.example.com",
    "https://app.example.com:443",
    "https://app.example.com:8443",
    "http://app.example.com",
    "https://a.b.clubs.example.com",
    "https://clubs.example.com",
    "http://localhost.example.com:3000",
    "https://app.example.com, https://app.example.com",
    "https://turma.example"
  ]

  const withoutId = ({ headers, status, text }: RawAnswer) => {
    const { date: _, "x-request-id": __, ...same } = headers
    return { status, text, headers: same }
  }

  it.effect.each(strangers)("gets no header, and else what everybody gets: %s", (origin) =>
    Effect.gen(function*() {
      const { path, token } = yield* foundClub()
      const asked: ReadonlyArray<readonly [string, string]> = [
        ["GET", "/v1/health"],
        ["GET", path],
        ["GET", "/v1/nowhere"],
        ["PUT", "/v1/health"],
        ["GET", "/openapi.json"]
      ]
      for (const [method, url] of asked) {
        const answer = yield* call(method, url, { ...from(origin), token })
        assert.deepStrictEqual(ofAccess(answer.headers), {})
        assert.deepStrictEqual(withoutId(answer), withoutId(yield* call(method, url, { token })))
        assert.match(answer.headers["vary"] ?? "", /^Origin\b/)
      }
      const headers = { "Access-Control-Request-Method": "GET" }
      const first = yield* preflight("/v1/me", "GET", origin)
      assert.deepStrictEqual(withoutId(first), withoutId(yield* call("OPTIONS", "/v1/me", { headers })))
      isRefusal(first, 405, "method_not_allowed")
    }))

  it.effect("is none when it says so twice", () =>
    Effect.gen(function*() {
      const answer =
        yield* sendRaw(`GET /v1/health HTTP/1.1\r\nHost: a\r\nConnection: close\r\nOrigin: ${app}\r\nOrigin: ${foreign}\r\n\r\n`)
      assert.deepStrictEqual(ofAccess(answer.headers), {})
    }))

  it.effect("cannot be told where a request was not understood", () =>
    Effect.gen(function*() {
      const answer = yield* sendRaw(`GET / HTTP/1.1\r\nHost: a\r\nOrigin: ${app}\r\nA: ${"a".repeat(70_000)}\r\n\r\n`)
      isRefusal(answer, 431, "headers_too_large")
      assert.deepStrictEqual(ofAccess(answer.headers), {})
      assert.strictEqual(answer.headers["vary"], "Origin")
    }))
})

layer(AppLayer)("By itself, with the embedded database,", (it) => {
  it.effect("a page of this machine may call, and no other", () =>
    Effect.gen(function*() {
      const { headers } = yield* exchange("GET", "/v1/health", from("http://127.0.0.1:8080"))
      assert.strictEqual(at(headers, "access-control-allow-origin"), "http://127.0.0.1:8080")
      assert.deepStrictEqual(ofAccess((yield* exchange("GET", "/v1/health", from(app))).headers), {})
    }))
})

alone("What never became a request is kept for no page", () => {
  const client = new PassThrough()
  const error = Object.assign(new Error("timeout"), { code: "ERR_HTTP_REQUEST_TIMEOUT" })
  createApiServer(() => true).emit("clientError", error, client)
  const answer = parseAnswer(client.read())
  isRefusal(answer, 408, "request_timeout")
  assert.strictEqual(answer.headers["vary"], "Origin")
})
