import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { AppLayer, at, enrolledStudent, foundClub, outcome } from "../../harness/App.ts"
import { operations, pathWith, sampleBody } from "../../harness/Document.ts"
import { call, isRefusal } from "../../harness/RawHttp.ts"

const unknownId = "018f0000-0000-7000-8000-000000000001"

layer(AppLayer)("a URL", (it) => {
  it.effect.each([
    "/v1",
    "/v1/nothing",
    "/v2/health",
    "/v1/clubs/a/b/c/d/e",
    "/internal/metrics",
    "/favicon.ico",
    "//"
  ])(
    "without a route is not found: %s",
    (path) =>
      Effect.gen(function*() {
        isRefusal(yield* call("GET", path), 404, "not_found", "There is no such route: see /docs")
        isRefusal(yield* call("DELETE", path), 404, "not_found", "There is no such route: see /docs")
      })
  )

  it.effect.each([
    ["DELETE", "/v1/health", "GET, HEAD"],
    ["GET", "/v1/auth/admin/sign-in", "POST"],
    ["HEAD", "/v1/auth/admin/sign-in", "POST"],
    ["PUT", "/v1/me", "GET, HEAD, PATCH"],
    ["OPTIONS", "/v1/clubs/unknown/gamification", "GET, HEAD, PATCH"],
    ["TRACE", "/docs", "GET, HEAD"],
    ["POST", "/openapi.json", "GET, HEAD"],
    ["POST", `/v1/clubs/${"a".repeat(500)}`, "GET, HEAD, PATCH"]
  ] as const)("does not take every method: %s %s", ([method, path, allow]) =>
    Effect.gen(function*() {
      const answer = yield* call(method, path)
      assert.sameMembers(answer.headers["allow"]?.split(", ") ?? [], allow.split(", "))
      if (method === "HEAD") assert.deepStrictEqual([answer.status, answer.text], [405, ""])
      else isRefusal(answer, 405, "method_not_allowed")
    }))

  it.effect("with an id that is none names no resource", () =>
    Effect.gen(function*() {
      const { path, token } = yield* foundClub()
      for (const id of ["nope", "1", "%00", "%F0%9F%98%80", "a".repeat(5000), `${unknownId}0`]) {
        const answer = yield* call("DELETE", `${path}/members/${id}`, { token })
        isRefusal(answer, 404, "not_found")
        assert.strictEqual(answer.text, (yield* call("DELETE", `${path}/members/${unknownId}`, { token })).text)
      }
    }))

  it.effect.each(["%zz", "%", "%ff", "%c3", "%2"])(
    "with broken percent-encoding names nothing that there is: %s",
    (broken) =>
      Effect.gen(function*() {
        const { path, token } = yield* foundClub()
        isRefusal(yield* call("GET", `/v1/${broken}`, { token }), 404, "not_found", "There is no such route: see /docs")
        isRefusal(yield* call("GET", `/v1/clubs/${broken}/members`, { token }), 403, "forbidden")
        isRefusal(yield* call("DELETE", `${path}/members/${broken}`, { token }), 404, "not_found")
        isRefusal(yield* call("DELETE", `${path}/members/a${broken}b`), 401, "unauthenticated")
        isRefusal(yield* call("POST", `${path}/members/${broken}`, { token }), 405, "method_not_allowed")
      })
  )

  it.effect("may have a long query, which is refused like any other", () =>
    Effect.gen(function*() {
      const { path, token } = yield* foundClub()
      isRefusal(yield* call("GET", `${path}/members?cursor=${"a".repeat(12_000)}`, { token }), 400, "invalid_cursor")
      const many = yield* call("GET", `${path}/members?${"a=1&".repeat(3000)}__proto__=1&constructor=2`, { token })
      isRefusal(many, 422, "validation_failed")
      isRefusal(yield* call("GET", `${path}/members?limit=1&limit=2`, { token }), 422, "validation_failed")
    }))

  it.effect("is answered to HEAD as to GET, without the body", () =>
    Effect.gen(function*() {
      const { path, token } = yield* foundClub()
      for (const [target, status] of [["/v1/health", 200], ["/docs", 200], [path, 200], ["/nope", 404]] as const) {
        const [got, head] = [yield* call("GET", target, { token }), yield* call("HEAD", target, { token })]
        assert.deepStrictEqual([head.status, head.text], [status, ""], target)
        assert.strictEqual(head.headers["content-length"], got.headers["content-length"], target)
        assert.strictEqual(head.headers["content-type"], got.headers["content-type"], target)
      }
    }))
})

layer(AppLayer)("The path of every route", (it) => {
  it.effect("with broken percent-encoding answers a status that the document declares for its route", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const student = yield* enrolledStudent(club)
      const withParameters = operations.filter(({ path }) => path.includes("{"))
      assert.isAbove(withParameters.length, 100)
      for (const operation of withParameters) {
        const token = operation.schemes.includes("userSession") ? club.token : student.token
        for (const clubId of [club.organization_id, "%zz"]) {
          const body = sampleBody(operation)
          const sent = body === undefined ? { token } : { token, body: JSON.stringify(body) }
          const { status, text } = yield* call(operation.method, pathWith(operation, { clubId }, "%ff"), sent)
          assert.include(Object.keys(operation.responses), `${status}`, `${operation.name}: ${text}`)
        }
      }
    }))
})

layer(AppLayer)("The query of every route", (it) => {
  it.effect.each(["a=%ff", "a=%zz", "a=100%", "%c3=1", "a=%ed%a0%80"])(
    "that cannot be decoded is malformed: %s",
    (query) =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const named = operations.map((operation) => ({
          method: operation.method,
          path: pathWith(operation, { clubId: club.organization_id }, unknownId)
        }))
        const others = ["/docs", "/docs/search", "/account/sign-in", "/openapi.json"]
        for (const { method, path } of [...named, ...others.map((path) => ({ method: "GET", path }))]) {
          const answer = yield* call(method, `${path}?${query}`, { token: club.token })
          assert.deepStrictEqual(outcome(answer), [400, "malformed_request"], `${method} ${path}`)
        }
      })
  )

  it.effect("may be anything where an inbox shows it", () =>
    Effect.gen(function*() {
      const { path, token } = yield* foundClub()
      const made = yield* call("POST", `${path}/webhook-inboxes`, { token, body: "{}" })
      const inbox = new URL(String(at(made.json, "data", "url"))).pathname
      assert.strictEqual((yield* call("POST", `${inbox}?a=%ff`)).status, 200)
      const requests = `${path}/webhook-inboxes/${String(at(made.json, "data", "id"))}/requests`
      assert.strictEqual(at((yield* call("GET", requests, { token })).json, "data", 0, "query"), "?a=%ff")
    }))
})
