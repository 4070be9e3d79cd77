import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { SqlClient } from "effect/sql"
import { signatureOf } from "../../../../src/webhooks/send/Signature.ts"
import { WebhookWorkersLayer } from "../../../../src/webhooks/WebhookWorkers.ts"
import { appLayer, at, configLayer, foundClub, listAt, send } from "../../../harness/App.ts"
import { eventually } from "../../../harness/Eventually.ts"
import { makeStudent } from "../../../harness/Makers.ts"
import { create } from "../../Registering.ts"
import { detail, knock, makeInbox, taken } from "./Playing.ts"

// The whole path in real time, as in a process with ROLE=all on a developer's machine. No server listens on that port.
const testLayer = (settings: Record<string, string> = {}) => {
  const variables = {
    PUBLIC_URL: "http://localhost:3000",
    WEBHOOK_RETRY_SCHEDULE: "20 days",
    WEBHOOK_ASSEMBLE_DELAY: "10 millis",
    ...settings
  }
  return WebhookWorkersLayer.pipe(
    Layer.provideMerge(appLayer(variables)),
    Layer.provide(configLayer(variables)),
    Layer.provide(Logger.layer([]))
  )
}

const registered = Effect.fn("registered")(function*(told: unknown = {}, asked: object = {}) {
  const club = yield* foundClub()
  const inbox = yield* makeInbox(club, told)
  const made = yield* create(club, { inbox_id: inbox.id, ...asked })
  assert.strictEqual(made.status, 201, made.text)
  const endpoint_id = String(at(made.json, "data", "id"))
  const secret = String(at(made.json, "data", "secret"))
  return { club, inbox, secret, endpoint_id, path: `${club.path}/webhook-endpoints/${endpoint_id}`, token: club.token }
})

/** The one attempt of a test, once it has ended. */
const tested = Effect.fnUntraced(function*({ path, token }: { readonly path: string; readonly token: string }) {
  const { json } = yield* send("POST", `${path}/test`, { token })
  const delivery = `${path}/deliveries/${String(at(json, "data", "id"))}`
  const answer = yield* eventually(
    send("GET", delivery, { token }),
    ({ json }) => at(json, "data", "attempts_count") === 1
  )
  return { delivery: at(answer.json, "data"), attempt: at(answer.json, "data", "attempts", 0) }
})

const options = { excludeTestServices: true } as const

layer(testLayer(), options)("A delivery to an inbox", (it) => {
  it.effect("is handed over without a connection, also where the service has no https, and is verified", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered()
      const { attempt, delivery } = yield* tested(endpoint)
      assert.strictEqual(at(delivery, "status"), "succeeded")
      assert.strictEqual(at(attempt, "status_code"), 200)
      assert.strictEqual(at(attempt, "response_body"), `{"data":{"received":true}}`)
      assert.isNull(at(attempt, "phases"))
      assert.isNull(at(attempt, "connection_reused"))
      const [request] = yield* taken(endpoint.inbox)
      assert.deepStrictEqual([at(request, "source"), at(request, "method")], ["engine", "POST"])
      assert.deepStrictEqual(
        [
          at(request, "signature", "verified"),
          at(request, "signature", "endpoint_id"),
          at(request, "signature", "secret"),
          at(request, "signature", "position")
        ],
        [true, endpoint.endpoint_id, "newest", 1]
      )
      const shown = yield* detail(endpoint.inbox, request)
      assert.strictEqual(at(JSON.parse(String(at(shown, "body"))), "id"), at(delivery, "event_id"))
      const sent = Object
        .fromEntries(listAt(shown, "headers").map((header) => [String(at(header, "name")), at(header, "value")]))
      assert.deepStrictEqual(at(attempt, "request_headers"), sent)
    }))

  it.effect("is signed by both secrets after a rotation, and the inbox says so", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered()
      yield* send("POST", `${endpoint.path}/rotate-secret`, { token: endpoint.token })
      yield* tested(endpoint)
      const [request] = yield* taken(endpoint.inbox)
      const { headers } = Object(yield* detail(endpoint.inbox, request))
      const signature = listAt(headers).find((header) => at(header, "name") === "webhook-signature")
      assert.strictEqual(String(at(signature, "value")).split(" ").length, 2)
      assert.isTrue(at(request, "signature", "verified"))
    }))

  it.effect(
    "that is signed by both is verified, also after a rotation",
    () =>
      Effect.gen(function*() {
        const endpoint = yield* registered({}, { signing: "both" })
        yield* tested(endpoint)
        yield* send("POST", `${endpoint.path}/rotate-secret`, { token: endpoint.token })
        yield* tested(endpoint)
        const [second, first] = yield* taken(endpoint.inbox)
        for (const request of [second, first]) {
          assert.isTrue(at(request, "signature", "verified"))
          assert.strictEqual(at(request, "signature", "endpoint_id"), endpoint.endpoint_id)
          assert.strictEqual(at(request, "signature", "secret"), "newest")
        }
      })
  )

  it.effect("shows that it has headers of the endpoint's own, and not their values", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered({}, { headers: { "x-api-key": "k-4711" } })
      const { attempt } = yield* tested(endpoint)
      assert.strictEqual(at(attempt, "status_code"), 200)
      const [request] = yield* taken(endpoint.inbox)
      const shown = yield* detail(endpoint.inbox, request)
      const own = listAt(shown, "headers").find((header) => at(header, "name") === "x-api-key")
      assert.strictEqual(at(own, "value"), "(sealed)")
      assert.notInclude(JSON.stringify(shown), "k-4711")
    }))

  it.effect("that is a probe of a grading is kept as well, although it is no event", () =>
    Effect.gen(function*() {
      const { inbox, path, token } = yield* registered()
      assert.strictEqual((yield* send("POST", `${path}/grade`, { token })).status, 202)
      const probes = yield* eventually(taken(inbox, "?limit=50"), (requests) => requests.length === 13)
      const first = yield* detail(inbox, probes.at(-1))
      assert.strictEqual(at(JSON.parse(String(at(first, "body"))), "data", "grading", "probe"), "right")
      assert.strictEqual(probes.filter((request) => at(request, "signature", "verified") === true).length, 7)
    }))

  it.effect("fails as it was told, and waits as the inbox asks", () =>
    Effect.gen(function*() {
      const { attempt, delivery } = yield* tested(yield* registered({ status: 503, retry_after_seconds: 77 }))
      assert.strictEqual(at(delivery, "status"), "pending")
      assert.deepStrictEqual(
        [at(attempt, "error"), at(attempt, "status_code"), at(attempt, "retry_after_seconds")],
        ["http_status", 503, 77]
      )
      const redirected = yield* tested(yield* registered({ status: 302, retry_after_seconds: 77 }))
      assert.deepStrictEqual(
        [at(redirected.attempt, "error"), at(redirected.attempt, "retry_after_seconds")],
        ["redirect", null]
      )
    }))

  it.effect("of an endpoint that was registered by the URL of its inbox, as once could be, is handed over and verified", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const endpoint = yield* registered()
      yield* sql`update webhook_endpoints set url = ${endpoint.inbox.url} where id = ${endpoint.endpoint_id}`
      const { attempt } = yield* tested(endpoint)
      assert.strictEqual(at(attempt, "status_code"), 200)
      const [request] = yield* taken(endpoint.inbox)
      assert.deepStrictEqual(
        [at(request, "signature", "verified"), at(request, "signature", "endpoint_id")],
        [true, endpoint.endpoint_id]
      )
      const shown = yield* send("GET", endpoint.path, endpoint)
      assert.deepStrictEqual(at(shown.json, "data", "kind"), "https")
    }))

  it.effect("that is signed for an endpoint that leads elsewhere is nobody's", () =>
    Effect.gen(function*() {
      const here = yield* registered()
      const elsewhere = yield* create(here.club)
      const secret = Buffer.from(String(at(elsewhere.json, "data", "secret")).slice("whsec_".length), "base64")
      const own = Buffer.from(here.secret.slice("whsec_".length), "base64")
      for (const [key, problem] of [[secret, "no_match"], [own, "timestamp_off"]] as const) {
        const headers = {
          "webhook-id": "1",
          "webhook-timestamp": "1",
          "webhook-signature": signatureOf(key, "1", 1, Buffer.from("{}"))
        }
        yield* knock(here.inbox, { body: "{}", headers })
        const [request] = yield* taken(here.inbox)
        assert.strictEqual(at(request, "signature", "problem"), problem)
      }
    }))

  it.effect("is a 404 like any other once the inbox is gone", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered()
      yield* send("DELETE", endpoint.inbox.path, endpoint)
      const { attempt } = yield* tested(endpoint)
      assert.deepStrictEqual([at(attempt, "error"), at(attempt, "status_code")], ["http_status", 404])
    }))

  it.effect("does not reach another club's inbox, or any other address of ours, whatever the database says", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const other = yield* registered()
      const endpoint = yield* registered()
      const force = (url: string) => sql`update webhook_endpoints set url = ${url} where id = ${endpoint.endpoint_id}`
      for (const url of [other.inbox.url, `inbox:${other.inbox.id}`, `inbox:${endpoint.endpoint_id}`]) {
        yield* force(url)
        const { attempt } = yield* tested(endpoint)
        assert.deepStrictEqual([at(attempt, "error"), at(attempt, "status_code")], ["http_status", 404])
      }
      assert.deepStrictEqual(yield* taken(other.inbox), [])
      yield* force(`http://localhost:3000/v1/health`)
      assert.strictEqual(at((yield* tested(endpoint)).attempt, "error"), "address_not_allowed")
    }))

  it.effect("is forgotten with everything else when a student of the club is removed, and no other club's is", () =>
    Effect.gen(function*() {
      const [endpoint, other] = [yield* registered(), yield* registered()]
      yield* tested(endpoint)
      yield* tested(other)
      const student = yield* makeStudent(endpoint.club)
      const removed = yield* send("DELETE", `${endpoint.club.path}/students/${student.id}`, endpoint)
      assert.strictEqual(removed.status, 204, removed.text)
      assert.deepStrictEqual(yield* taken(endpoint.inbox), [])
      assert.strictEqual((yield* taken(other.inbox)).length, 1)
    }))
})

// Long enough for the inbox to keep the request first, even on a busy machine.
layer(testLayer({ WEBHOOK_ATTEMPT_TIMEOUT: "3 seconds" }), options)("An attempt at an inbox", (it) => {
  it.effect("ends at the deadline of every attempt where the inbox takes longer, and has come nevertheless", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered({ delay_ms: 20_000 })
      const { attempt } = yield* tested(endpoint)
      assert.deepStrictEqual([at(attempt, "error"), at(attempt, "status_code")], ["timeout", null])
      assert.isNotNull(at(attempt, "request_headers"))
      assert.strictEqual((yield* taken(endpoint.inbox)).length, 1)
    }))
})
