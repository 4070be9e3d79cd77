import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Exit, Layer, Logger, References } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { inspect } from "node:util"
import { InboundWebhooks } from "../../../../src/commerce/sales/inbound/InboundWebhooks.ts"
import { personKey } from "../../../../src/commerce/sales/inbound/PersonKey.ts"
import { AppLayer, appLayer, at, outcome, send } from "../../../harness/App.ts"
import { StayingTimeLayer, whileAhead } from "../../../harness/MovedTime.ts"
import { PostgresLayer } from "../../../harness/Postgres.ts"
import { call, chunked, isRefusal, rawRequest, sendRaw } from "../../../harness/RawHttp.ts"
import { requestSpans } from "../../../harness/RequestSpans.ts"
import { eventsOf, hottok, openHook, outcomesOf, post, sale, sha256 } from "./Hooks.ts"

const accepted = { data: { status: "accepted" } }
const ignored = { data: { status: "ignored" } }
const duplicate = { data: { status: "duplicate" } }

const unknownToken = "A".repeat(43)
const signed = { "X-Hotmart-Hottok": hottok }

layer(AppLayer)("A sales hook", (it) => {
  it.effect("stores a signed request and answers 200 accepted", () =>
    Effect.gen(function*() {
      const hook = yield* openHook()
      const body = sale({ transaction: "HP1", email: "Bia@Buyer.Example", subscriber: "SUB1" })
      const answer = yield* post(hook.post, body)
      assert.deepStrictEqual([answer.status, answer.json], [200, accepted])
      const [event, ...others] = yield* eventsOf(hook)
      assert.isEmpty(others)
      const { due_at, id: _, person_key, raw, ...rest } = event ?? assert.fail()
      assert.deepStrictEqual(rest, {
        event_name: "PURCHASE_APPROVED",
        external_event_id: body.id,
        order_key: "subscription:SUB1",
        purchase_ref: "HP1",
        product_ids: ["4711"],
        offer_ids: ["basic"],
        product_names: ["Violão do Zero"],
        student_id: null,
        failures: 0,
        outcome: null,
        detail: null
      })
      assert.deepStrictEqual(due_at, yield* DateTime.now)
      assert.deepStrictEqual(
        person_key && new Uint8Array(person_key),
        new Uint8Array(personKey(hook.id, "bia@buyer.example"))
      )
      const stored = Buffer.from(raw ?? []).toString("latin1")
      for (const part of ["Bia", "39053344705", hottok, "HP1"]) assert.notInclude(stored, part)
    }))

  it.effect("files under the purchase what has no subscription, and alone what has neither", () =>
    Effect.gen(function*() {
      const hook = yield* openHook()
      yield* post(hook.post, sale({ transaction: "HP2" }))
      yield* post(hook.post, sale({ event: "CLUB_FIRST_ACCESS" }))
      const [one, other] = yield* eventsOf(hook)
      assert.strictEqual(one?.order_key, "purchase:HP2")
      assert.strictEqual(other?.order_key, `event:${other?.id}`)
    }))

  it.effect("answers duplicate to the same bytes again, and accepts other bytes about the same", () =>
    Effect.gen(function*() {
      const hook = yield* openHook()
      const body = sale()
      assert.deepStrictEqual((yield* post(hook.post, body)).json, accepted)
      const again = yield* post(hook.post, body)
      assert.deepStrictEqual([again.status, again.json], [200, duplicate])
      assert.deepStrictEqual((yield* post(hook.post, `${JSON.stringify(body)} `)).json, accepted)
      assert.lengthOf(yield* eventsOf(hook), 2)
    }))

  it.effect("makes one row of fifty identical requests at once", () =>
    Effect.gen(function*() {
      const hook = yield* openHook()
      const body = sale()
      const answers = yield* Effect.all(
        Array.from({ length: 50 }, () => send("POST", hook.post, { body, headers: signed })),
        { concurrency: "unbounded" }
      )
      const statuses = answers.map(({ json }) => at(json, "data", "status"))
      assert.strictEqual(statuses.filter((status) => status === "accepted").length, 1)
      assert.strictEqual(statuses.filter((status) => status === "duplicate").length, 49)
      assert.lengthOf(yield* eventsOf(hook), 1)
    }))

  it.effect("takes the same bytes at two addresses of a club as two", () =>
    Effect.gen(function*() {
      const [one, other] = [yield* openHook(), yield* openHook()]
      const body = sale()
      yield* post(one.post, body)
      assert.deepStrictEqual((yield* post(other.post, body)).json, accepted)
    }))

  it.effect("answers ignored to what nothing follows from, and keeps it", () =>
    Effect.gen(function*() {
      const hook = yield* openHook()
      const answer = yield* post(hook.post, sale({ event: "PURCHASE_BILLET_PRINTED" }))
      assert.deepStrictEqual([answer.status, answer.json], [200, ignored])
      const [event] = yield* eventsOf(hook)
      assert.deepStrictEqual([event?.outcome, event?.due_at, event?.event_name], [
        "ignored",
        null,
        "PURCHASE_BILLET_PRINTED"
      ])
      assert.isNotNull(event?.person_key)
    }))

  it.effect("accepts a known event that lacks what it needs, for a person to look at", () =>
    Effect.gen(function*() {
      const hook = yield* openHook()
      const answer = yield* post(hook.post, { ...sale(), data: {} })
      assert.deepStrictEqual([answer.status, answer.json], [200, accepted])
      const [event] = yield* eventsOf(hook)
      assert.deepStrictEqual([event?.outcome, event?.due_at], ["failed", null])
      assert.match(event?.detail ?? "", /data\.purchase/)
    }))

  it.effect("refuses a bad signature with 401 and stores nothing", () =>
    Effect.gen(function*() {
      const hook = yield* openHook()
      for (const headers of [{ "x-hotmart-hottok": "other" }, { "x-hotmart-hottok": "" }]) {
        assert.deepStrictEqual(outcome(yield* post(hook.post, sale(), headers)), [401, "invalid_signature"])
      }
      assert.deepStrictEqual(outcome(yield* send("POST", hook.post, { body: sale() })), [401, "invalid_signature"])
      assert.isEmpty(yield* eventsOf(hook))
    }))

  it.effect("without a secret refuses everything, until an administrator says that the token is enough", () =>
    Effect.gen(function*() {
      const hook = yield* openHook({ secret: null })
      const hooks = yield* InboundWebhooks
      assert.deepStrictEqual(outcome(yield* post(hook.post, sale())), [401, "invalid_signature"])
      yield* hooks.patch(hook.id, hook.hook_id, { token_only: true })
      assert.strictEqual((yield* post(hook.post, sale())).status, 200)
    }))

  it.effect("checks a secret also where the token would be enough", () =>
    Effect.gen(function*() {
      const hook = yield* openHook({ token_only: true })
      assert.deepStrictEqual(outcome(yield* post(hook.post, sale(), { "x-hotmart-hottok": "other" })), [
        401,
        "invalid_signature"
      ])
    }))

  it.effect("verifies the bytes before it reads them as JSON", () =>
    Effect.gen(function*() {
      const hook = yield* openHook()
      assert.deepStrictEqual(outcome(yield* send("POST", hook.post, { body: "{" })), [401, "invalid_signature"])
      assert.deepStrictEqual(outcome(yield* post(hook.post, "{")), [400, "malformed_request"])
    }))

  it.effect("takes JSON of any content type, and of none", () =>
    Effect.gen(function*() {
      const hook = yield* openHook()
      for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/json; charset=utf-8"]) {
        assert.strictEqual((yield* post(hook.post, sale(), { "content-type": type })).status, 200, type)
      }
      const body = JSON.stringify(sale())
      const request = `POST ${hook.post} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX-Hotmart-Hottok: ${hottok}\r\n`
      const bare = yield* sendRaw(`${request}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
      assert.strictEqual(bare.status, 200)
    }))

  it.effect.each(["", "not json", "{\"a\":", "\"\\ud800", Buffer.from([0x22, 0xff, 0x22])])(
    "answers 400 to a body that is no JSON: %j",
    (body) =>
      Effect.gen(function*() {
        const hook = yield* openHook()
        isRefusal(yield* call("POST", hook.post, { body, headers: signed }), 400, "malformed_request")
        assert.isEmpty(yield* eventsOf(hook))
      })
  )

  it.effect.each(["null", "[]", "1", "\"PURCHASE_APPROVED\"", "[".repeat(100) + "]".repeat(100)])(
    "keeps JSON that says nothing: %.20s",
    (body) =>
      Effect.gen(function*() {
        const hook = yield* openHook()
        assert.deepStrictEqual((yield* call("POST", hook.post, { body, headers: signed })).json, ignored)
      })
  )

  it.effect("takes names with characters that a database cannot store", () =>
    Effect.gen(function*() {
      const hook = yield* openHook()
      const answer = yield* post(hook.post, { ...sale(), event: `A\u0000B\ud800${"C".repeat(500)}`, id: "\u0000" })
      assert.deepStrictEqual([answer.status, answer.json], [200, ignored])
    }))

  it.effect("takes 256 KB and refuses more with 413", () =>
    Effect.gen(function*() {
      const hook = yield* openHook()
      const padded = (size: number) => {
        const body = JSON.stringify({ ...sale(), data: {} })
        return `${body}${" ".repeat(size - body.length)}`
      }
      assert.strictEqual((yield* call("POST", hook.post, { body: padded(262_144), headers: signed })).status, 200)
      const tooLarge = yield* call("POST", hook.post, { body: padded(262_145), headers: signed })
      isRefusal(tooLarge, 413, "payload_too_large")
      const head = rawRequest("POST", hook.post, { headers: { ...signed, "Transfer-Encoding": "chunked" } })
      isRefusal(yield* sendRaw(...head, chunked(padded(1_200_000))), 413, "payload_too_large")
      assert.lengthOf(yield* eventsOf(hook), 1)
    }))

  it.effect("answers 404 with the same bytes whatever is wrong with the address", () =>
    Effect.gen(function*() {
      const hook = yield* openHook()
      const hooks = yield* InboundWebhooks
      const [disabled, deleted] = [yield* openHook(), yield* openHook()]
      yield* hooks.patch(disabled.id, disabled.hook_id, { enabled: false })
      yield* hooks.remove(deleted.id, deleted.hook_id)
      const token = hook.post.split("/").at(-1) ?? ""
      const paths = [
        `/webhooks/hotmart/${unknownToken}`,
        `/webhooks/kiwify/${token}`,
        `/webhooks/other/${token}`,
        `/webhooks/hot%00mart/${token}`,
        `/webhooks/hotmart/${token}a`,
        `/webhooks/hotmart/${"x".repeat(3000)}`,
        "/webhooks/hotmart/%F0%9F%8E%B8",
        disabled.post,
        deleted.post
      ]
      const body = JSON.stringify(sale())
      const headers = { ...signed, "X-Request-Id": "same" }
      const answers = yield* Effect.forEach(paths, (path) => call("POST", path, { body, headers }))
      const [first] = answers
      isRefusal(first ?? assert.fail(), 404, "not_found")
      // The date and the rest of the limit change with each request.
      const bytes = answers.map(({ headers: { date: _date, ratelimit: _left, ...headers }, status, text }) => ({
        headers,
        status,
        text
      }))
      for (const answer of bytes) assert.deepStrictEqual(answer, bytes[0])
    }))

  it.effect("takes no other method, and says which it takes", () =>
    Effect.gen(function*() {
      const hook = yield* openHook()
      for (const method of ["GET", "PUT", "DELETE"]) {
        const answer = yield* call(method, hook.post)
        isRefusal(answer, 405, "method_not_allowed")
        assert.strictEqual(answer.headers["allow"], "POST")
      }
    }))

  it.effect("accepts another club's platform with the secret of its own address only", () =>
    Effect.gen(function*() {
      const [one, other] = [yield* openHook({ secret: "secret-one" }), yield* openHook({ secret: "secret-two" })]
      const headers = { "x-hotmart-hottok": "secret-one" }
      assert.strictEqual((yield* post(one.post, sale(), headers)).status, 200)
      assert.deepStrictEqual(outcome(yield* post(other.post, sale(), headers)), [401, "invalid_signature"])
      assert.isEmpty(yield* eventsOf(other))
      assert.deepStrictEqual(yield* outcomesOf(one), [null])
    }))

  it.effect("accepts nothing more with a secret that was replaced", () =>
    Effect.gen(function*() {
      const hook = yield* openHook()
      const answer = yield* send("PATCH", `${hook.path}/inbound-webhooks/${hook.hook_id}`, {
        token: hook.token,
        body: { secret: "another" }
      })
      assert.strictEqual(answer.status, 200)
      assert.deepStrictEqual(outcome(yield* post(hook.post, sale())), [401, "invalid_signature"])
      assert.strictEqual((yield* post(hook.post, sale(), { "x-hotmart-hottok": "another" })).status, 200)
    }))

  it.effect("keeps a hash of who it is about that tells nothing without the club", () =>
    Effect.gen(function*() {
      const [one, other] = [yield* openHook(), yield* openHook()]
      yield* post(one.post, sale())
      yield* post(other.post, sale())
      const [[a], [b]] = [yield* eventsOf(one), yield* eventsOf(other)]
      assert.notDeepEqual(a?.person_key, b?.person_key)
      assert.notDeepEqual(a?.person_key, sha256("bia@buyer.example"))
    }))
})

const DoubtfulLayer = appLayer({ ADMIN_SESSION_IDLE: "3000 days", ADMIN_SESSION_MAX: "3000 days" }, {
  database: StayingTimeLayer.pipe(Layer.provideMerge(PostgresLayer))
})

layer(DoubtfulLayer)("By a clock that is 40 days behind, a sales hook's token", (it) => {
  it.effect("is not replaced, since its 24 hours would be over at once", () =>
    Effect.gen(function*() {
      yield* TestClock.adjust("50 days")
      const hook = yield* openHook()
      const rotate = send("POST", `${hook.path}/inbound-webhooks/${hook.hook_id}/rotate-token`, { token: hook.token })
      assert.deepStrictEqual(outcome(yield* whileAhead("-40 days", rotate)), [503, "temporarily_unavailable"])
      assert.strictEqual((yield* rotate).status, 200)
      assert.strictEqual((yield* post(hook.post, sale())).status, 200)
    }))
})

layer(AppLayer)("A sales hook's token", (it) => {
  it.effect("works for 24 hours more once it is rotated, and only the latest before", () =>
    Effect.gen(function*() {
      const hook = yield* openHook()
      const rotate = Effect.map(
        send("POST", `${hook.path}/inbound-webhooks/${hook.hook_id}/rotate-token`, { token: hook.token }),
        ({ json }) => new URL(String(at(json, "data", "url"))).pathname
      )
      const second = yield* rotate
      assert.notStrictEqual(second, hook.post)
      assert.strictEqual((yield* post(hook.post, sale())).status, 200)
      assert.strictEqual((yield* post(second, sale())).status, 200)
      const third = yield* rotate
      assert.deepStrictEqual(outcome(yield* post(hook.post, sale())), [404, "not_found"])
      yield* TestClock.adjust("23 hours")
      assert.strictEqual((yield* post(second, sale())).status, 200)
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(outcome(yield* post(second, sale())), [404, "not_found"])
      assert.strictEqual((yield* post(third, sale())).status, 200)
    }))

  it.effect("says until when the one before works, as long as it does", () =>
    Effect.gen(function*() {
      const hook = yield* openHook()
      const path = `${hook.path}/inbound-webhooks`
      const told = Effect.gen(function*() {
        const one = yield* send("GET", `${path}/${hook.hook_id}`, { token: hook.token })
        const all = yield* send("GET", path, { token: hook.token })
        return [at(one.json, "data"), at(all.json, "data", 0)].map((shown) => at(shown, "previous_token_expires_at"))
      })
      assert.deepStrictEqual(yield* told, [null, null])
      yield* TestClock.setTime(0)
      const { json } = yield* send("POST", `${path}/${hook.hook_id}/rotate-token`, { token: hook.token })
      const end = "1970-01-02T00:00:00.000Z"
      assert.strictEqual(at(json, "data", "previous_token_expires_at"), end)
      assert.deepStrictEqual(yield* told, [end, end])
      yield* TestClock.adjust("24 hours")
      assert.deepStrictEqual(yield* told, [null, null])
    }))
})

const lines: Array<string> = []
const LinesLayer = Logger.layer([
  Logger.make(({ cause, fiber, message }) => {
    lines.push(inspect([message, fiber.getRef(References.CurrentLogAnnotations), cause], { depth: 12 }))
  })
])

const { layer: SpansLayer, spans } = requestSpans()

layer(AppLayer.pipe(Layer.provideMerge([LinesLayer, SpansLayer])))(
  "What a sales hook logs and traces",
  (it) => {
    it.effect("holds neither token, nor query, nor body, whatever was sent", () =>
      Effect.gen(function*() {
        const hook = yield* openHook()
        const token = hook.post.split("/").at(-1) ?? ""
        const body = JSON.stringify(sale({ email: "private@buyer.example" }))
        yield* call("POST", `${hook.post}?signature=querysecret`, { body, headers: signed })
        yield* call("POST", `${hook.post}?signature=querysecret`, { body, headers: signed })
        yield* call("POST", hook.post, { body })
        yield* call("POST", hook.post, { body: "private@buyer.example", headers: signed })
        yield* call("GET", `${hook.post}?signature=querysecret`)
        yield* call("POST", `${hook.post}/more?signature=querysecret`, { body })
        yield* call("POST", `${hook.post}%ff?signature=querysecret`, { body })
        yield* call("POST", hook.post, { body: "x".repeat(300_000), headers: signed })
        const sql = yield* SqlClient.SqlClient
        yield* sql`alter table inbound_events rename to inbound_events_gone`
        yield* call("POST", `${hook.post}?signature=querysecret`, { body, headers: signed })
        yield* sql`alter table inbound_events_gone rename to inbound_events`
        // An exporter also sends the failure with which a span ends.
        const traced = spans.map(({ attributes, events, name, status }) => {
          const failure = status._tag === "Ended" && Exit.isFailure(status.exit) ? status.exit.cause : null
          return inspect([name, [...attributes], events, failure], { depth: 12 })
        })
        assert.isNotEmpty(traced.filter((span) => span.includes("POST /webhooks/:platform/:token")))
        assert.isNotEmpty(lines.filter((line) => line.includes("/webhooks/:platform/:token")))
        const all = [...lines, ...traced].join("\n")
        for (const secret of [token, "querysecret", "private@buyer.example", hottok]) assert.notInclude(all, secret)
      }))
  }
)

layer(AppLayer)("A sales hook without its database", (it) => {
  it.effect("answers 503, so that the platform sends again", () =>
    Effect.gen(function*() {
      const hook = yield* openHook()
      const sql = yield* SqlClient.SqlClient
      yield* sql`alter table inbound_events rename to inbound_events_gone`
      assert.deepStrictEqual(outcome(yield* post(hook.post, sale())), [503, "temporarily_unavailable"])
      yield* sql`alter table inbound_events_gone rename to inbound_events`
      yield* sql`alter table inbound_webhooks rename to inbound_webhooks_gone`
      const unknown = `/webhooks/hotmart/${unknownToken}`
      for (const path of [hook.post, unknown]) {
        assert.deepStrictEqual(outcome(yield* post(path, sale())), [503, "temporarily_unavailable"])
      }
      yield* sql`alter table inbound_webhooks_gone rename to inbound_webhooks`
      assert.strictEqual((yield* post(hook.post, sale())).status, 200)
    }))
})
