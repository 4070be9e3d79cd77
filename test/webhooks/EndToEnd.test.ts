import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer, Logger, Option, Struct } from "effect"
import { createHash, verify } from "node:crypto"
import { Webhook } from "standardwebhooks"
import { Webhook as SvixWebhook } from "svix"
import { StudentAccounts } from "../../src/membership/students/StudentAccounts.ts"
import { Email } from "../../src/platform/http/Text.ts"
import { parsePublicKey } from "../../src/webhooks/send/SigningKey.ts"
import { WebhookWorkersLayer } from "../../src/webhooks/WebhookWorkers.ts"
import { appLayer, at, configLayer, foundClub, listAt, send } from "../harness/App.ts"
import { eventually } from "../harness/Eventually.ts"
import { type ReceivedRequest, startReceiver } from "../harness/Receiver.ts"
import { caFile, testCa } from "../harness/Tls.ts"

const ca = testCa()

// The whole path in real time: API, PostgreSQL, workers and TLS, as in a process with ROLE=all.
const TestLayer = Layer.unwrap(Effect.map(caFile(ca), (file) => {
  const variables = {
    WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8",
    WEBHOOK_EXTRA_CA_FILE: file,
    WEBHOOK_ASSEMBLE_DELAY: "10 millis",
    // A retry by the clock would come beside the one that a person asks for.
    WEBHOOK_RETRY_SCHEDULE: "20 days"
  }
  return Layer.merge(WebhookWorkersLayer, StudentAccounts.layer).pipe(
    Layer.provideMerge(appLayer(variables)),
    Layer.provide(configLayer(variables)),
    Layer.provide(Logger.layer([]))
  )
}))

/** A club with an endpoint at its own receiver. */
const registered = Effect.fn("registered")(function*(event_types: ReadonlyArray<string> = ["student.created"]) {
  const receiver = yield* startReceiver({ ca, server: { keepAliveTimeout: 60_000 } })
  const club = yield* foundClub()
  const { json } = yield* send("POST", `${club.path}/webhook-endpoints`, {
    token: club.token,
    body: { url: receiver.url, event_types }
  })
  const endpoint = `${club.path}/webhook-endpoints/${String(at(json, "data", "id"))}`
  return { club, receiver, endpoint, secret: String(at(json, "data", "secret")) }
})

const verifiers = [
  (secret: string, { body, headers }: ReceivedRequest) => void new Webhook(secret).verify(body, { ...headers }),
  (secret: string, { body, headers }: ReceivedRequest) => void new SvixWebhook(secret).verify(body, { ...headers })
]

const signedHeaders = ["content-type", "user-agent", "webhook-id", "webhook-timestamp", "webhook-signature"]

/** The body of the request. Both official libraries check it first, and throw if they do not trust it. */
const trusted = (secret: string, request: ReceivedRequest): unknown => {
  for (const verify of verifiers) verify(secret, request)
  return JSON.parse(`${request.body}`)
}

layer(TestLayer, { excludeTestServices: true })("a webhook", (it) => {
  it.effect("of the test button reaches its receiver, and both official libraries trust it", () =>
    Effect.gen(function*() {
      const { club, endpoint, receiver, secret } = yield* registered()
      const tested = yield* send("POST", `${endpoint}/test`, { token: club.token })
      assert.strictEqual(tested.status, 202)
      const request = yield* receiver.next
      const envelope = trusted(secret, request)
      assert.strictEqual(at(envelope, "type"), "webhook.test")
      assert.strictEqual(at(envelope, "id"), request.headers["webhook-id"])
      assert.strictEqual(at(envelope, "club_id"), club.organization_id)
      assert.throws(() => trusted(secret, { ...request, body: Buffer.from("{}") }))
      const path = `${endpoint}/deliveries/${String(at(tested.json, "data", "id"))}`
      const { json } = yield* eventually(
        send("GET", path, { token: club.token }),
        ({ json }) => at(json, "data", "status") === "succeeded"
      )
      assert.strictEqual(at(json, "data", "attempts", 0, "status_code"), 204)
      assert.strictEqual(at(json, "data", "attempts", 0, "trigger"), "test")
    }))

  it.effect("shows each attempt with its phases, its peer, its headers as they were sent, and the hash of what was signed", () =>
    Effect.gen(function*() {
      const { club, endpoint, receiver, secret } = yield* registered()
      const test = Effect.gen(function*() {
        const tested = yield* send("POST", `${endpoint}/test`, { token: club.token })
        const path = `${endpoint}/deliveries/${String(at(tested.json, "data", "id"))}`
        const { json } = yield* eventually(
          send("GET", path, { token: club.token }),
          ({ json }) => at(json, "data", "status") === "succeeded"
        )
        const attempt = at(json, "data", "attempts", 0)
        const { body, headers } = yield* receiver.next
        const signed = Struct.pick(headers, signedHeaders)
        assert.deepStrictEqual(at(attempt, "request_headers"), signed)
        const phases: Record<string, unknown> = Object(at(attempt, "phases"))
        const present = Object.keys(phases).filter((name) => phases[name] !== null)
        assert.deepInclude(Object(attempt), {
          body_sha256: createHash("sha256").update(body).digest("hex"),
          peer_address: "127.0.0.1",
          tls_version: "TLSv1.3"
        })
        assert.match(String(at(attempt, "certificate_ends_at")), /^20\d\d-/)
        return { body, signed, present, reused: at(attempt, "connection_reused") }
      })
      const first = yield* test
      assert.deepStrictEqual([first.reused, first.present], [
        false,
        ["connect_ms", "tls_ms", "send_ms", "wait_ms", "read_ms"]
      ])
      const rotated = yield* send("POST", `${endpoint}/rotate-secret`, { token: club.token })
      const second = yield* test
      assert.deepStrictEqual([second.reused, second.present], [true, ["send_ms", "wait_ms", "read_ms"]])
      assert.lengthOf(String(second.signed["webhook-signature"]).split(" "), 2)
      for (const one of [secret, String(at(rotated.json, "data", "secret"))]) {
        for (const verifier of [new Webhook(one), new SvixWebhook(one)]) verifier.verify(second.body, second.signed)
      }
    }))

  it.effect("that is signed both ways is trusted by both official libraries, and by whoever has the public key alone", () =>
    Effect.gen(function*() {
      const { club, endpoint, receiver, secret } = yield* registered()
      const changed = yield* send("PATCH", endpoint, { token: club.token, body: { signing: "both" } })
      const publicKey = Option.getOrThrow(parsePublicKey(String(at(changed.json, "data", "public_key"))))
      yield* send("POST", `${endpoint}/test`, { token: club.token })
      const request = yield* receiver.next
      trusted(secret, request)
      const { body, headers } = request
      const [first = "", second = ""] = String(headers["webhook-signature"]).split(" ")
      assert.match(first, /^v1,/)
      assert.match(second, /^v1a,/)
      const signed = Buffer.concat([Buffer.from(`${headers["webhook-id"]}.${headers["webhook-timestamp"]}.`), body])
      const signature = Buffer.from(second.slice("v1a,".length), "base64")
      assert.isTrue(verify(null, signed, publicKey, signature))
      assert.isFalse(verify(null, Buffer.concat([signed, Buffer.from(" ")]), publicKey, signature))
    }))

  it.effect("tells of a student who was born, without anything but the contract's fields", () =>
    Effect.gen(function*() {
      const { club, receiver, secret } = yield* registered()
      const students = yield* StudentAccounts
      yield* students.register(club.id, {
        email: Email.make("bia@student.example"),
        name: "Bia Lima",
        password_hash: "unusable",
        verified_at: yield* DateTime.now
      })
      const request = yield* receiver.next
      const envelope = trusted(secret, request)
      assert.deepStrictEqual(Object.keys(Object(envelope)), ["id", "type", "occurred_at", "club_id", "data"])
      assert.strictEqual(at(envelope, "data", "student", "email"), "bia@student.example")
      assert.strictEqual(at(envelope, "data", "origin"), "sign_up")
      assert.notInclude(`${request.body}`, "document")
      const found = yield* send("GET", `${club.path}/webhook-events/${String(at(envelope, "id"))}`, {
        token: club.token
      })
      assert.strictEqual(listAt(found.json, "data", "deliveries").length, 1)
    }))

  it.effect("that failed is sent again when somebody asks for it", () =>
    Effect.gen(function*() {
      const { club, endpoint, receiver } = yield* registered()
      receiver.answerWith({ status: 500, body: "out of order" })
      const tested = yield* send("POST", `${endpoint}/test`, { token: club.token })
      const path = `${endpoint}/deliveries/${String(at(tested.json, "data", "id"))}`
      const first = yield* eventually(
        send("GET", path, { token: club.token }),
        ({ json }) => at(json, "data", "attempts_count") === 1
      )
      assert.strictEqual(at(first.json, "data", "status"), "pending")
      assert.strictEqual(at(first.json, "data", "attempts", 0, "response_body"), "out of order")
      receiver.answerWith({ status: 200 })
      assert.strictEqual((yield* send("POST", `${path}/resend`, { token: club.token })).status, 202)
      yield* eventually(
        send("GET", path, { token: club.token }),
        ({ json }) => at(json, "data", "status") === "succeeded"
      )
      assert.strictEqual(receiver.requests.length, 2)
      assert.strictEqual(receiver.requests[0]?.headers["webhook-id"], receiver.requests[1]?.headers["webhook-id"])
    }))

  it.effect("to an address that is not public is refused when the endpoint is registered", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const refused = yield* send("POST", `${club.path}/webhook-endpoints`, {
        token: club.token,
        body: { url: "https://10.0.0.1/", event_types: ["student.created"] }
      })
      assert.deepStrictEqual([refused.status, at(refused.json, "error", "code")], [422, "url_not_public"])
    }))
})
