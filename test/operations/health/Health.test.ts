import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Redacted, Schedule } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { countInbound } from "../../../src/commerce/sales/inbound/InboundGauges.ts"
import { Events } from "../../../src/events/Events.ts"
import { Health } from "../../../src/operations/health/Health.ts"
import { Mailer } from "../../../src/platform/mail/Mailer.ts"
import { Partitions } from "../../../src/platform/sql/Partitions.ts"
import { openHook, sale, storeSales } from "../../commerce/sales/inbound/Hooks.ts"
import { AppLayer, at, foundClub, listAt, send } from "../../harness/App.ts"
import { Mailbox } from "../../harness/Mailbox.ts"
import { makeClub, makeStudent } from "../../harness/Makers.ts"
import { startOwnPostgres } from "../../harness/OwnPostgres.ts"
import { startRedis } from "../../harness/Redis.ts"
import { type Answer, ask, startApi } from "../../harness/Turma.ts"
import { makeDelivery, makeEndpoint } from "../../harness/Webhooks.ts"

const key = Buffer.alloc(32, 7).toString("base64")

const TestLayer = Layer.mergeAll(NodeServices.layer, SecureRandom.layerWebCrypto)

/** Asks until readiness has this status. The service takes a moment to notice a stop or a start. */
const until = (url: string, status: string): Effect.Effect<Answer> =>
  ask(`${url}/v1/health/ready`).pipe(Effect.repeat({
    until: ({ text }) => text.includes(`"status":"${status}"`),
    schedule: Schedule.spaced("100 millis")
  }))

type Check = "ok" | "failing"

const readiness = (status: string, database: Check, limiter: Check, queue: Check, others: Check = "ok") => ({
  data: { status, checks: { database, limiter, queue, clock: others, seals: others } }
})

layer(TestLayer, { excludeTestServices: true })("A running service", (it) => {
  it.effect("serves on, degraded, while Redis is stopped, and is unavailable, yet alive, while its database is", () =>
    Effect.gen(function*() {
      const postgres = yield* startOwnPostgres
      const redis = yield* startRedis()
      const env = { DATABASE_URL: Redacted.value(postgres.url), REDIS_URL: redis.url, APP_SECRET_KEY: key }
      const { url } = yield* startApi({ env })
      const ready = yield* until(url, "ready")
      assert.deepStrictEqual([ready.status, ready.json], [200, readiness("ready", "ok", "ok", "ok")])

      yield* redis.stop
      const degraded = yield* until(url, "degraded")
      assert.deepStrictEqual([degraded.status, degraded.json], [200, readiness("degraded", "ok", "failing", "ok")])
      yield* startRedis({ port: redis.port })
      assert.strictEqual((yield* until(url, "ready")).status, 200)

      yield* postgres.stop
      const down = yield* until(url, "unavailable")
      assert.deepStrictEqual([down.status, down.json], [
        503,
        readiness("unavailable", "failing", "ok", "failing", "failing")
      ])
      const alive = yield* ask(`${url}/v1/health`)
      assert.deepStrictEqual([alive.status, alive.json], [200, { data: { status: "ok", version: "0.3.0" } }])
      const failed = yield* ask(`${url}/v1/me`, { headers: { authorization: `Bearer ${"a".repeat(43)}` } })
      assert.strictEqual(failed.status, 503)
      assert.deepStrictEqual(failed.json, {
        error: { code: "temporarily_unavailable", message: "The service is busy: try again in a moment" }
      })
      yield* postgres.start
      assert.strictEqual((yield* until(url, "ready")).status, 200)
    }))
})

layer(AppLayer)("Readiness", (it) => {
  it.effect("is degraded when a mail has waited for five minutes", () =>
    Effect.gen(function*() {
      const mailer = yield* Mailer
      yield* mailer.enqueue({ recipient: "ana@user.example", subject: "Hi", text: "Hi", html: "<p>Hi</p>" })
      yield* TestClock.adjust("299 seconds")
      assert.strictEqual(at((yield* send("GET", "/v1/health/ready")).json, "data", "status"), "ready")
      yield* TestClock.adjust("1 second")
      const answer = yield* send("GET", "/v1/health/ready")
      assert.deepStrictEqual([answer.status, answer.json], [200, readiness("degraded", "ok", "ok", "failing")])
    }))

  it.effect("is degraded when nobody has worked off a sign-up for five minutes", () =>
    Effect.gen(function*() {
      const body = { name: "Ana", email: "ana.waits@user.example", password: "violao e voz" }
      assert.strictEqual((yield* send("POST", "/v1/auth/admin/sign-up", { body })).status, 202)
      yield* TestClock.adjust("300 seconds")
      assert.strictEqual(at((yield* send("GET", "/v1/health/ready")).json, "data", "checks", "queue"), "failing")
      yield* (yield* Mailbox).deliver
      assert.strictEqual(at((yield* send("GET", "/v1/health/ready")).json, "data", "status"), "ready")
    }))

  it.effect("is degraded when nobody has sent a due webhook for five minutes", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const endpoint = yield* makeEndpoint(yield* makeClub())
      yield* makeDelivery(endpoint)
      yield* TestClock.adjust("299 seconds")
      assert.strictEqual(at((yield* send("GET", "/v1/health/ready")).json, "data", "status"), "ready")
      yield* TestClock.adjust("1 seconds")
      assert.strictEqual(at((yield* send("GET", "/v1/health/ready")).json, "data", "checks", "queue"), "failing")
      yield* sql`update webhook_lanes set due_at = null where endpoint_id = ${endpoint.id}`
      assert.strictEqual(at((yield* send("GET", "/v1/health/ready")).json, "data", "status"), "ready")
    }).pipe(Effect.provide(Partitions.layer)))

  it.effect("is degraded for five minutes after a seal did not open, and the endpoint's diagnosis says so", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const club = yield* foundClub()
      const endpoint = yield* makeEndpoint(club)
      const { path, token } = club
      const summary = Effect.map(
        send("GET", `${path}/webhook-endpoints/${endpoint.id}/diagnosis`, { token }),
        ({ json }) => at(json, "data", "summary")
      )
      const seals = Effect.map(send("GET", "/v1/health/ready"), ({ json, status }) => [
        status,
        at(json, "data", "status"),
        at(json, "data", "checks", "seals")
      ])
      assert.strictEqual(yield* summary, "Delivering; no deliveries wait.")
      assert.deepStrictEqual(yield* seals, [200, "ready", "ok"])
      yield* sql`update webhook_endpoints set secret = set_byte(secret, 40, 255 - get_byte(secret, 40)) where id = ${endpoint.id}`
      const broken =
        "Not delivering: the service's keys do not open the endpoint's secrets; the operator has to correct " +
        "APP_SECRET_KEY; no deliveries wait."
      assert.strictEqual(yield* summary, broken)
      const all = yield* send("GET", `${path}/webhook-endpoints/diagnoses`, { token })
      assert.strictEqual(at(all.json, "data", 0, "diagnosis", "summary"), broken)
      assert.deepStrictEqual(yield* seals, [200, "degraded", "failing"])
      yield* TestClock.adjust("300 seconds")
      assert.deepStrictEqual(yield* seals, [200, "ready", "ok"])
    }))

  it.effect("is found out once for all who ask at the same time", () =>
    Effect.gen(function*() {
      const { readiness } = yield* Health
      const asking = Array.from({ length: 20 }, () => readiness)
      assert.strictEqual(new Set(yield* Effect.all(asking, { concurrency: "unbounded" })).size, 1)
      assert.notStrictEqual(yield* readiness, yield* readiness)
    }).pipe(Effect.provide(Health.layer)))

  it.effect("is said in the diagnosis of a replaced secret too, for as long as that signs", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const club = yield* foundClub()
      const endpoint = yield* makeEndpoint(club)
      const { path, token } = club
      const page = `${path}/webhook-endpoints/${endpoint.id}`
      const advice = Effect.map(
        send("GET", `${page}/diagnosis`, { token }),
        ({ json }) => listAt(json, "data", "advice").map((one) => at(one, "about"))
      )
      assert.strictEqual((yield* send("POST", `${page}/rotate-secret`, { token })).status, 200)
      assert.deepStrictEqual(yield* advice, ["secret_ends"])
      yield* sql`
        update webhook_previous_secrets set secret = set_byte(secret, 40, 255 - get_byte(secret, 40))
        where endpoint_id = ${endpoint.id}`
      assert.deepStrictEqual(yield* advice, ["secrets_unreadable", "secret_ends"])
      yield* TestClock.adjust("24 hours")
      assert.deepStrictEqual(yield* advice, [])
    }))

  it.effect("is degraded when nobody has processed a sale for five minutes", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const hook = yield* openHook()
      yield* storeSales(hook, [sale()])
      yield* TestClock.adjust("299 seconds")
      assert.strictEqual(at((yield* send("GET", "/v1/health/ready")).json, "data", "status"), "ready")
      yield* TestClock.adjust("1 seconds")
      assert.strictEqual(at((yield* send("GET", "/v1/health/ready")).json, "data", "checks", "queue"), "failing")
      assert.strictEqual(yield* countInbound(), 300)
      yield* sql`delete from inbound_events where club_id = ${hook.id}`
      assert.strictEqual(at((yield* send("GET", "/v1/health/ready")).json, "data", "status"), "ready")
    }))

  it.effect("is degraded when nobody has assembled an event for five minutes", () =>
    Effect.gen(function*() {
      const club = yield* makeClub()
      const student = yield* makeStudent(club)
      yield* (yield* Events).record(club.id, { type: "student.updated", student_id: student.id, changed: ["name"] })
      yield* TestClock.adjust("301 seconds")
      assert.strictEqual(at((yield* send("GET", "/v1/health/ready")).json, "data", "status"), "ready")
      yield* TestClock.adjust("1 seconds")
      assert.strictEqual(at((yield* send("GET", "/v1/health/ready")).json, "data", "checks", "queue"), "failing")
    }))
})
