import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { AppLayer, at, enrolledStudent, foundClub } from "../../harness/App.ts"
import { isWrite, operations } from "../../harness/Document.ts"
import { call, chunked, isRefusal, rawRequest, sendRaw } from "../../harness/RawHttp.ts"

const over = `{"name":"${"a".repeat(1_048_576)}"}`

layer(AppLayer)("a body", (it) => {
  it.effect.each([
    ["an object without its end", "{"],
    ["an array without its end", "[".repeat(100)],
    ["a missing value", "{\"name\":}"],
    ["an end too many", "{\"name\":\"a\"}}"],
    ["a byte", "\u0000"],
    ["a word", "undefined"],
    ["a number that is none", "NaN"],
    ["single quotes", "{'name':1}"]
  ] as const)(
    "that is no JSON is a malformed request: %s",
    ([, body]) =>
      Effect.gen(function*() {
        const { token } = yield* foundClub()
        isRefusal(yield* call("POST", "/v1/clubs", { token, body }), 400, "malformed_request")
      })
  )

  it.effect.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "application/xml",
    "multipart/form-data",
    "nonsense"
  ])(
    "of another type is unsupported: %s",
    (type) =>
      Effect.gen(function*() {
        const { token } = yield* foundClub()
        const answer = yield* call("POST", "/v1/clubs", { token, body: "{}", headers: { "Content-Type": type } })
        isRefusal(answer, 415, "unsupported_media_type")
      })
  )

  it.effect("of another type than a page's form is told what to send", () =>
    Effect.gen(function*() {
      const headers = { "Accept": "*/*", "Content-Type": "text/plain", "Sec-Fetch-Site": "same-origin" }
      const answer = yield* call("POST", "/account/sign-in", { body: "a", headers })
      isRefusal(answer, 415, "unsupported_media_type")
      assert.include(String(at(answer.json, "error", "message")), "application/x-www-form-urlencoded")
    }))

  it.effect("is JSON with whatever parameters its type has", () =>
    Effect.gen(function*() {
      const { token } = yield* foundClub()
      const headers = { "Content-Type": "Application/JSON; charset=utf-8" }
      assert.strictEqual((yield* call("POST", "/v1/clubs", { token, headers, body: `{"name":"Roda"}` })).status, 201)
    }))

  it.effect("over 1 MiB is too large, with a length and in chunks", () =>
    Effect.gen(function*() {
      const { token } = yield* foundClub()
      isRefusal(yield* call("POST", "/v1/clubs", { token, body: over }), 413, "payload_too_large")
      const headers = { "Content-Type": "application/json", "Transfer-Encoding": "chunked" }
      const [head = ""] = rawRequest("POST", "/v1/clubs", { token, headers })
      isRefusal(yield* sendRaw(head, chunked(over)), 413, "payload_too_large")
    }))

  it.effect("of exactly 1 MiB is read", () =>
    Effect.gen(function*() {
      const { token } = yield* foundClub()
      const body = `{"name":"Roda"}`.padEnd(1_048_576)
      assert.strictEqual((yield* call("POST", "/v1/clubs", { token, body })).status, 201)
    }))

  it.effect("that is too large for a keyed request is refused alike", () =>
    Effect.gen(function*() {
      const { token } = yield* foundClub()
      const answer = yield* call("POST", "/v1/clubs", {
        token,
        body: over,
        headers: { "Idempotency-Key": "a", "Content-Type": "application/json", "Content-Length": `${over.length}` }
      })
      isRefusal(answer, 413, "payload_too_large")
    }))

  it.effect("of a stranger is not read", () =>
    Effect.gen(function*() {
      // The server answers, although most of the announced body never comes.
      const headers = { "Content-Type": "application/json", "Content-Length": "1000000" }
      isRefusal(yield* call("POST", "/v1/clubs", { headers, body: "{" }), 401, "unauthenticated")
    }))

  it.effect("that is empty lacks what is required", () =>
    Effect.gen(function*() {
      const { token } = yield* foundClub()
      isRefusal(yield* call("POST", "/v1/clubs", { token }), 422, "validation_failed", "The body must be an object")
    }))

  it.effect.each([
    ["arrays", "[".repeat(99) + "]".repeat(99)],
    ["objects", "{\"a\":".repeat(99) + "1" + "}".repeat(99)]
  ] as const)(
    "nested as deep as is read is refused like any other: %s",
    ([, body]) =>
      Effect.gen(function*() {
        const { token } = yield* foundClub()
        isRefusal(yield* call("POST", "/v1/clubs", { token, body }), 422, "validation_failed")
        isRefusal(
          yield* call("POST", "/v1/clubs", { token, body: `{"name":${body}}` }),
          422,
          "validation_failed",
          "name must be a string of 1 to 120 characters"
        )
      })
  )

  it.effect.each([
    ["arrays", `[${Array.from({ length: 10_000 }, () => "[]").join()}]`],
    ["members", `{${Array.from({ length: 10_000 }, (_, n) => `"k${n}":0`).join()}}`],
    ["items", `{"name":[${Array.from({ length: 20_000 }, () => 0).join()}]}`]
  ] as const)(
    "with more than 20,000 marks of structure is too large, whatever it is: %s",
    ([, body]) =>
      Effect.gen(function*() {
        const { token } = yield* foundClub()
        const said = "The body has too many values: send fewer at a time"
        isRefusal(yield* call("POST", "/v1/clubs", { token, body }), 413, "payload_too_large", said)
        const keyed = { token, body, headers: { "Idempotency-Key": "a" } }
        isRefusal(yield* call("POST", "/v1/clubs", keyed), 413, "payload_too_large", said)
      })
  )

  it.effect.each([
    ["arrays", "[".repeat(101) + "]".repeat(101)],
    ["objects", "{\"a\":".repeat(101) + "1" + "}".repeat(101)],
    ["an array without its end", "[".repeat(100_000)],
    ["arrays beside others", `[${"[]".repeat(9)},${"[".repeat(100)}`]
  ] as const)(
    "nested more than 100 levels deep is too large, whatever it is: %s",
    ([, body]) =>
      Effect.gen(function*() {
        const { token } = yield* foundClub()
        const said = "The body has too many lists and objects within one another: at most 100"
        isRefusal(yield* call("POST", "/v1/clubs", { token, body }), 413, "payload_too_large", said)
        const keyed = { token, body, headers: { "Idempotency-Key": "a" } }
        isRefusal(yield* call("POST", "/v1/clubs", keyed), 413, "payload_too_large", said)
      })
  )

  it.effect("has as many marks as it likes within its texts", () =>
    Effect.gen(function*() {
      const { token } = yield* foundClub()
      const body = JSON.stringify({ name: `"\\${"[{,:}]".repeat(100_000)}\\"` })
      const answer = yield* call("POST", "/v1/clubs", { token, body })
      isRefusal(answer, 422, "validation_failed", "name must have 1 to 120 characters")
    }))

  it.effect.each(operations.filter(({ path }) => path.startsWith("/v1/auth/")).filter(isWrite))(
    "to $name has 16 KiB at most",
    (operation) =>
      Effect.gen(function*() {
        if (operation.requestBody === undefined) return
        const club = yield* foundClub()
        const { token } = operation.schemes.includes("studentSession") ? yield* enrolledStudent(club) : club
        const answered = Effect.fnUntraced(function*(length: number) {
          return (yield* call("POST", operation.path, { token, body: "{}".padEnd(length) })).status
        })
        assert.deepStrictEqual([yield* answered(16_384), yield* answered(16_385)], [422, 413])
      })
  )

  it.effect("cannot reach a prototype", () =>
    Effect.gen(function*() {
      const { token } = yield* foundClub()
      const body = `{"__proto__":{"name":"Roda"},"constructor":{"prototype":{"name":"Roda"}}}`
      const answer = yield* call("POST", "/v1/clubs", { token, body })
      isRefusal(
        answer,
        422,
        "validation_failed",
        "name is required; `__proto__` is not a known field; `constructor` is not a known field"
      )
      assert.isUndefined(Object(Object.prototype)["name"])
    }))

  it.effect("with a key twice has what it says last", () =>
    Effect.gen(function*() {
      const { token } = yield* foundClub()
      const created = yield* call("POST", "/v1/clubs", { token, body: `{"name":null,"name":"Roda"}` })
      assert.deepStrictEqual([created.status, at(created.json, "data", "name")], [201, "Roda"])
      const answer = yield* call("POST", "/v1/clubs", { token, body: `{"name":"Roda","name":null}` })
      isRefusal(answer, 422, "validation_failed", "name must be a string of 1 to 120 characters")
    }))

  it.effect("whose bytes are no UTF-8 is refused, as JSON and as no JSON", () =>
    Effect.gen(function*() {
      const { token } = yield* foundClub()
      const body = Buffer.concat([Buffer.from(`{"name":"viol`), Buffer.from([0xe3, 0x6f, 0xff]), Buffer.from(`"}`)])
      for (const headers of [{}, { "Idempotency-Key": "a" }]) {
        isRefusal(
          yield* call("POST", "/v1/clubs", { token, body, headers }),
          400,
          "malformed_request",
          "The body is not valid JSON: it is not UTF-8 text"
        )
      }
      const broken = Buffer.concat([Buffer.from(`{"name":`), Buffer.from([0xff, 0xfe]), Buffer.from("}")])
      isRefusal(yield* call("POST", "/v1/clubs", { token, body: broken }), 400, "malformed_request")
    }))

  it.effect("whose bytes are no UTF-8 is refused where it is no body of the contract's, too", () =>
    Effect.gen(function*() {
      const { path, token } = yield* foundClub()
      const made = yield* call("POST", `${path}/keys`, { token, body: `{"name":"A","role":"admin"}` })
      const key = String(at(made.json, "data", "token"))
      const hook = yield* call("POST", `${path}/inbound-webhooks`, {
        token,
        body: `{"platform":"generic","token_only":true}`
      })
      const doors = [
        [`${path}/students/imports`, token, `{"rows":[{"name":"viol`, `"}]}`],
        ["/mcp", key, `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"`, `"}}`],
        [new URL(String(at(hook.json, "data", "url"))).pathname, token, `{"event":"`, `"}`]
      ] as const
      for (const [target, bearer, before, after] of doors) {
        const body = Buffer.concat([Buffer.from(before), Buffer.from([0xe3, 0x6f]), Buffer.from(after)])
        isRefusal(yield* call("POST", target, { token: bearer, body }), 400, "malformed_request")
      }
    }))

  it.effect("on a route that takes none is ignored", () =>
    Effect.gen(function*() {
      const { path, token } = yield* foundClub()
      assert.strictEqual((yield* call("GET", path, { token, body: "{" })).status, 200)
    }))
})
