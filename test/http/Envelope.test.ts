import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { RoutesLayer } from "../../src/App.ts"
import { Gamifications } from "../../src/gamification/Gamifications.ts"
import { LevelId } from "../../src/gamification/Ladder.ts"
import { AppLayer, appLayer, at, codeOf, foundClub, send } from "../support/App.ts"
import { call, isRefusal, sendRaw } from "../support/RawHttp.ts"

layer(AppLayer, { timeout: "60 seconds" })("a refused field", (it) => {
  it.effect("is named with its place and what it takes, and every other one beside it", () =>
    Effect.gen(function*() {
      const { path, token } = yield* foundClub()
      const levels = [
        { name: "Semente", min_points: 0 },
        { name: "", min_points: -1 },
        { name: "x".repeat(41), min_points: 1.5, id: "c0ffee", colour: "blue" },
        { min_points: "7331" },
        null
      ]
      const answer = yield* call("PUT", `${path}/gamification/levels`, { token, body: JSON.stringify({ levels }) })
      isRefusal(answer, 422, "validation_failed")
      const named = String(at(answer.json, "error", "message")).split("; ").map((part) => part.split(": ")[0])
      assert.sameMembers([...new Set(named)], [
        "levels[1].name",
        "levels[1].min_points",
        "levels[2].name",
        "levels[2].min_points",
        "levels[2].id",
        "levels[2].colour",
        "levels[3].name",
        "levels[3].min_points",
        "levels[4]"
      ])
    }))

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
        "The request body is not valid JSON"
      )
      const cursor = yield* call("GET", `${path}/members?cursor=${secret}`, { token })
      isRefusal(cursor, 400, "invalid_cursor")
      assert.notInclude(cursor.text, secret)
    }))
})

layer(AppLayer, { timeout: "60 seconds" })("what is no request", (it) => {
  it.effect.each(
    [
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
    ] as const
  )("is answered in the envelope: %s", ([, bytes, status, code]) =>
    Effect.gen(function*() {
      const answer = yield* sendRaw(bytes)
      assert.deepStrictEqual([answer.status, codeOf(answer)], [status, code])
      assert.strictEqual(answer.headers["content-type"], "application/json")
      assert.strictEqual((yield* send("GET", "/v1/health")).status, 200)
    }))
})

const detail = "postgres://turma:hunter2@10.0.0.7/turma at readLadder"

const broken = Layer.mock(Gamifications, {
  read: () => Effect.die(new Error(detail)),
  // Not the contract's: a level without a name.
  patch: () =>
    Effect.succeed({
      enabled: true,
      ranking_visible: true,
      rules: [],
      levels: [{ id: LevelId.make("018f0000-0000-7000-8000-000000000001"), name: "", min_points: 0 }]
    }),
  replaceLevels: () => Effect.die(detail)
})

layer(appLayer({}, { routes: RoutesLayer.pipe(Layer.provide(broken)) }), { timeout: "60 seconds" })(
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
          isRefusal(answer, 500, "internal_error", "Something went wrong")
        }
        assert.strictEqual((yield* send("GET", "/v1/health")).status, 200)
      }))
  }
)
