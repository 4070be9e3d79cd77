import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { appLayer, codeOf, enrolledStudent, foundClub, send, tokenAs, tokenOf } from "../../harness/App.ts"
import { isWrite, type Listed, operations, pathWith } from "../../harness/Document.ts"
import { makeUser } from "../../harness/Makers.ts"

// The contract's own numbers, on the whole application.
const limits = { RATE_LIMIT_WRITES: "60", RATE_LIMIT_CREDENTIALS: "10", RATE_LIMIT_CLASSROOM: "600" }
const behindProxy = { ...limits, TRUSTED_PROXIES: "127.0.0.0/8,::1/128" }

const from = (address: string) => ({ headers: { "x-forwarded-for": address } })
const addresses = (count: number) => Array.from({ length: count }, (_, n) => `198.51.100.${n + 1}`)

type Answer = Effect.Success<ReturnType<typeof send>>

const tally = (answers: ReadonlyArray<Answer>) => {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

const times = <E, R>(count: number, request: (n: number) => Effect.Effect<Answer, E, R>) =>
  Effect.all(Array.from({ length: count }, (_, n) => request(n)), { concurrency: "unbounded" })

/** A refusal for too many requests, with a wait that a client can use. */
const isLimited = (answer: Answer, wait: number) => {
  assert.deepStrictEqual([answer.status, codeOf(answer)], [429, "rate_limited"])
  assert.strictEqual(answer.headers["retry-after"], String(wait))
}

const signIn = (sent: { readonly headers?: Record<string, string> } = {}) =>
  send("POST", "/v1/auth/admin/sign-in", { ...sent, body: { email: "ana@school.example" } })

layer(appLayer(behindProxy))("a club's cap", (it) => {
  it.effect("lets exactly 60 of 200 concurrent writes pass, over many addresses, members and routes", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const tokens = [club.token, yield* tokenAs(club, "admin"), yield* tokenAs(club, "owner")]
      const routes = ["", "/gamification", "/community"]
      const answers = yield* times(200, (n) =>
        send("PATCH", `${club.path}${routes[n % 3]}`, {
          token: tokens[n % tokens.length] ?? club.token,
          body: {},
          ...from(addresses(50)[n % 50] ?? "")
        }))
      assert.deepStrictEqual(tally(answers), { 200: 60, 429: 140 })
      for (const answer of answers.filter(({ status }) => status === 429)) isLimited(answer, 60)
    }))

  it.effect("is not shared by clubs behind one address, nor by a person's two clubs", () =>
    Effect.gen(function*() {
      const [one, two] = [yield* foundClub(), yield* foundClub()]
      const created = yield* send("POST", "/v1/clubs", {
        token: one.token,
        body: { name: "Outro" },
        ...from("203.0.113.2")
      })
      const third = `/v1/clubs/${Object(created.json).data.organization_id}`
      for (const [path, token] of [[one.path, one.token], [two.path, two.token], [third, one.token]] as const) {
        const answers = yield* times(70, () => send("PATCH", path, { token, body: {}, ...from("203.0.113.1") }))
        assert.deepStrictEqual(tally(answers), { 200: 60, 429: 10 })
      }
    }))

  it.effect("does not limit reads, used up or not", () =>
    Effect.gen(function*() {
      const { path, token } = yield* foundClub()
      yield* times(61, () => send("PATCH", path, { token, body: {} }))
      const reads = yield* times(100, (n) => send(n % 2 === 0 ? "GET" : "HEAD", `${path}/members`, { token }))
      assert.deepStrictEqual(tally(reads), { 200: 100 })
      for (const { headers } of reads) assert.isUndefined(headers["ratelimit"])
    }))

  it.effect("is not spent by strangers, whose own address is", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const stranger = yield* tokenOf(yield* makeUser())
      const refused = yield* times(65, () =>
        send("PATCH", club.path, { token: stranger, body: {}, ...from("203.0.113.3") }))
      assert.deepStrictEqual(tally(refused), { 403: 60, 429: 5 })
      isLimited(yield* send("POST", "/v1/clubs", { token: stranger, body: {}, ...from("203.0.113.3") }), 60)
      const { headers, status } = yield* send("PATCH", club.path, {
        token: club.token,
        body: {},
        ...from("203.0.113.3")
      })
      assert.deepStrictEqual([status, headers["ratelimit"]], [200, "\"club-writes\";r=59;t=60"])
    }))

  it.effect("is not spent by viewers, whose right is missing too", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const viewer = yield* tokenAs(club, "viewer")
      yield* times(30, () => send("PATCH", club.path, { token: viewer, body: {}, ...from("203.0.113.4") }))
      const { headers } = yield* send("PATCH", club.path, { token: club.token, body: {} })
      assert.strictEqual(headers["ratelimit"], "\"club-writes\";r=59;t=60")
    }))

  it.effect("is spent by refused bodies", () =>
    Effect.gen(function*() {
      const { path, token } = yield* foundClub()
      const bad = yield* times(60, (n) => send("PATCH", path, { token, body: n % 2 === 0 ? "{" : { name: 1 } }))
      assert.deepStrictEqual(tally(bad), { 400: 30, 422: 30 })
      isLimited(yield* send("PATCH", path, { token, body: {} }), 60)
    }))
})

layer(appLayer(behindProxy))("an address's cap", (it) => {
  it.effect("is 60 writes outside clubs, whoever makes them", () =>
    Effect.gen(function*() {
      const tokens = yield* Effect.all(Array.from({ length: 3 }, () => Effect.flatMap(makeUser(), tokenOf)))
      const patch = (address: string) => (n: number) =>
        send("PATCH", "/v1/me", { token: tokens[n % 3] ?? "", body: {}, ...from(address) })
      assert.deepStrictEqual(tally(yield* times(90, patch("203.0.113.5"))), { 200: 60, 429: 30 })
      assert.deepStrictEqual(tally(yield* times(1, patch("203.0.113.6"))), { 200: 1 })
    }))

  it.effect("is 10 credential POSTs, whatever route and body they have", () =>
    Effect.gen(function*() {
      const posts = operations.filter(({ method, path }) => method === "POST" && path.startsWith("/v1/auth/"))
      assert.includeMembers(posts.map(({ path }) => path), [
        "/v1/auth/admin/exchange",
        "/v1/auth/admin/confirm",
        "/v1/auth/admin/password/reset",
        "/v1/auth/admin/password/change",
        "/v1/auth/exchange",
        "/v1/auth/confirm",
        "/v1/auth/password/reset",
        "/v1/auth/removal",
        "/v1/auth/password/change"
      ])
      const nth = (n: number) => posts[n % posts.length]?.path ?? ""
      const answers = yield* times(16, (n) =>
        send("POST", nth(n), { body: n % 2 === 0 ? {} : "{", ...from("203.0.113.7") }))
      assert.strictEqual(
        answers.filter(({ status }) =>
          status !== 429
        ).length,
        10
      )
      for (const { path } of posts) isLimited(yield* send("POST", path, { body: {}, ...from("203.0.113.7") }), 60)
      assert.strictEqual((yield* signIn(from("203.0.113.8"))).status, 422)
    }))

  it.effect("counts a changed password as a credential", () =>
    Effect.gen(function*() {
      const token = yield* tokenOf(yield* makeUser())
      yield* times(10, () => signIn(from("203.0.113.9")))
      const change = { token, body: {}, ...from("203.0.113.9") }
      isLimited(yield* send("POST", "/v1/auth/admin/password/change", change), 60)
    }))

  it.effect("counts a changed password without a session once, and not as a write too", () =>
    Effect.gen(function*() {
      for (const path of ["/v1/auth/admin/password/change", "/v1/auth/password/change"]) {
        const { headers, status } = yield* send("POST", path, { body: {}, ...from(`203.0.113.${path.length}`) })
        assert.deepStrictEqual([status, headers["ratelimit"]], [401, "\"credentials\";r=9;t=60"])
      }
    }))

  it.effect("does not keep a session from being read and ended", () =>
    Effect.gen(function*() {
      const token = yield* tokenOf(yield* makeUser())
      yield* times(10, () => signIn(from("203.0.113.10")))
      isLimited(yield* signIn(from("203.0.113.10")), 60)
      const reads = yield* times(20, () => send("GET", "/v1/auth/session", { token, ...from("203.0.113.10") }))
      assert.deepStrictEqual(tally(reads), { 200: 20 })
      const ended = yield* send("DELETE", "/v1/auth/session", { token, ...from("203.0.113.10") })
      assert.deepStrictEqual([ended.status, ended.headers["ratelimit"]], [204, "\"ip-writes\";r=59;t=60"])
    }))

  it.effect("holds for the address that the proxy saw, not for what its client claims", () =>
    Effect.gen(function*() {
      const answers = yield* times(15, (n) => signIn(from(`198.51.100.${n}, 203.0.113.11`)))
      assert.deepStrictEqual(tally(answers), { 422: 10, 429: 5 })
    }))
})

layer(appLayer(limits))("an address's cap without a trusted proxy", (it) => {
  it.effect("is not escaped by X-Forwarded-For", () =>
    Effect.gen(function*() {
      const answers = yield* times(15, (n) => signIn(from(`198.51.100.${n}`)))
      assert.deepStrictEqual(tally(answers), { 422: 10, 429: 5 })
    }))
})

layer(appLayer(behindProxy))("reads of public webhook keys", (it) => {
  it.effect("are reads, which nobody counts", () =>
    Effect.gen(function*() {
      const path = "/.well-known/turma/webhook-keys/018f0000-0000-7000-8000-000000000001"
      const answers = yield* times(602, () => send("GET", path, from("203.0.113.12")))
      assert.deepStrictEqual(tally(answers), { 404: 602 })
      assert.isUndefined(answers[0]?.headers["ratelimit"])
    }))
})

layer(appLayer(limits))("a window", (it) => {
  it.effect("is fixed: refused requests do not lengthen it, and it opens again to the millisecond", () =>
    Effect.gen(function*() {
      const { path, token } = yield* foundClub()
      const patch = send("PATCH", path, { token, body: {} })
      yield* times(30, () => patch)
      yield* TestClock.adjust("40 seconds")
      assert.deepStrictEqual(tally(yield* times(50, () => patch)), { 200: 30, 429: 20 })
      isLimited(yield* patch, 20)
      yield* TestClock.adjust("19999 millis")
      isLimited(yield* patch, 1)
      yield* TestClock.adjust("1 millis")
      assert.deepStrictEqual(tally(yield* times(61, () => patch)), { 200: 60, 429: 1 })
    }))
})

/** The window in which a route's writes count, by the contract's table. */
const policyOf = ({ method, path, schemes }: Listed) => {
  if (path.startsWith("/v1/auth/") && method === "POST") return "credentials"
  if (path.startsWith("/webhooks/")) return "platform-hooks"
  if (!path.startsWith("/v1/clubs/")) return "ip-writes"
  return schemes.includes("userSession") ? "club-writes" : "student-writes"
}

layer(appLayer())("every operation", (it) => {
  it.effect("counts in the contract's window if it writes, and in none if it reads", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const student = yield* enrolledStudent(club)
      const params = { clubId: club.organization_id }
      // The requests that end the session come last.
      const ordered = operations.toSorted((a, b) =>
        Number(a.path === "/v1/auth/session") - Number(b.path === "/v1/auth/session")
      )
      for (const operation of ordered) {
        const token = operation.schemes.includes("userSession") ? club.token : student.token
        const path = pathWith(operation, params, "018f0000-0000-7000-8000-000000000001")
        const { headers, text } = yield* send(
          operation.method,
          path,
          isWrite(operation) ? { token, body: "{" } : { token }
        )
        const policy = headers["ratelimit-policy"]?.replace(/;.*$/, "")
        assert.strictEqual(
          policy,
          isWrite(operation) ? `"${policyOf(operation)}"` : undefined,
          `${operation.name} ${text}`
        )
      }
    }))
})
