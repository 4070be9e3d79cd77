import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer, Result, Schema } from "effect"
import { HttpApi } from "effect/http-api"
import { PassThrough } from "node:stream"
import { Api } from "../../../../src/Api.ts"
import { RoutesLayer } from "../../../../src/App.ts"
import { Gamifications } from "../../../../src/learning/gamification/Gamifications.ts"
import { LadderPayload, LevelId } from "../../../../src/learning/gamification/Ladder.ts"
import { createApiServer } from "../../../../src/platform/http/server/Server.ts"
import { AppLayer, appLayer, at, foundClub, send } from "../../../harness/App.ts"
import { call, isRefusal, parseAnswer, rawRequest, sendRaw } from "../../../harness/RawHttp.ts"

const over = `{"name":"${"a".repeat(1_048_576)}"}`

layer(AppLayer)("a refused field", (it) => {
  it.effect.each([
    ["an empty name", { name: "", min_points: 1 }, "levels[1].name"],
    ["points that are no integer", { name: "Ouro", min_points: 1.5 }, "levels[1].min_points"],
    ["points as text", { name: "Ouro", min_points: "7331" }, "levels[1].min_points"],
    ["no points", { name: "Ouro" }, "levels[1].min_points"],
    ["an id that is none", { id: "c0ffee", name: "Ouro", min_points: 1 }, "levels[1].id"],
    ["an unknown field", { name: "Ouro", min_points: 1, colour: "blue" }, "levels[1].colour"],
    ["null for a level", null, "levels[1]"]
  ] as const)("is named with its place and what it takes: %s", ([, level, place]) =>
    Effect.gen(function*() {
      const { path, token } = yield* foundClub()
      const body = JSON.stringify({ levels: [{ name: "Semente", min_points: 0 }, level] })
      const answer = yield* call("PUT", `${path}/gamification/levels`, { token, body })
      isRefusal(answer, 422, "validation_failed")
      const message = String(at(answer.json, "error", "message"))
      assert.strictEqual(message.replaceAll("`", "").split(" ")[0], place)
      assert.match(message, / (?:must (?:be|have)|is required|is not a known field)/)
    }))

  it.effect.each([
    ["300,000 levels without anything", `{"levels":[${"{},".repeat(299_999)}{}]}`, 413],
    ["6,000 levels without anything", `{"levels":[${"{},".repeat(5999)}{}]}`, 422],
    ["75,000 unknown fields", `{${Array.from({ length: 75_000 }, (_, n) => `"key${n}":1`).join()}}`, 413],
    ["9,000 unknown fields", `{${Array.from({ length: 9000 }, (_, n) => `"key${n}":1`).join()}}`, 422],
    ["an unknown field with a name of a million characters", `{"${"x".repeat(1_000_000)}":1}`, 422],
    ["such a field in a level", `{"levels":[{"${"x".repeat(1_000_000)}":1}]}`, 422]
  ] as const)("makes a short refusal, however much is wrong: %s", ([, body, status]) =>
    Effect.gen(function*() {
      const { path, token } = yield* foundClub()
      for (
        const answer of [
          yield* call("PUT", `${path}/gamification/levels`, { token, body }),
          yield* call("PATCH", `${path}/gamification`, { token, body })
        ]
      ) {
        isRefusal(answer, status, status === 413 ? "payload_too_large" : "validation_failed")
        assert.isBelow(answer.text.length, 300)
      }
    }))

  it.effect("is named with all others, but of a long body alone", () =>
    Effect.gen(function*() {
      const { token } = yield* foundClub()
      const named = Effect.fnUntraced(function*(length: number) {
        const wrong = { name: "", slug: "A B", locale: "pt" }
        const spaces = " ".repeat(length - JSON.stringify(wrong).length)
        const answer = yield* call("POST", "/v1/clubs", { token, body: `${JSON.stringify(wrong)}${spaces}` })
        isRefusal(answer, 422, "validation_failed")
        return String(at(answer.json, "error", "message")).split("; ").map((sentence) => sentence.split(" ")[0])
      })
      assert.deepStrictEqual(yield* named(8192), ["name", "slug", "locale"])
      assert.deepStrictEqual(yield* named(8193), ["name"])
    }))

  it.effect.each([
    ["5,000 levels without anything", `{"levels":[${"{},".repeat(4999)}{}]}`],
    ["1,200 unknown fields", `{${Array.from({ length: 1200 }, (_, n) => `"key${n}":1`).join()}}`],
    ["an unknown field with a name of 16,000 characters", `{"${"x".repeat(16_000)}":1}`]
  ] as const)("makes a short refusal of what anybody may send: %s", ([, body]) =>
    Effect.gen(function*() {
      const answer = yield* call("POST", "/v1/auth/admin/sign-up", { body })
      isRefusal(answer, 422, "validation_failed")
      assert.isBelow(answer.text.length, 300)
    }))

  it("ends the reading of a body", () => {
    const options = Context.getUnsafe(Api.annotations, HttpApi.PayloadParseOptions)
    let reads = 0
    const level = {
      get name() {
        reads++
        return ""
      }
    }
    const levels = Array.from({ length: 50 }, () => level)
    assert.isTrue(Result.isFailure(Schema.decodeUnknownResult(LadderPayload, options)({ levels })))
    assert.strictEqual(reads, 1)
  })

  it.effect("is never echoed", () =>
    Effect.gen(function*() {
      const { path, token } = yield* foundClub()
      const secret = "tops3cret"
      const refused = [
        yield* call("POST", "/v1/auth/admin/sign-in", { body: JSON.stringify({ email: secret, password: 1 }) }),
        yield* call("POST", "/v1/auth/admin/sign-up", {
          body: JSON.stringify({ name: "Ana", email: "a@b.example", password: secret.slice(0, 7) })
        }),
        yield* call("POST", "/v1/clubs", { token, body: JSON.stringify({ name: "A", slug: `${secret}!` }) }),
        yield* call("POST", "/v1/clubs", { token, body: JSON.stringify({ name: "A", time_zone: secret }) }),
        yield* call("POST", "/v1/clubs", { token, body: JSON.stringify({ name: "A", locale: secret }) }),
        yield* call("PUT", `${path}/gamification/levels`, { token, body: `{"levels":[{"id":"${secret}"}]}` }),
        yield* call("GET", `${path}/members?limit=${secret}`, { token })
      ]
      for (const answer of refused) {
        isRefusal(answer, 422, "validation_failed")
        assert.notInclude(answer.text, secret.slice(0, 7))
      }
      isRefusal(
        yield* call("POST", "/v1/clubs", { token, body: `{"name":"${secret}` }),
        400,
        "malformed_request",
        "The body is not valid JSON: see line 1, column 9"
      )
      const cursor = yield* call("GET", `${path}/members?cursor=${secret}`, { token })
      isRefusal(cursor, 400, "invalid_cursor")
      assert.notInclude(cursor.text, secret)
    }))
})

layer(AppLayer)("what is no request", (it) => {
  it.effect.each([
    ["broken HTTP", "HELLO\r\n\r\n", 400, "malformed_request"],
    ["a method that HTTP does not know", "FOO / HTTP/1.1\r\nHost: a\r\n\r\n", 400, "malformed_request"],
    [
      "two lengths",
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
      400,
      "malformed_request"
    ],
    ["a URL over 16 KiB", `GET /?${"a".repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 431, "headers_too_large"],
    ["headers over 16 KiB", `GET / HTTP/1.1\r\nHost: a\r\nA: ${"a".repeat(20_000)}\r\n\r\n`, 431, "headers_too_large"]
  ] as const)("is answered in the envelope: %s", ([, bytes, status, code]) =>
    Effect.gen(function*() {
      const answer = yield* sendRaw(bytes)
      isRefusal(answer, status, code)
      assert.strictEqual(answer.headers["cache-control"], "no-store")
      assert.strictEqual((yield* send("GET", "/v1/health")).status, 200)
    }))

  it.effect("is answered in the envelope when a chunk comes with too much beside it", () =>
    Effect.gen(function*() {
      const { token } = yield* foundClub()
      const headers = { "Content-Type": "application/json", "Transfer-Encoding": "chunked" }
      const [head = ""] = rawRequest("POST", "/v1/clubs", { token, headers })
      const answer = yield* sendRaw(head, `1;${"a".repeat(20_000)}\r\n{\r\n0\r\n\r\n`)
      isRefusal(answer, 413, "payload_too_large")
    }))

  it.effect("is another each time", () =>
    Effect.gen(function*() {
      const [first, second] = [yield* sendRaw("HELLO\r\n\r\n"), yield* sendRaw("HELLO\r\n\r\n")]
      assert.notStrictEqual(first.headers["x-request-id"], second.headers["x-request-id"])
    }))

  it("is answered in the envelope when it takes too long to arrive", () => {
    const client = new PassThrough()
    const error = Object.assign(new Error("timeout"), { code: "ERR_HTTP_REQUEST_TIMEOUT" })
    createApiServer(() => false).emit("clientError", error, client)
    const answer = parseAnswer(client.read())
    isRefusal(answer, 408, "request_timeout")
    assert.strictEqual(answer.headers["connection"], "close")
  })
})

layer(AppLayer)("a failure", (it) => {
  it.effect("is kept by nobody, wherever it was made", () =>
    Effect.gen(function*() {
      const { path, token } = yield* foundClub()
      const answers = [
        yield* call("GET", "/v1/auth/nothing"),
        yield* call("PUT", "/v1/auth/admin/sign-in", { body: "{}" }),
        yield* call("POST", "/v1/auth/admin/sign-in", { body: "{" }),
        yield* call("POST", "/v1/clubs", { token, body: over }),
        yield* call("POST", "/v1/clubs", { token, body: "{}", headers: { "Content-Type": "text/plain" } }),
        yield* call("GET", path),
        yield* call("GET", `${path}/members?limit=0`, { token }),
        yield* call("GET", "/%ff")
      ]
      assert.deepStrictEqual(answers.map(({ status }) => status), [404, 405, 400, 413, 415, 401, 422, 404])
      for (const { headers } of answers) assert.strictEqual(headers["cache-control"], "no-store")
      assert.isUndefined((yield* call("GET", path, { token })).headers["cache-control"])
    }))
})

const detail = "postgres://turma:hunter2@10.0.0.7/turma at readLadder"

const broken = Layer.mock(Gamifications, {
  read: () => Effect.die(new Error(detail)),
  // Breaks the contract: a level without a name.
  patch: () =>
    Effect.succeed({
      enabled: true,
      ranking_visible: true,
      rules: [],
      levels: [{ id: LevelId.make("018f0000-0000-7000-8000-000000000001"), name: "", min_points: 0 }]
    }),
  replaceLevels: () => Effect.die(detail)
})

layer(appLayer({}, { routes: RoutesLayer.pipe(Layer.provide(broken)) }))(
  "a defect",
  (it) => {
    it.effect("is an internal error that says nothing of itself", () =>
      Effect.gen(function*() {
        const { path, token } = yield* foundClub()
        const body = JSON.stringify({ levels: [{ name: "A", min_points: 0 }, { name: "B", min_points: 1 }] })
        for (
          const answer of [
            yield* call("GET", `${path}/gamification`, { token }),
            yield* call("PUT", `${path}/gamification/levels`, { token, body }),
            yield* call("PATCH", `${path}/gamification`, { token, body: "{}" })
          ]
        ) {
          isRefusal(
            answer,
            500,
            "internal_error",
            "Something went wrong in the service: try again, and report the X-Request-Id if it happens again"
          )
        }
        assert.strictEqual((yield* send("GET", "/v1/health")).status, 200)
      }))
  }
)
