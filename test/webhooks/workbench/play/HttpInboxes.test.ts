import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { HttpServer } from "effect/http"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { METHODS, request } from "node:http"
import { Inboxes } from "../../../../src/webhooks/workbench/play/Inboxes.ts"
import { at, codeOf, foundClub, keyOf, listAt, outcome, send } from "../../../harness/App.ts"
import { eventsIn, followPath } from "../../../harness/EventStream.ts"
import { create, fieldsOf, foundOnSaturday, patch, publicUrl, register, WebhooksLayer } from "../../Registering.ts"
import { hostileUrls } from "../inbox/HostileUrls.ts"
import { createInbox, detail, knock, makeInbox, taken } from "./Playing.ts"

layer(WebhooksLayer)("An inbox", (it) => {
  it.effect("is made for an hour, and its URL is read again, but is not at rest in the clear", () =>
    Effect.gen(function*() {
      const club = yield* foundOnSaturday
      const made = yield* createInbox(club, { status: 503, retry_after_seconds: 7 })
      assert.strictEqual(made.status, 201, made.text)
      assert.strictEqual(made.headers["cache-control"], "no-store")
      assert.match(String(at(made.json, "data", "url")), /^https:\/\/turma\.example\/play\/[\w-]{43}$/)
      assert.deepStrictEqual(fieldsOf(made, "status", "delay_ms", "retry_after_seconds", "received", "expires_at"), {
        status: 503,
        delay_ms: 0,
        retry_after_seconds: 7,
        received: 0,
        expires_at: "2026-11-21T11:00:00.000Z"
      })
      const path = `${club.path}/webhook-inboxes`
      assert.deepStrictEqual(listAt((yield* send("GET", path, club)).json, "data"), [at(made.json, "data")])
      const alone = yield* send("GET", `${path}/${String(at(made.json, "data", "id"))}`, club)
      assert.deepStrictEqual(at(alone.json, "data"), at(made.json, "data"))
      const token = String(at(made.json, "data", "url")).split("/play/")[1] ?? ""
      const sql = yield* SqlClient.SqlClient
      const [row] = yield* sql`
        select encode(token, 'escape') || encode(token_hash, 'escape') as stored from webhook_inboxes
        where club_id = ${club.id}`
      assert.notInclude(String(at(row, "stored")), token.slice(0, 8))
    }))

  it.effect("takes any method and any body, and answers the same text of ours to each", () =>
    Effect.gen(function*() {
      const inbox = yield* makeInbox(yield* foundOnSaturday)
      const html = "<script>alert(1)</script>"
      for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const) {
        const body = method === "GET" ? {} : { body: html }
        const answer = yield* knock(inbox, { method, ...body, query: `?m=${html}`, headers: { "x-own": html } })
        assert.deepStrictEqual([answer.status, answer.text], [200, `{"data":{"received":true}}`])
        assert.strictEqual(answer.headers["content-type"], "application/json")
        assert.strictEqual(answer.headers["x-content-type-options"], "nosniff")
        assert.strictEqual(answer.headers["cache-control"], "no-store")
        assert.isUndefined(answer.headers["location"])
      }
      const found = yield* taken(inbox)
      assert.deepStrictEqual(found.map((one) => at(one, "method")), [
        "OPTIONS",
        "DELETE",
        "PATCH",
        "PUT",
        "POST",
        "GET"
      ])
      const shown = yield* detail(inbox, found[0])
      assert.strictEqual(at(shown, "body"), html)
      assert.strictEqual(at(shown, "size_bytes"), html.length)
      const own = listAt(shown, "headers").find((one) => at(one, "name") === "x-own")
      assert.strictEqual(at(own, "value"), html)
    }))

  it.effect("shows what is not UTF-8 letter by letter, and to a key no tax document", () =>
    Effect.gen(function*() {
      const club = yield* foundOnSaturday
      const inbox = yield* makeInbox(club)
      const key = yield* keyOf(club)
      const body = `{"rg":"1234567","buyer":"Ana"}`
      yield* knock(inbox, { body, query: "?document=11122233344" })
      yield* knock(inbox, { body: Uint8Array.of(0x7b, 0xe9, 0xff) })
      const [odd, clear] = yield* taken(inbox)
      const [toKey, toOwner] = [
        yield* detail({ ...inbox, token: key.token }, clear),
        yield* detail(inbox, clear)
      ]
      assert.deepStrictEqual(
        [toKey, toOwner].map((shown) => [at(shown, "body"), at(shown, "query")]),
        [[`{"rg":"***","buyer":"Ana"}`, "?document=***"], [body, "?document=11122233344"]]
      )
      assert.strictEqual(at(yield* detail(inbox, odd), "body"), "{\u00e9\u00ff")
    }))

  it.effect("takes every method that there is", () =>
    Effect.gen(function*() {
      const inbox = yield* makeInbox(yield* foundOnSaturday)
      const { address } = yield* HttpServer.HttpServer
      if (address._tag === "UnixPathAddress") return assert.fail("The service listens on a port")
      const { port } = address
      const statusOf = (method: string) =>
        Effect.callback<number | undefined>((resume) => {
          const sent = request({ port, method, path: inbox.play, agent: false }, (answer) => {
            answer.resume()
            answer.on("end", () => resume(Effect.succeed(answer.statusCode)))
          })
          sent.on("error", (error) => resume(Effect.die(error)))
          sent.end()
        })
      // CONNECT asks for a tunnel and has no path.
      const methods = METHODS.filter((method) => method !== "CONNECT")
      assert.includeMembers(methods, ["PROPFIND", "TRACE", "HEAD"])
      for (const method of methods) assert.strictEqual(yield* statusOf(method), 200, method)
      const found = yield* taken(inbox, "?limit=100")
      assert.deepStrictEqual(found.map((one) => at(one, "method")).toReversed(), methods)
    }))

  it.effect("keeps no cookie of a browser that is signed in here, and nothing of the way", () =>
    Effect.gen(function*() {
      const stranger = yield* foundClub()
      const inbox = yield* makeInbox(yield* foundOnSaturday)
      yield* knock(inbox, {
        method: "GET",
        headers: {
          cookie: `__Host-turma-session=${stranger.token}`,
          forwarded: "for=192.0.2.1",
          via: "1.1 proxy",
          "x-forwarded-for": "192.0.2.1",
          "x-real-ip": "192.0.2.1",
          "proxy-authorization": "Basic a2F0amE6ZWRpdGg="
        }
      })
      const shown = yield* detail(inbox, (yield* taken(inbox))[0])
      assert.notInclude(JSON.stringify(shown), stranger.token)
      const names = listAt(shown, "headers").map((one) => String(at(one, "name")))
      assert.deepStrictEqual(names.filter((name) => /cookie|forwarded|via|real-ip|proxy/.test(name)), [])
    }))

  it.effect("answers as it was told from the next request on, and a redirect leads nowhere", () =>
    Effect.gen(function*() {
      const inbox = yield* makeInbox(yield* foundOnSaturday)
      const tell = (body: unknown) => send("PATCH", inbox.path, { token: inbox.token, body })
      for (const status of [204, 302, 304, 404, 500, 599]) {
        assert.strictEqual((yield* tell({ status })).status, 200)
        const answer = yield* knock(inbox)
        assert.strictEqual(answer.status, status)
        assert.isUndefined(answer.headers["location"])
        assert.strictEqual(answer.text, [204, 304].includes(status) ? "" : answer.text)
        if (status >= 400) assert.strictEqual(codeOf(answer), "as_told")
      }
      yield* tell({ status: 429, retry_after_seconds: 30 })
      const refused = yield* knock(inbox)
      assert.deepStrictEqual([refused.status, refused.headers["retry-after"]], [429, "30"])
      yield* tell({ retry_after_seconds: null })
      assert.isUndefined((yield* knock(inbox)).headers["retry-after"])
      for (const body of [{ status: 199 }, { status: 600 }, { delay_ms: 20_001 }, { retry_after_seconds: -1 }]) {
        assert.deepStrictEqual(outcome(yield* tell(body)), [422, "validation_failed"])
      }
    }))

  it.effect("keeps bodies of up to 64 KB, and of a larger one that it came", () =>
    Effect.gen(function*() {
      const inbox = yield* makeInbox(yield* foundOnSaturday)
      assert.strictEqual((yield* knock(inbox, { body: "x".repeat(65_536) })).status, 200)
      assert.strictEqual((yield* knock(inbox, { body: "x".repeat(65_537) })).status, 413)
      const [large, whole] = yield* taken(inbox)
      assert.deepStrictEqual([at(large, "status"), at(large, "size_bytes")], [413, null])
      assert.isNull(at(yield* detail(inbox, large), "body"))
      assert.strictEqual(at(whole, "size_bytes"), 65_536)
    }))

  it.effect("shows a key no tax document of what came", () =>
    Effect.gen(function*() {
      const club = yield* foundOnSaturday
      const inbox = yield* makeInbox(club)
      const { token } = yield* keyOf(club)
      const cpf = "529.982.247-25"
      const body = JSON.stringify({ buyer: { document: cpf } })
      yield* knock(inbox, { body, query: `?cpf=${cpf}`, headers: { "x-buyer": cpf } })
      const [request] = yield* taken(inbox)
      assert.include(JSON.stringify(yield* detail(inbox, request)), cpf)
      const shown = yield* detail({ ...inbox, token }, request)
      assert.deepStrictEqual([at(shown, "query"), at(shown, "body")], ["?cpf=***", body.replace(cpf, "***")])
      assert.deepInclude(listAt(shown, "headers"), { name: "x-buyer", value: "***" })
      // Three digits alone may be part of an id.
      assert.notMatch(JSON.stringify(shown), /529\.982|982\.247|247-25/)
    }))

  it.effect("keeps the newest 100, numbers all, and pages through them", () =>
    Effect.gen(function*() {
      const inbox = yield* makeInbox(yield* foundOnSaturday)
      yield* Effect.forEach(Array.from({ length: 103 }, (_, n) => n), (n) => knock(inbox, { query: `?n=${n}` }), {
        concurrency: 8
      })
      const first = yield* send("GET", `${inbox.path}/requests?limit=60`, inbox)
      const cursor = String(at(first.json, "next_cursor"))
      const second = yield* send("GET", `${inbox.path}/requests?limit=60&cursor=${cursor}`, inbox)
      const numbers = [...listAt(first.json, "data"), ...listAt(second.json, "data")].map((one) => at(one, "number"))
      assert.deepStrictEqual(numbers, Array.from({ length: 100 }, (_, index) => 103 - index))
      assert.isNull(at(second.json, "next_cursor"))
      assert.strictEqual(at((yield* send("GET", inbox.path, inbox)).json, "data", "received"), 103)
      assert.deepStrictEqual(outcome(yield* send("GET", `${inbox.path}/requests?cursor=x`, inbox)), [
        400,
        "invalid_cursor"
      ])
    }))

  it.effect("knows a repeated webhook-id", () =>
    Effect.gen(function*() {
      const inbox = yield* makeInbox(yield* foundOnSaturday)
      for (const id of ["a", "b", "a"]) yield* knock(inbox, { headers: { "webhook-id": id } })
      yield* knock(inbox)
      yield* knock(inbox)
      assert.deepStrictEqual((yield* taken(inbox)).map((one) => at(one, "repeated")), [
        false,
        false,
        true,
        false,
        false
      ])
    }))

  it.effect("takes no more than 120 requests a minute", () =>
    Effect.gen(function*() {
      const inbox = yield* makeInbox(yield* foundOnSaturday)
      const answers = yield* Effect.forEach(Array.from({ length: 121 }), () => knock(inbox), { concurrency: 8 })
      const refused = answers.filter(({ status }) => status === 429)
      assert.deepStrictEqual(refused.map((answer) => [codeOf(answer), answer.headers["retry-after"]]), [
        ["rate_limited", "60"]
      ])
    }))

  it.effect("of an unknown token is 404, as one that is no token, and one whose hour is over", () =>
    Effect.gen(function*() {
      const club = yield* foundOnSaturday
      const inbox = yield* makeInbox(club)
      const unknown = yield* knock({ play: `/play/${"A".repeat(43)}` })
      const short = yield* knock({ play: "/play/x" })
      yield* TestClock.adjust("59 minutes")
      assert.strictEqual((yield* knock(inbox)).status, 200)
      yield* TestClock.adjust("1 minute")
      const over = yield* knock(inbox)
      for (const answer of [unknown, short, over]) {
        assert.deepStrictEqual([answer.status, answer.text], [404, unknown.text])
      }
      assert.strictEqual((yield* send("GET", inbox.path, inbox)).status, 404)
      assert.strictEqual((yield* send("GET", `${inbox.path}/requests`, inbox)).status, 404)
      assert.strictEqual((yield* send("PATCH", inbox.path, { token: inbox.token, body: {} })).status, 404)
      assert.deepStrictEqual(listAt((yield* send("GET", `${club.path}/webhook-inboxes`, club)).json, "data"), [])
    }))

  it.effect("is erased after its hour with what it took", () =>
    Effect.gen(function*() {
      const club = yield* foundOnSaturday
      const sql = yield* SqlClient.SqlClient
      const { removeExpired } = yield* Inboxes
      const inbox = yield* makeInbox(club)
      yield* knock(inbox, { body: "x" })
      yield* TestClock.adjust("59 minutes")
      const later = yield* makeInbox(club)
      yield* knock(later)
      yield* TestClock.adjust("1 minute")
      yield* removeExpired
      const left = yield* sql`
        select i.id, count(r.number)::int as requests from webhook_inboxes i
        left join webhook_inbox_requests r on r.club_id = i.club_id and r.inbox_id = i.id
        where i.club_id = ${club.id} group by i.id`
      assert.deepStrictEqual(left.map(({ id, requests }) => [id, requests]), [[later.id, 1]])
    }))

  it.effect("is one of five at most, also when they are made at once, and makes room when it is deleted or over", () =>
    Effect.gen(function*() {
      const club = yield* foundOnSaturday
      const answers = yield* Effect.forEach(Array.from({ length: 8 }), () => createInbox(club), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(answers.map(({ status }) => status).toSorted(), [201, 201, 201, 201, 201, 409, 409, 409])
      assert.strictEqual(codeOf(yield* createInbox(club)), "inbox_limit_reached")
      const made = answers.find(({ status }) => status === 201)
      const path = `${club.path}/webhook-inboxes/${String(at(made?.json, "data", "id"))}`
      assert.strictEqual((yield* send("DELETE", path, club)).status, 204)
      assert.strictEqual((yield* send("DELETE", path, club)).status, 404)
      assert.strictEqual((yield* createInbox(club)).status, 201)
      yield* TestClock.adjust("1 hour")
      assert.strictEqual((yield* createInbox(club)).status, 201)
    }))

  it.effect("is its club's alone", () =>
    Effect.gen(function*() {
      const inbox = yield* makeInbox(yield* foundOnSaturday)
      yield* knock(inbox)
      const [request] = yield* taken(inbox)
      const other = yield* foundClub()
      const path = `${other.path}/webhook-inboxes/${inbox.id}`
      const asked = [
        ["GET", path],
        ["PATCH", path, {}],
        ["DELETE", path],
        ["GET", `${path}/requests`],
        ["GET", `${path}/requests/stream`],
        ["GET", `${path}/requests/${String(at(request, "id"))}`]
      ] as const
      for (const [method, path, body] of asked) {
        const answer = yield* send(method, path, { token: other.token, ...(body === undefined ? {} : { body }) })
        assert.deepStrictEqual(outcome(answer), [404, "not_found"], `${method} ${path}`)
      }
    }))

  it.effect("is followed: what is kept, oldest first, and then what comes", () =>
    Effect.gen(function*() {
      const inbox = yield* makeInbox(yield* foundOnSaturday)
      yield* knock(inbox, { query: "?n=1" })
      yield* knock(inbox, { query: "?n=2" })
      const stream = yield* followPath(`${inbox.path}/requests/stream`, inbox.token)
      const told = (wire: string) => eventsIn(wire).map(({ data, event, id }) => [event, id, at(data, "query")])
      yield* stream.until(({ wire }) => told(wire).length === 2)
      yield* knock(inbox, { query: "?n=3" })
      yield* stream.until(({ wire }) => told(wire).length === 3)
      assert.deepStrictEqual(told(stream.heard.wire), [["request", "1", "?n=1"], ["request", "2", "?n=2"], [
        "request",
        "3",
        "?n=3"
      ]])
      yield* send("DELETE", inbox.path, inbox)
    }))
})

layer(WebhooksLayer)("An inbox as a webhook endpoint's", (it) => {
  it.effect("is named by its id at registration and change, while it lives", () =>
    Effect.gen(function*() {
      const club = yield* foundOnSaturday
      const { id: inbox_id } = yield* makeInbox(club)
      const shown = { kind: "inbox", inbox_id, url: `inbox:${inbox_id}` }
      const made = yield* create(club, { inbox_id })
      assert.strictEqual(made.status, 201, made.text)
      assert.deepStrictEqual(fieldsOf(made, "kind", "inbox_id", "url"), shown)
      const endpoint = yield* register(club)
      assert.deepStrictEqual(fieldsOf(yield* patch(endpoint, { inbox_id }), "kind", "inbox_id", "url"), shown)
      assert.deepStrictEqual(fieldsOf(yield* patch(endpoint, { url: publicUrl }), "kind", "inbox_id", "url"), {
        kind: "https",
        inbox_id: null,
        url: publicUrl
      })
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(outcome(yield* create(club, { inbox_id })), [422, "inbox_unknown"])
      assert.deepStrictEqual(outcome(yield* patch(endpoint, { inbox_id })), [422, "inbox_unknown"])
    }))

  it.effect("is refused where it is another club's, or deleted, or nobody's", () =>
    Effect.gen(function*() {
      const club = yield* foundOnSaturday
      const endpoint = yield* register(club)
      const foreign = yield* makeInbox(yield* foundClub())
      const own = yield* makeInbox(club)
      yield* send("DELETE", own.path, own)
      for (const { id: inbox_id } of [foreign, own, club]) {
        assert.deepStrictEqual(outcome(yield* create(club, { inbox_id })), [422, "inbox_unknown"])
        assert.deepStrictEqual(outcome(yield* patch(endpoint, { inbox_id })), [422, "inbox_unknown"])
      }
      assert.deepStrictEqual(outcome(yield* create(club, { inbox_id: "x" })), [422, "validation_failed"])
    }))

  it.effect("is named instead of a URL, and one of them has to be", () =>
    Effect.gen(function*() {
      const club = yield* foundOnSaturday
      const { id: inbox_id } = yield* makeInbox(club)
      const endpoint = yield* register(club)
      const both = { inbox_id, url: publicUrl }
      assert.deepStrictEqual(outcome(yield* create(club, both)), [422, "validation_failed"])
      assert.deepStrictEqual(outcome(yield* create(club, { url: undefined })), [422, "validation_failed"])
      assert.deepStrictEqual(outcome(yield* patch(endpoint, both)), [422, "validation_failed"])
    }))

  it.effect("cannot be named by a URL, its own or any form of it", () =>
    Effect.gen(function*() {
      const club = yield* foundOnSaturday
      const { id, url } = yield* makeInbox(club)
      const endpoint = yield* register(club)
      for (const hostile of [url, `inbox:${id}`, ...hostileUrls(url.slice(-43))]) {
        const answer = yield* create(club, { url: hostile })
        assert.strictEqual(answer.status, 422, hostile)
        assert.match(String(codeOf(answer)), /^url_not_(?:https|public)$/, hostile)
        assert.strictEqual((yield* patch(endpoint, { url: hostile })).status, 422, hostile)
      }
    }))
})
