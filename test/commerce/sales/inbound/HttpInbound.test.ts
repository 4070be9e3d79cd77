import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { inboundWebhookLimit } from "../../../../src/commerce/sales/inbound/InboundWebhook.ts"
import { AppLayer, at, codeOf, foundClub, keyOf, listAt, outcome, send, tokenAs } from "../../../harness/App.ts"
import { makeStudent } from "../../../harness/Makers.ts"
import { drain, eventsOf, hooksLayer, hottok, type OpenHook, openHook, post, sale, Teller } from "./Hooks.ts"

const unknownId = "0190a000-0000-7000-8000-000000000001"

type Club = Effect.Success<ReturnType<typeof foundClub>>

const create = ({ path, token }: Pick<Club, "path" | "token">, body: unknown, headers = {}) =>
  send("POST", `${path}/inbound-webhooks`, { token, body, headers })

const ask = (hook: OpenHook, method: "GET" | "PATCH" | "POST" | "DELETE", path: string, body?: unknown) =>
  send(method, `${hook.path}${path}`, { token: hook.token, ...(body === undefined ? {} : { body }) })

const one = ({ hook_id }: OpenHook) => `/inbound-webhooks/${hook_id}`

layer(AppLayer)("An address for a sales platform", (it) => {
  it.effect("is made with a URL of our own origin and the platform's name", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const answer = yield* create(club, { platform: "kiwify", secret: "abc123" })
      assert.strictEqual(answer.status, 201)
      assert.strictEqual(answer.headers["cache-control"], "no-store")
      const { created_at, id, updated_at, url, ...rest } = Object(at(answer.json, "data"))
      assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7/)
      assert.match(url, /^https:\/\/turma\.example\/webhooks\/kiwify\/[A-Za-z0-9_-]{43}$/)
      assert.deepStrictEqual(created_at, updated_at)
      assert.deepStrictEqual(rest, {
        platform: "kiwify",
        name: "Kiwify",
        secret_set: true,
        token_only: false,
        enabled: true,
        last_event_at: null,
        previous_token_expires_at: null
      })
      assert.notInclude(answer.text, "abc123")
    }))

  it.effect("shows its URL again and never its secret, and keeps both sealed", () =>
    Effect.gen(function*() {
      const hook = yield* openHook()
      const [read, list] = [yield* ask(hook, "GET", one(hook)), yield* ask(hook, "GET", "/inbound-webhooks")]
      assert.strictEqual(at(read.json, "data", "url"), `https://turma.example${hook.post}`)
      assert.deepStrictEqual(listAt(list.json, "data"), [at(read.json, "data")])
      for (const { headers, text } of [read, list]) {
        assert.strictEqual(headers["cache-control"], "no-store")
        assert.notInclude(text, hottok)
      }
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql`select * from inbound_webhooks where club_id = ${hook.id}`
      const stored = rows.flatMap((row) => Object.values(row)).map((value) =>
        value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : String(value)
      ).join("\n")
      for (const secret of [hottok, hook.post.split("/").at(-1) ?? ""]) assert.notInclude(stored, secret)
    }))

  it.effect("tells when it last took something", () =>
    Effect.gen(function*() {
      const hook = yield* openHook()
      yield* post(hook.post, sale())
      yield* TestClock.adjust("1 hour")
      yield* post(hook.post, sale({ event: "PURCHASE_PROTEST" }))
      const last = at((yield* ask(hook, "GET", one(hook))).json, "data", "last_event_at")
      const [latest] = listAt((yield* ask(hook, "GET", `${one(hook)}/events`)).json, "data")
      assert.strictEqual(last, at(latest, "received_at"))
    }))

  it.effect("changes name, secret, state and strictness one by one", () =>
    Effect.gen(function*() {
      const hook = yield* openHook()
      const seen = (body: unknown, field: string) =>
        Effect.map(ask(hook, "PATCH", one(hook), body), ({ json }) => at(json, "data", field))
      assert.strictEqual(yield* seen({ name: "Loja" }, "name"), "Loja")
      assert.strictEqual(yield* seen({ secret: null }, "secret_set"), false)
      assert.strictEqual(yield* seen({ enabled: false }, "enabled"), false)
      assert.strictEqual(yield* seen({ token_only: true }, "token_only"), true)
      assert.strictEqual(yield* seen({ secret: "new" }, "secret_set"), true)
      const { enabled, name, secret_set, token_only } = Object(at((yield* ask(hook, "GET", one(hook))).json, "data"))
      assert.deepStrictEqual([name, secret_set, enabled, token_only], ["Loja", true, false, true])
    }))

  it.effect.each([
    [{}, "validation_failed"],
    [{ platform: "other" }, "validation_failed"],
    [{ platform: "hotmart", name: "" }, "validation_failed"],
    [{ platform: "hotmart", secret: "" }, "validation_failed"],
    [{ platform: "hotmart", secret: "x".repeat(501) }, "validation_failed"],
    [{ platform: "generic", secret: "not a signing secret" }, "secret_invalid"]
  ] as const)("is not made of %j", ([body, code]) =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const answer = yield* create(club, body)
      assert.deepStrictEqual(outcome(answer), [422, code])
      assert.isEmpty(listAt((yield* send("GET", `${club.path}/inbound-webhooks`, { token: club.token })).json, "data"))
    }))

  it.effect("keeps its secret when the new one is refused", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const made = yield* create(club, { platform: "generic" })
      const path = `${club.path}/inbound-webhooks/${at(made.json, "data", "id")}`
      const body = { name: "Other", secret: "not a signing secret" }
      assert.strictEqual(codeOf(yield* send("PATCH", path, { token: club.token, body })), "secret_invalid")
      const { name, secret_set } = Object(at((yield* send("GET", path, { token: club.token })).json, "data"))
      assert.deepStrictEqual([name, secret_set], [at(made.json, "data", "name"), false])
    }))

  it.effect("is one of fifty at most, also of those made at once", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const answers = yield* Effect.all(
        Array.from({ length: inboundWebhookLimit + 5 }, () => create(club, { platform: "stripe" })),
        { concurrency: 8 }
      )
      const refused = answers.filter(({ status }) => status !== 201)
      assert.deepStrictEqual(
        refused.map(outcome),
        Array.from({ length: 5 }, () => [409, "inbound_webhook_limit_reached"])
      )
      const first = String(at(answers[0]?.json, "data", "id"))
      yield* send("DELETE", `${club.path}/inbound-webhooks/${first}`, { token: club.token })
      assert.strictEqual((yield* create(club, { platform: "stripe" })).status, 201)
    }))

  it.effect("is made once for one Idempotency-Key", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const [one, other] = [
        yield* create(club, { platform: "stripe" }, { "idempotency-key": "k" }),
        yield* create(club, { platform: "stripe" }, { "idempotency-key": "k" })
      ]
      assert.deepStrictEqual(one.json, other.json)
    }))

  it.effect("is gone once it is deleted, while its events stay", () =>
    Effect.gen(function*() {
      const hook = yield* openHook()
      yield* post(hook.post, sale())
      assert.strictEqual((yield* ask(hook, "DELETE", one(hook))).status, 204)
      for (const method of ["GET", "DELETE"] as const) {
        assert.deepStrictEqual(outcome(yield* ask(hook, method, one(hook))), [404, "not_found"])
      }
      assert.deepStrictEqual(outcome(yield* ask(hook, "PATCH", one(hook), {})), [404, "not_found"])
      assert.deepStrictEqual(outcome(yield* ask(hook, "POST", `${one(hook)}/rotate-token`)), [404, "not_found"])
      assert.lengthOf(listAt((yield* ask(hook, "GET", `${one(hook)}/events`)).json, "data"), 1)
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql`select secret, token, token_hash from inbound_webhooks where club_id = ${hook.id}`
      assert.deepStrictEqual(rows, [{ secret: null, token: null, token_hash: null }])
    }))

  it.effect("is the administration's alone, while every member sees the platforms", () =>
    Effect.gen(function*() {
      const hook = yield* openHook()
      yield* post(hook.post, sale())
      const [event] = yield* eventsOf(hook)
      for (const role of ["editor", "support", "viewer"] as const) {
        const token = yield* tokenAs(hook, role)
        const paths = ["/inbound-webhooks", one(hook), `${one(hook)}/events`, `/inbound-events/${event?.id}`]
        for (const path of paths) {
          assert.strictEqual((yield* send("GET", `${hook.path}${path}`, { token })).status, 403, path)
        }
        const platforms = yield* send("GET", `${hook.path}/sales-platforms`, { token })
        assert.deepStrictEqual(listAt(platforms.json, "data").map((platform) => at(platform, "key")), [
          "hotmart",
          "kiwify",
          "stripe",
          "hubla",
          "eduzz",
          "generic"
        ])
        assert.hasAllKeys(listAt(platforms.json, "data")[0], ["key", "name", "signature", "setup_steps", "events"])
      }
    }))
})

const teller = new Teller()

layer(hooksLayer(teller))("What a sales platform has sent", (it) => {
  it.effect("is listed newest first, page by page and by outcome", () =>
    Effect.gen(function*() {
      const hook = yield* openHook()
      yield* post(hook.post, sale({ event: "PURCHASE_PROTEST" }))
      yield* post(hook.post, sale({ transaction: "H1" }))
      yield* drain
      yield* post(hook.post, sale({ transaction: "H2" }))
      const outcomes = (query: string) =>
        Effect.map(
          ask(hook, "GET", `${one(hook)}/events${query}`),
          ({ json }) => listAt(json, "data").map((event) => at(event, "outcome"))
        )
      assert.deepStrictEqual(yield* outcomes(""), [null, "processed", "ignored"])
      assert.deepStrictEqual(yield* outcomes("?outcome=pending"), [null])
      assert.deepStrictEqual(yield* outcomes("?outcome=processed"), ["processed"])
      assert.deepStrictEqual(yield* outcomes("?outcome=failed"), [])
      const first = yield* ask(hook, "GET", `${one(hook)}/events?limit=2`)
      assert.deepStrictEqual(yield* outcomes(`?limit=2&cursor=${at(first.json, "next_cursor")}`), ["ignored"])
      assert.deepStrictEqual(outcome(yield* ask(hook, "GET", `${one(hook)}/events?cursor=x`)), [400, "invalid_cursor"])
      assert.strictEqual((yield* ask(hook, "GET", `${one(hook)}/events?outcome=lost`)).status, 422)
      assert.strictEqual((yield* ask(hook, "GET", `/inbound-webhooks/${unknownId}/events`)).status, 404)
    }))

  it.effect("is read with its body as it came", () =>
    Effect.gen(function*() {
      const hook = yield* openHook()
      const student = yield* makeStudent(hook)
      teller.answer = () => Effect.succeed({ student_id: student.id })
      const body = sale()
      yield* post(hook.post, body)
      yield* drain
      const [event] = yield* eventsOf(hook)
      const answer = yield* ask(hook, "GET", `/inbound-events/${event?.id}`)
      assert.strictEqual(answer.headers["cache-control"], "no-store")
      const { finished_at, received_at, ...rest } = Object(at(answer.json, "data"))
      assert.deepStrictEqual(finished_at, received_at)
      assert.deepStrictEqual(rest, {
        id: event?.id,
        inbound_webhook_id: hook.hook_id,
        platform: "hotmart",
        event_name: "PURCHASE_APPROVED",
        external_event_id: body.id,
        product: { external_id: "4711", name: "Violão do Zero" },
        outcome: "processed",
        detail: null,
        student_id: student.id,
        failures: 0,
        raw_available: true,
        body
      })
      teller.answer = () => Effect.succeed({})
    }))

  it.effect("is read by a key without tax documents, whatever the key may do, and by owner and admin with them", () =>
    Effect.gen(function*() {
      const hook = yield* openHook()
      teller.answer = () => Effect.succeed({})
      const body = { ...sale(), note: "CPF do pagador: 111.444.777-35", phones: ["11987654321"] }
      yield* post(hook.post, body)
      const [event] = yield* eventsOf(hook)
      const readBy = (token: string) => send("GET", `${hook.path}/inbound-events/${event?.id}`, { token })
      for (const token of [hook.token, yield* tokenAs(hook.club, "admin")]) {
        assert.deepStrictEqual(at((yield* readBy(token)).json, "data", "body"), body)
      }
      const masked = {
        ...body,
        note: "CPF do pagador: ***",
        phones: ["***"],
        data: { ...body.data, buyer: { ...body.data.buyer, document: "***" } }
      }
      const scoped = { role: undefined, scopes: ["sales:write", "students:write"] }
      for (const given of [{}, scoped]) {
        const { token } = yield* keyOf(hook.club, given)
        assert.deepStrictEqual(at((yield* readBy(token)).json, "data", "body"), masked)
        const listed = yield* send("GET", `${hook.path}/inbound-events`, { token })
        assert.notInclude(listed.text, "39053344705")
      }
      const message = {
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "inbound_events_show", arguments: { inbound_event_id: event?.id } }
      }
      const { token } = yield* keyOf(hook.club)
      const shown = yield* send("POST", "/mcp", { token, body: message })
      assert.include(shown.text, "Bia Lima")
      for (const secret of ["39053344705", "777-35"]) assert.notInclude(shown.text, secret)
    }))

  it.effect("is processed again if it is unmapped, failed or ignored", () =>
    Effect.gen(function*() {
      const hook = yield* openHook()
      for (const past of ["unmapped", "failed", "ignored"] as const) {
        yield* post(hook.post, sale())
        yield* drain
        const sql = yield* SqlClient.SqlClient
        yield* sql`update inbound_events set outcome = ${past}, failures = 7 where club_id = ${hook.id}`
        const id = (yield* eventsOf(hook)).at(-1)?.id
        const answer = yield* ask(hook, "POST", `/inbound-events/${id}/reprocess`)
        assert.strictEqual(answer.status, 202)
        const { failures, outcome: now } = Object(at(answer.json, "data"))
        assert.deepStrictEqual([failures, now], [0, null])
        const again = yield* ask(hook, "POST", `/inbound-events/${id}/reprocess`)
        assert.deepStrictEqual(outcome(again), [409, "event_not_reprocessable"])
        yield* drain
        assert.strictEqual((yield* eventsOf(hook)).at(-1)?.outcome, "processed")
        const done = yield* ask(hook, "POST", `/inbound-events/${id}/reprocess`)
        assert.deepStrictEqual(outcome(done), [409, "event_not_reprocessable"])
      }
    }))

  it.effect("is not processed again without its body", () =>
    Effect.gen(function*() {
      const hook = yield* openHook()
      yield* post(hook.post, sale({ event: "PURCHASE_PROTEST" }))
      const [event] = yield* eventsOf(hook)
      const sql = yield* SqlClient.SqlClient
      yield* sql`update inbound_events set raw = null where club_id = ${hook.id}`
      const answer = yield* ask(hook, "POST", `/inbound-events/${event?.id}/reprocess`)
      assert.deepStrictEqual(outcome(answer), [409, "payload_purged"])
      const { body, raw_available } = Object(at((yield* ask(hook, "GET", `/inbound-events/${event?.id}`)).json, "data"))
      assert.deepStrictEqual([body, raw_available], [null, false])
    }))

  it.effect("is nothing to another club", () =>
    Effect.gen(function*() {
      const [hook, other] = [yield* openHook(), yield* openHook()]
      yield* post(hook.post, sale())
      const [event] = yield* eventsOf(hook)
      for (const path of [one(hook), `${one(hook)}/events`, `/inbound-events/${event?.id}`]) {
        assert.deepStrictEqual(outcome(yield* ask(other, "GET", path)), [404, "not_found"], path)
      }
      const again = yield* ask(other, "POST", `/inbound-events/${event?.id}/reprocess`)
      assert.deepStrictEqual(outcome(again), [404, "not_found"])
      yield* ask(other, "PATCH", one(hook), { enabled: false })
      assert.strictEqual((yield* post(hook.post, sale())).status, 200)
    }))
})
