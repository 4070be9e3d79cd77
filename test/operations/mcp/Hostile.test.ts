import { assert, layer } from "@effect/vitest"
import { DateTime, Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { appLayer, at, codeOf, listAt, outcome, send } from "../../harness/App.ts"
import { makeStudent } from "../../harness/Makers.ts"
import { clubWithKey, keyFor } from "./Keys.ts"
import { ask, call, initialize, post, textOf } from "./Messages.ts"

// Attackers: a client of the protocol, or an author of text that an agent reads.

const batches = { "mcp-protocol-version": "2025-03-26" }
const message = (method: string, params: object, id: unknown) => ({ jsonrpc: "2.0", id, method, params })
const raw = (name: string, given: string) =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${given}}}`
const nested = (open: string, close: string, levels: number) => open.repeat(levels) + close.repeat(levels)

const isRefused = (answer: { readonly json: unknown }) => at(answer.json, "result", "isError") === true

layer(appLayer())("/mcp", (it) => {
  it.effect("leads to no other route by what stands in a path", () =>
    Effect.gen(function*() {
      const club = yield* clubWithKey()
      const sql = yield* SqlClient.SqlClient
      const { id: studentId } = yield* makeStudent(club)
      const delivery = yield* call("deliveries_create", { name: "All" }, club)
      const deliveryId = String(at(delivery.json, "result", "structuredContent", "data", "id"))
      for (const part of ["..", ".", "../students", "%2e%2e", "..%2f", "⟦..⟧", "\\..", "..;", "x?y", "x#y", "\ud800"]) {
        for (
          const [name, given] of [
            ["students_show", { student_id: part }],
            ["students_remove", { student_id: part }],
            ["points_list", { student_id: part }],
            ["webhook_deliveries_list", { endpoint_id: part }],
            ["cohorts_remove", { delivery_id: deliveryId, cohort_id: part }],
            ["cohorts_show", { delivery_id: part, cohort_id: deliveryId }]
          ] as const
        ) {
          const answer = yield* call(name, given, club)
          assert.isTrue(isRefused(answer), `${name} ${part}: ${answer.text}`)
          assert.match(textOf(answer), /^(?:not_found: There is no such thing|\w+ must be an id$)/, `${name} ${part}`)
        }
      }
      assert.lengthOf(yield* sql`select 1 from deliveries where id = ${deliveryId}`, 1)
      assert.isFalse(isRefused(yield* call("students_show", { student_id: studentId }, club)))
    }))

  it.effect("says in words what is wrong with a call that is no request", () =>
    Effect.gen(function*() {
      const club = yield* clubWithKey()
      const { id: studentId } = yield* makeStudent(club)
      const given = { student_id: studentId, points: 1, reason: "r" }
      for (const key of ["a\nb", "a\r\nx-other: 1", "ключ", "k".repeat(300), "", "\u0000"]) {
        const answer = yield* call("points_adjust", { ...given, idempotency_key: key }, club)
        assert.match(textOf(answer), /^idempotency_key must have 1 to 255 printable ASCII characters$/)
      }
      for (
        const deep of [
          raw("students_search", `{"search":${nested("[", "]", 90)}}`),
          raw("students_create", `{"name":"a","email":"a@b.example","grants":${nested("[", "]", 90)}}`),
          raw("students_create", `{"name":${nested(`{"a":`, "}", 90).replace(":}", ":1}")}}`)
        ]
      ) {
        const answer = yield* post(deep, club)
        assert.isTrue(isRefused(answer), answer.text.slice(0, 200))
        assert.match(textOf(answer), /nested more than 16 deep$/)
      }
      const proto = yield* post(raw("students_show", `{"__proto__":{"student_id":"${studentId}"}}`), club)
      assert.match(textOf(proto), /^No such argument: __proto__/)
      const within = `{"name":"a","email":"a@b.example","grants":[{"__proto__":{"delivery_id":"${studentId}"}}]}`
      assert.match(textOf(yield* post(raw("students_create", within), club)), /^validation_failed: .*__proto__/)
    }))

  it.effect("takes types whatever their letters, and answers an id as it came", () =>
    Effect.gen(function*() {
      const { token } = yield* clubWithKey()
      const headers = { accept: "Application/JSON, Text/Event-Stream" }
      assert.strictEqual((yield* ask("ping", {}, { token, headers })).status, 200)
      for (const id of ["x".repeat(500_000), "", 0, -1, 1.5, Number.MAX_SAFE_INTEGER]) {
        assert.strictEqual(at((yield* post(message("ping", {}, id), { token })).json, "id"), id)
      }
      for (const id of [true, {}, [], null]) {
        assert.strictEqual(at((yield* post(message("ping", {}, id), { token })).json, "error", "code"), -32_600)
      }
    }))

  it.effect("refuses a batch whose messages cannot be told apart, and does nothing of it", () =>
    Effect.gen(function*() {
      const club = yield* clubWithKey()
      const sql = yield* SqlClient.SqlClient
      const { id: studentId } = yield* makeStudent(club)
      const given = { name: "points_adjust", arguments: { student_id: studentId, points: 1, reason: "r" } }
      const twice = (one: unknown, other: unknown) =>
        post([message("tools/call", given, one), message("tools/call", given, other)], {
          token: club.token,
          headers: batches
        })
      for (const [one, other] of [[1, 1], ["a", "a"], [1, "1"]]) {
        assert.deepStrictEqual(outcome(yield* twice(one, other)), [400, "malformed_request"])
      }
      const rows = sql`select 1 from point_entries where club_id = ${club.id} and student_id = ${studentId}`
      assert.lengthOf(yield* rows, 0)
      assert.strictEqual((yield* twice(1, 2)).status, 200)
      assert.lengthOf(yield* rows, 2)
    }))

  it.effect("lets no message of a batch undo the answers of others", () =>
    Effect.gen(function*() {
      const { token } = yield* clubWithKey()
      const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } }
      const club = (id: number) => message("tools/call", { name: "club_show", arguments: {} }, id)
      const some = yield* post([club(1), cancel, club(2), 7, null, "x", []], { token, headers: batches })
      assert.strictEqual(some.status, 200)
      const answers = listAt(some.json)
      assert.isTrue(answers.some((one) => at(one, "id") === 2 && at(one, "result", "isError") === false), some.text)
    }))

  it.effect("answers a hundred clients at once", () =>
    Effect.gen(function*() {
      const clubs = yield* Effect.all(Array.from({ length: 4 }, () => clubWithKey()))
      const asked = clubs.flatMap((club) => Array.from({ length: 25 }, () => club))
      const own = yield* Effect.forEach(asked, (club) =>
        Effect.map(call("club_show", {}, club), ({ json }) => ({
          club: club.organization_id,
          said: at(json, "result", "structuredContent", "data", "organization_id")
        })), { concurrency: "unbounded" })
      for (const { club, said } of own) assert.strictEqual(said, club)
    }))

  it.effect("takes no cursor to another club's things", () =>
    Effect.gen(function*() {
      const [own, other] = [yield* clubWithKey(), yield* clubWithKey()]
      for (const club of [own, other]) {
        yield* makeStudent(club)
        yield* makeStudent(club)
      }
      const page = yield* call("students_search", { limit: 1 }, other)
      const cursor = at(page.json, "result", "structuredContent", "next_cursor")
      assert.isString(cursor)
      const theirs = listAt((yield* call("students_search", {}, other)).json, "result", "structuredContent", "data")
      const answer = yield* call("students_search", { cursor }, own)
      for (const student of theirs) assert.notInclude(answer.text, String(at(student, "id")))
      const broken = yield* call("students_search", { cursor: "zzz" }, own)
      assert.match(textOf(broken), /^invalid_cursor: /)
    }))

  it.effect("writes down who did what by which key, and counts what it read of people", () =>
    Effect.gen(function*() {
      const club = yield* clubWithKey()
      const { id: studentId } = yield* makeStudent(club)
      const made = yield* call("points_adjust", { student_id: studentId, points: 1, reason: "r" }, club)
      yield* call("points_adjust", { student_id: studentId, points: "many", reason: "r" }, club)
      yield* call("students_show", { student_id: studentId }, club)
      yield* call("students_show", { student_id: studentId }, club)
      const logged = (what: string) =>
        Effect.map(send("GET", `${club.path}/audit-log${what}`, { token: club.session }), ({ json }) =>
          listAt(json, "data"))
      const rows = (yield* logged("?limit=20")).filter((row) =>
        at(row, "key", "id") === club.keyId
      )
      assert.lengthOf(rows, 1, JSON.stringify(rows))
      const [row] = rows
      assert.deepStrictEqual(
        ["operation", "created_id", "student_id", "request_id", "outcome"].map((name) => at(row, name)),
        [
          "gamification.adjust",
          at(made.json, "result", "structuredContent", "data", "id"),
          studentId,
          made.headers["x-request-id"],
          "done"
        ]
      )
      const counts = (yield* logged("/reads")).filter((count) => at(count, "key_id") === club.keyId)
      assert.deepInclude(counts.map((count) => [at(count, "operation"), at(count, "count")]), ["students.get", 2])
    }))
})

layer(appLayer())("/mcp with a key that is bound", (it) => {
  it.effect("to an end takes none of its messages after it", () =>
    Effect.gen(function*() {
      const club = yield* clubWithKey()
      const expires_at = DateTime.formatIso(DateTime.addDuration(yield* DateTime.now, Duration.hours(1)))
      const { token } = yield* keyFor({ ...club, token: club.session }, { role: "admin", expires_at })
      assert.strictEqual((yield* call("club_show", {}, { token })).status, 200)
      yield* TestClock.adjust("1 hour")
      const refused = yield* call("club_show", {}, { token })
      assert.deepStrictEqual([refused.status, codeOf(refused)], [401, "unauthenticated"])
    }))

  it.effect("to other networks, foreign or made up opens nothing", () =>
    Effect.gen(function*() {
      const club = yield* clubWithKey()
      const bound = yield* keyFor({ ...club, token: club.session }, {
        role: "admin",
        allowed_networks: ["203.0.113.0/24"]
      })
      const other = yield* clubWithKey()
      for (
        const token of [
          bound.token,
          `${club.token.slice(0, -1)}${club.token.endsWith("a") ? "b" : "a"}`,
          club.token.slice(0, 30),
          `${club.token} `.repeat(2),
          club.token.toUpperCase()
        ]
      ) {
        const headers = { "x-forwarded-for": "203.0.113.9" }
        const refused = yield* initialize({ token, headers })
        assert.deepStrictEqual(outcome(refused), [401, "unauthenticated"], refused.text)
        assert.notInclude(refused.text, token)
      }
      const { id: studentId } = yield* makeStudent(club)
      assert.match(textOf(yield* call("students_show", { student_id: studentId }, other)), /^not_found: /)
    }))
})

layer(appLayer({ TRUSTED_PROXIES: "127.0.0.0/8, ::1/128" }))("/mcp behind a proxy", (it) => {
  it.effect("takes a bound key from its networks, for a tool like for the message, and from no other", () =>
    Effect.gen(function*() {
      const club = yield* clubWithKey()
      const bound = { role: "admin", allowed_networks: ["203.0.113.0/24"] } as const
      const { token } = yield* keyFor({ ...club, token: club.session }, bound)
      const from = (address: string) => call("club_show", {}, { token, headers: { "x-forwarded-for": address } })
      const taken = yield* from("203.0.113.9")
      assert.strictEqual(at(taken.json, "result", "isError"), false, taken.text)
      for (const other of ["198.51.100.9", "203.0.113.9, 198.51.100.9", "127.0.0.1", ""]) {
        assert.deepStrictEqual(outcome(yield* from(other)), [401, "unauthenticated"])
      }
    }))
})
