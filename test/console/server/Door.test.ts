import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { appLayer, foundClub, outcome, send, tokenOf } from "../../harness/App.ts"
import { makeUser } from "../../harness/Makers.ts"
import { sendRaw } from "../../harness/RawHttp.ts"
import { asPage, ownHeaders, sessionCookie } from "./Own.ts"

const secret = "a-long-random-text"
const ConsoleLayer = appLayer({ INTERNAL_SECRET: secret, ALLOWED_ORIGINS: "https://app.example" })

const raw = (target: string, session: string, method = "GET") =>
  sendRaw([
    `${method} ${target} HTTP/1.1`,
    "Host: turma.example",
    "Sec-Fetch-Site: same-origin",
    "Turma-Console: 1",
    `Cookie: ${sessionCookie}=${session}`,
    `Authorization: Bearer ${secret}`,
    "Connection: close",
    "",
    ""
  ].join("\r\n"))

/** Paths that would lead past the contract if the console followed them. */
const wayward = [
  "/console/api/internal/metrics",
  "/console/api/../internal/metrics",
  "/console/api/v1/../../internal/metrics",
  "/console/api/v1/../internal/metrics",
  "/console/api/v1/%2e%2e/internal/metrics",
  "/console/api/v1/..%2finternal/metrics",
  "/console/api/v1%2f..%2finternal%2fmetrics",
  "/console/api//internal/metrics",
  "/console/api/v1//../internal/metrics",
  "/console/api/v1/..;/internal/metrics",
  "/console/api/v1\\..\\internal\\metrics",
  "/console/api/%2e%2e/internal/metrics",
  "/console/api/http://127.0.0.1/internal/metrics",
  "/console/api//127.0.0.1/internal/metrics",
  "/console/api/V1/me",
  "/console/API/v1/me",
  "/Console/api/v1/me",
  "/console/api/v1",
  "/console/api/v1?/v1/me",
  "/console/api/v1/",
  "/console/api/",
  "/console/api?/v1/me",
  "/console/api/docs",
  "/console/api/openapi.json",
  "/console/api/hooks",
  "/console/api/console/session",
  "/console/api/console/api/v1/me",
  "/console/api/v1/console/api/v1/me",
  "//console/api/v1/me",
  "/console//api/v1/me",
  "/console/./api/v1/me",
  "http://turma.example/console/api/internal/metrics",
  "*"
]

layer(ConsoleLayer)("the door to the API", (it) => {
  it.effect.each(wayward)("leads to the contract alone, so not by %s", (target) =>
    Effect.gen(function*() {
      const session = yield* tokenOf(yield* makeUser())
      const answer = yield* raw(target, session)
      const isPage = answer.headers["content-type"]?.startsWith("text/html") === true
      assert.isTrue(isPage || answer.status >= 400, `${target} is answered ${answer.status}`)
      assert.notInclude(answer.text, "turma_http_requests_total")
      assert.notInclude(answer.text, "\"email\"")
    }))

  it.effect("takes no credential of the page: the cookie's session is who asks", () =>
    Effect.gen(function*() {
      const [own, other] = [yield* makeUser(), yield* makeUser()]
      const [session, stolen] = [yield* tokenOf(own), yield* tokenOf(other)]
      const answer = yield* asPage("GET", "/console/api/v1/me", {
        session,
        headers: { authorization: `Bearer ${stolen}` }
      })
      assert.include(answer.text, own.email)
      assert.notInclude(answer.text, other.email)
      const without = yield* asPage("GET", "/console/api/v1/me", { headers: { authorization: `Bearer ${stolen}` } })
      assert.deepStrictEqual(outcome(without), [401, "unauthenticated"])
    }))

  it.effect("takes a cookie for nothing outside of the console", () =>
    Effect.gen(function*() {
      const session = yield* tokenOf(yield* makeUser())
      const answer = yield* send("GET", "/v1/me", { headers: { ...ownHeaders, cookie: `${sessionCookie}=${session}` } })
      assert.strictEqual(answer.status, 401)
    }))

  const headers: ReadonlyArray<readonly [string, Record<string, string>]> = [
    ["says nothing", {}],
    ["does not say that it is of the same origin", { "turma-console": "1" }],
    ["has not the header", { "sec-fetch-site": "same-origin" }],
    ["has another value in the header", { "sec-fetch-site": "same-origin", "turma-console": "true" }],
    ["is of the same site alone", { "sec-fetch-site": "same-site", "turma-console": "1" }],
    ["is of another site", { "sec-fetch-site": "cross-site", "turma-console": "1" }],
    ["was typed into the address bar", { "sec-fetch-site": "none", "turma-console": "1" }],
    ["says both", { "sec-fetch-site": "same-origin, cross-site", "turma-console": "1" }],
    ["is of an origin that may call the API", {
      origin: "https://app.example",
      "sec-fetch-site": "cross-site",
      "turma-console": "1"
    }]
  ]

  it.effect.each(headers)("is shut for a request that %s, whatever it asks", ([, sent]) =>
    Effect.gen(function*() {
      const { path, token } = yield* foundClub()
      const cookie = `${sessionCookie}=${token}`
      const shut = [
        yield* send("GET", `/console/api${path}`, { headers: { ...sent, cookie } }),
        yield* send("DELETE", "/console/session", { headers: { ...sent, cookie } }),
        yield* send("POST", "/console/session", { headers: { ...sent, cookie }, body: { email: "a", password: "b" } }),
        yield* send("POST", "/console/session/code", { headers: { ...sent, cookie }, body: { code: "x" } }),
        yield* send("POST", `/console/api${path}/deliveries`, { headers: { ...sent, cookie }, body: { name: "No" } }),
        yield* send("GET", "/console/operator/overview", { headers: { ...sent, cookie } }),
        yield* send("POST", "/console/operator", { headers: { ...sent, cookie }, body: { secret } }),
        yield* send("DELETE", "/console/operator", { headers: { ...sent, cookie } })
      ]
      for (const answer of shut) {
        assert.deepStrictEqual(outcome(answer), [403, "forbidden"])
        assert.isUndefined(answer.headers["set-cookie"])
        assert.isUndefined(answer.headers["access-control-allow-credentials"])
        assert.strictEqual(answer.headers["cache-control"], "no-store")
      }
      const list = yield* send("GET", `${path}/deliveries`, { token })
      assert.notInclude(list.text, "\"No\"")
      assert.strictEqual((yield* send("GET", path, { token })).status, 200)
    }))

  it.effect("lets no page of another origin ask what it may send", () =>
    Effect.gen(function*() {
      for (const path of ["/console/api/v1/me", "/console/session", "/console/operator"]) {
        const answer = yield* send("OPTIONS", path, {
          headers: {
            origin: "https://app.example",
            "access-control-request-method": "POST",
            "access-control-request-headers": "turma-console,content-type",
            "sec-fetch-site": "cross-site",
            "sec-fetch-mode": "cors"
          }
        })
        const allowed = (answer.headers["access-control-allow-headers"] ?? "").toLowerCase()
        assert.notInclude(allowed, "turma-console")
        assert.isUndefined(answer.headers["access-control-allow-credentials"])
      }
    }))

  const cookies: ReadonlyArray<string> = [
    `${sessionCookie}=`,
    `${sessionCookie}`,
    `${sessionCookie}=%`,
    `${sessionCookie}=%00%0d%0aAuthorization: Bearer x`,
    `${sessionCookie}="`,
    `${sessionCookie}=${"x".repeat(8000)}`,
    `${sessionCookie}=ação`,
    "=;=;;,",
    "__proto__=x",
    `${sessionCookie}=undefined`,
    `${sessionCookie}=Bearer x`
  ]

  it.effect.each(cookies)("takes a cookie of nonsense for no session: %s", (cookie) =>
    Effect.gen(function*() {
      const answer = yield* sendRaw([
        "GET /console/api/v1/me HTTP/1.1",
        "Host: turma.example",
        "Sec-Fetch-Site: same-origin",
        "Turma-Console: 1",
        `Cookie: ${cookie}`,
        "Connection: close",
        "",
        ""
      ].join("\r\n"))
      assert.strictEqual(answer.status, 401)
    }))

  it.effect("answers headers that are too long as the API does", () =>
    Effect.gen(function*() {
      const answer = yield* asPage("GET", "/console/api/v1/me", { session: "x".repeat(20_000) })
      assert.strictEqual(answer.status, 431)
    }))

  it.effect("takes the first of two cookies, and no key of a club in place of a session where people are asked", () =>
    Effect.gen(function*() {
      const user = yield* makeUser()
      const session = yield* tokenOf(user)
      const both = yield* asPage("GET", "/console/api/v1/me", {
        cookie: `${sessionCookie}=${session}; ${sessionCookie}=other; turma-session=third`
      })
      assert.include(both.text, user.email)
      const bare = yield* asPage("GET", "/console/api/v1/me", { cookie: `turma-session=${session}` })
      assert.strictEqual(bare.status, 401)
    }))

  it.effect("takes the methods of the API and says which, as it does", () =>
    Effect.gen(function*() {
      const session = yield* tokenOf(yield* makeUser())
      const head = yield* asPage("HEAD", "/console/api/v1/me", { session })
      assert.deepStrictEqual([head.status, head.text], [200, ""])
      const put = yield* asPage("PUT", "/console/api/v1/me", { session, body: {} })
      assert.deepStrictEqual([put.status, put.headers["allow"]], [405, "GET, HEAD, PATCH"])
      for (
        const [path, allow] of [
          ["/console", "GET, HEAD"],
          ["/console/session", "GET, HEAD, POST, DELETE"],
          ["/console/session/code", "GET, HEAD, POST"],
          ["/console/operator", "GET, HEAD, POST, DELETE"],
          ["/console/anything/else", "GET, HEAD"]
        ] as const
      ) {
        const answer = yield* asPage("PUT", path, { body: {} })
        assert.deepStrictEqual([answer.status, answer.headers["allow"]?.split(", ").toSorted()], [
          405,
          allow.split(", ").toSorted()
        ], path)
      }
    }))
})
