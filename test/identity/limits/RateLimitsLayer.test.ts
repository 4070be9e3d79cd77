import { NodeHttpServer } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Effect, Layer } from "effect"
import { HttpClient, HttpClientRequest, HttpRouter } from "effect/http"
import { TestClock } from "effect/testing"
import { ClientAddress } from "../../../src/identity/limits/ClientAddress.ts"
import { CounterUnavailable, RateLimiter } from "../../../src/identity/limits/RateLimiter.ts"
import { WriteCounters } from "../../../src/identity/limits/WriteCounters.ts"
import { RoutesLayer } from "./Routes.ts"

const serve = (limiter: Layer.Layer<RateLimiter>, settings: Record<string, string> = {}) =>
  HttpRouter.serve(RoutesLayer, { disableLogger: true, disableListenLog: true }).pipe(
    Layer.provideMerge(NodeHttpServer.layerTest),
    Layer.provide(WriteCounters.layerNoDeps),
    Layer.provide([limiter, ClientAddress.layer]),
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(settings)))
  )

const club = (n: number) => `018f0000-0000-7000-8000-00000000c${String(n).padStart(3, "0")}`
const student = (n: number) => `018f0000-0000-7000-8000-00000000d${String(n).padStart(3, "0")}`

const send = Effect.fnUntraced(function*(
  method: "GET" | "HEAD" | "POST" | "DELETE",
  path: string,
  headers: Record<string, string> = {}
) {
  const response = yield* HttpClient.execute(HttpClientRequest.make(method)(path, { headers }))
  yield* Effect.orDie(response.text)
  return response
})

const post = (path: string, headers?: Record<string, string>) => send("POST", path, headers)

/** The number of requests with each status, out of `times`. */
const statuses = Effect.fnUntraced(function*(times: number, request: ReturnType<typeof send>) {
  const responses = yield* Effect.all(Array.from({ length: times }, () => request), { concurrency: 20 })
  const counts: Record<number, number> = {}
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1
  return counts
})

// Each test is its own client: the proxy at 127.0.0.1 forwards the address.
const behindProxy = serve(RateLimiter.layerMemory, { TRUSTED_PROXIES: "127.0.0.0/8,::1/128" })
const from = (address: string) => ({ "x-forwarded-for": address })

layer(behindProxy)("rate limits", (it) => {
  it.effect("announces the policy and what remains on a counted call that passes", () =>
    Effect.gen(function*() {
      yield* post("/club", { "x-club": club(1) })
      const { headers, status } = yield* post("/club", { "x-club": club(1) })
      assert.strictEqual(status, 204)
      assert.strictEqual(headers["ratelimit-policy"], "\"club-writes\";q=60;w=60")
      assert.strictEqual(headers["ratelimit"], "\"club-writes\";r=58;t=60")
      assert.isUndefined(headers["retry-after"])
    }))

  it.effect("refuses the 61st write of a club with 429, the envelope, Retry-After and the policy", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* statuses(60, post("/club", { "x-club": club(2) })), { 204: 60 })
      const response = yield* HttpClient.execute(HttpClientRequest.post("/club", { headers: { "x-club": club(2) } }))
      assert.strictEqual(response.status, 429)
      assert.deepStrictEqual(yield* response.json, {
        error: {
          code: "rate_limited",
          message: "Too many requests: try again after as many seconds as Retry-After says"
        }
      })
      assert.strictEqual(response.headers["retry-after"], "60")
      assert.strictEqual(response.headers["ratelimit-policy"], "\"club-writes\";q=60;w=60")
      assert.strictEqual(response.headers["ratelimit"], "\"club-writes\";r=0;t=60")
    }))

  it.effect("does not multiply a club's cap by spreading its writes over addresses", () =>
    Effect.gen(function*() {
      const responses = yield* Effect.all(
        Array.from({ length: 80 }, (_, n) => post("/club", { "x-club": club(3), ...from(`198.51.100.${n}`) })),
        { concurrency: 20 }
      )
      assert.strictEqual(responses.filter(({ status }) => status === 204).length, 60)
    }))

  it.effect("does not let clubs behind one address share a cap", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* statuses(60, post("/club", { "x-club": club(4), ...from("203.0.113.1") })), {
        204: 60
      })
      assert.deepStrictEqual(yield* statuses(60, post("/club", { "x-club": club(5), ...from("203.0.113.1") })), {
        204: 60
      })
    }))

  it.effect("counts a DELETE as a write of the same window", () =>
    Effect.gen(function*() {
      yield* statuses(60, send("DELETE", "/club", { "x-club": club(6) }))
      assert.strictEqual((yield* post("/club", { "x-club": club(6) })).status, 429)
    }))

  it.effect("neither counts nor announces reads", () =>
    Effect.gen(function*() {
      const headers = { "x-club": club(7), "x-student": student(7), ...from("203.0.113.7") }
      for (const path of ["/auth", "/account", "/hooks", "/club", "/classroom", "/community"]) {
        assert.isUndefined((yield* send("GET", path, headers)).headers["ratelimit"], path)
        assert.isUndefined((yield* send("HEAD", path, headers)).headers["ratelimit"], path)
      }
      assert.strictEqual((yield* post("/club", headers)).headers["ratelimit"], "\"club-writes\";r=59;t=60")
    }))

  it.effect("lets 10 credential POSTs of an address pass, from another address 10 more", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* statuses(15, post("/auth", from("203.0.113.8"))), { 204: 10, 429: 5 })
      assert.deepStrictEqual(yield* statuses(15, post("/auth", from("203.0.113.9"))), { 204: 10, 429: 5 })
    }))

  it.effect("does not put ending a session under the credential cap", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* statuses(15, send("DELETE", "/auth", from("203.0.113.10"))), { 204: 15 })
      assert.deepStrictEqual(yield* statuses(15, post("/auth", from("203.0.113.10"))), { 204: 10, 429: 5 })
    }))

  it.effect("counts all addresses of an IPv6 /64 as one", () =>
    Effect.gen(function*() {
      yield* statuses(10, post("/auth", from("2001:db8::1")))
      assert.strictEqual((yield* post("/auth", from("2001:db8::2"))).status, 429)
    }))

  it.effect("counts writes outside clubs by address", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* statuses(61, post("/account", from("203.0.113.11"))), { 204: 60, 429: 1 })
      assert.deepStrictEqual(yield* statuses(1, post("/account", from("203.0.113.12"))), { 204: 1 })
    }))

  it.effect("lets 600 writes of a student pass, and another student's beside them", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* statuses(601, post("/classroom", { "x-student": student(1) })), {
        204: 600,
        429: 1
      })
      assert.strictEqual((yield* post("/classroom", { "x-student": student(2) })).status, 204)
    }))

  it.effect("charges whoever writes on a shared route to the club, members and students alike", () =>
    Effect.gen(function*() {
      const asStudent = yield* post("/community", { "x-student": student(3), "x-club": club(8) })
      const asMember = yield* post("/community", { "x-club": club(8) })
      assert.strictEqual(asStudent.headers["ratelimit"], "\"club-writes\";r=59;t=60")
      assert.strictEqual(asMember.headers["ratelimit"], "\"club-writes\";r=58;t=60")
    }))

  it.effect("lets 600 inbound hooks of an address pass", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* statuses(601, post("/hooks", from("203.0.113.13"))), { 204: 600, 429: 1 })
    }))

  it.effect("charges failed credentials to the address, as any other write of it, until they are refused", () =>
    Effect.gen(function*() {
      const address = from("203.0.113.14")
      assert.deepStrictEqual(yield* statuses(40, post("/club", address)), { 401: 40 })
      assert.deepStrictEqual(yield* statuses(20, post("/classroom", address)), { 401: 20 })
      const refused = yield* post("/club", address)
      assert.strictEqual(refused.status, 429)
      assert.strictEqual(refused.headers["retry-after"], "60")
      assert.strictEqual((yield* post("/account", address)).status, 429)
    }))

  it.effect("does not charge failed credentials of reads", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* statuses(61, send("GET", "/club", from("203.0.113.15"))), { 401: 61 })
    }))

  it.effect("does not charge failed credentials to the club", () =>
    Effect.gen(function*() {
      yield* statuses(61, post("/club", from("203.0.113.16")))
      const { headers } = yield* post("/club", { "x-club": club(9), ...from("203.0.113.16") })
      assert.strictEqual(headers["ratelimit"], "\"club-writes\";r=59;t=60")
    }))
})

layer(serve(RateLimiter.layerMemory))("rate limits without a trusted proxy", (it) => {
  it.effect("do not believe X-Forwarded-For", () =>
    Effect.gen(function*() {
      const responses = yield* Effect.all(
        Array.from({ length: 20 }, (_, n) => post("/auth", from(`198.51.100.${n}`))),
        { concurrency: 5 }
      )
      assert.strictEqual(responses.filter(({ status }) => status === 429).length, 10)
    }))
})

layer(serve(RateLimiter.layerMemory, { RATE_LIMIT_CREDENTIALS: "2" }))("rate limits in time", (it) => {
  it.effect("open a new window when the wait that a refusal named is over", () =>
    Effect.gen(function*() {
      yield* statuses(2, post("/auth"))
      yield* TestClock.adjust("42500 millis")
      assert.strictEqual((yield* post("/auth")).headers["retry-after"], "18")
      yield* TestClock.adjust("18 seconds")
      assert.strictEqual((yield* post("/auth")).status, 204)
    }))
})

const down = Layer.succeed(RateLimiter, {
  consume: () => Effect.fail(new CounterUnavailable({ detail: "down" })),
  giveBack: () => Effect.fail(new CounterUnavailable({ detail: "down" })),
  check: Effect.fail(new CounterUnavailable({ detail: "down" }))
})

layer(serve(down))("rate limits while the counter is down", (it) => {
  it.effect("answer credential POSTs with 503 rate_limit_unavailable", () =>
    Effect.gen(function*() {
      const response = yield* HttpClient.execute(HttpClientRequest.post("/auth"))
      assert.deepStrictEqual([response.status, response.headers["retry-after"]], [503, "5"])
      assert.deepStrictEqual(yield* response.json, {
        error: {
          code: "rate_limit_unavailable",
          message: "Requests cannot be counted at the moment: try again later"
        }
      })
    }))

  it.effect("let every other write pass, uncounted and unannounced", () =>
    Effect.gen(function*() {
      const headers = { "x-club": club(1), "x-student": student(1) }
      for (const path of ["/account", "/hooks", "/club", "/classroom", "/community"]) {
        const response = yield* post(path, headers)
        assert.strictEqual(response.status, 204, path)
        assert.isUndefined(response.headers["ratelimit"], path)
      }
    }))

  it.effect("still answer a failed credential as such", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* post("/club")).status, 401)
    }))
})
