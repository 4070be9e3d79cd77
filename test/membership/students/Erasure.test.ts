import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { SqlClient } from "effect/sql"
import { SalesWorkersLayer } from "../../../src/commerce/sales/SalesWorkers.ts"
import { WebhookWorkersLayer } from "../../../src/webhooks/WebhookWorkers.ts"
import { appLayer, at, configLayer, foundClub, listAt, outcome, send } from "../../harness/App.ts"
import { eventually } from "../../harness/Eventually.ts"
import { Mailbox } from "../../harness/Mailbox.ts"
import { makeCatalogDelivery } from "../../harness/Makers.ts"
import { PostgresLayer } from "../../harness/Postgres.ts"
import { startReceiver } from "../../harness/Receiver.ts"
import { caFile, testCa } from "../../harness/Tls.ts"
import { access, confirm, signIn, signUp, studentsOf } from "../accounts/People.ts"
import { nobodys, person, sealed } from "./Columns.ts"
import { bodiesIn, feedOf, makeHeardInbox, makeWaiting, recoverSlowly, signaturesOf } from "./ReachedByWebhooks.ts"
import { columns, whereIs } from "./Whereabouts.ts"

// Contract, Delivery behavior 9, in real time with real workers: no trace of a removed person remains.

const ca = testCa()

const TestLayer = Layer.unwrap(Effect.map(caFile(ca), (file) => {
  const variables = {
    WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8",
    WEBHOOK_EXTRA_CA_FILE: file,
    WEBHOOK_ASSEMBLE_DELAY: "10 millis"
  }
  return Layer.merge(WebhookWorkersLayer, SalesWorkersLayer).pipe(
    Layer.provideMerge(appLayer(variables)),
    Layer.provide(configLayer(variables)),
    Layer.provide(Logger.layer([]))
  )
}))

const zulmira = { name: "Zulmira Quixadá", email: "zulmira.q@pessoa.example", document: "529.982.247-25" }
const words = ["zulmira", "quixad", "pessoa.example", "529.982.247-25", "52998224725"]

const everyType = (json: unknown) => listAt(json, "data").map((type) => String(at(type, "type")))

/** A club whose receiver answers with the body that it gets, and a person who has used every feature. */
const lived = Effect.gen(function*() {
  const mailbox = yield* Mailbox
  const receiver = yield* startReceiver({ ca, answer: ({ body }) => ({ status: 200, body }) })
  const club = yield* foundClub()
  const { token } = club
  const post = (path: string, body: unknown) => send("POST", `${club.path}${path}`, { token, body })
  const types = yield* send("GET", `${club.path}/webhook-event-types`, { token })
  const event_types = everyType(types.json)
  const registered = yield* post("/webhook-endpoints", { url: receiver.url, event_types, signing: "both" })
  const inbox = yield* makeHeardInbox(club, event_types)
  const waiting = yield* makeWaiting(club, event_types, ca)
  const endpoint = `${club.path}/webhook-endpoints/${at(registered.json, "data", "id")}`
  const delivery = yield* makeCatalogDelivery(club)

  const side = studentsOf(club)
  const credentials = { name: zulmira.name, email: zulmira.email }
  yield* signUp(side, credentials)
  yield* confirm(side, yield* mailbox.secret(zulmira.email))
  yield* signIn(side, zulmira.email)
  yield* signUp(side, credentials)
  const { json } = yield* send("GET", `${club.path}/students?search=zulmira`, { token })
  const path = `/students/${at(json, "data", 0, "id")}`
  yield* send("PATCH", `${club.path}${path}`, { token, body: { name: "Zulmira Q.", document: zulmira.document } })
  yield* post(`${path}/points`, { points: 7, reason: "Zulmira helped" })
  const granted = yield* post(`${path}/grants`, { delivery_id: delivery.id, reason: "Zulmira asked" })
  yield* post(`/enrollments/${at(granted.json, "data", "id")}/revoke`, { reason: "Zulmira asked again" })
  yield* post("/students/imports", { rows: [{ name: zulmira.name, email: zulmira.email }] })

  yield* post("/product-mappings", { platform: "generic", external_product_id: "p1", delivery_id: delivery.id })
  const hook = yield* post("/inbound-webhooks", { platform: "generic", token_only: true })
  const sale = {
    type: "purchase.approved",
    occurred_at: "2026-01-02T03:04:05Z",
    customer: zulmira,
    product: { id: "p1" },
    purchase: { id: "c1", amount_cents: 100, currency: "BRL" }
  }
  const sold = yield* send("POST", new URL(String(at(hook.json, "data", "url"))).pathname, { body: sale })
  assert.strictEqual(sold.status, 200)
  const student_id = path.split("/").at(-1) ?? ""
  return { club, delivery, endpoint, inbox, path: `${club.path}${path}`, receiver, side, student_id, waiting }
})

type Lived = Effect.Success<typeof lived>

const deliveries = Effect.fnUntraced(function*({ club, endpoint }: Lived) {
  const { json } = yield* send("GET", `${endpoint}/deliveries?limit=100`, { token: club.token })
  return listAt(json, "data")
})

const hasType = (type: string, status: string) => (all: ReadonlyArray<unknown>) =>
  all.some((one) => at(one, "event_type") === type && at(one, "status") === status)

layer(TestLayer, { excludeTestServices: true })("A person who is removed", (it) => {
  it.effect("is in no row of any table any more, but was in many", () =>
    Effect.gen(function*() {
      const life = yield* lived
      const { club, inbox, path, receiver, side, student_id, waiting } = life
      yield* eventually(deliveries(life), hasType("purchase.paid", "succeeded"))
      yield* eventually(deliveries(life), hasType("access.revoked", "succeeded"))
      // The receiver refuses all deliveries from now on.
      receiver.answerWith(({ body }) => ({ status: 500, body }))
      yield* send("PATCH", path, { token: club.token, body: { name: zulmira.name } })
      yield* eventually(
        deliveries(life),
        (all) => all.some((one) => at(one, "status") === "pending" && at(one, "attempts_count") === 1)
      )
      yield* access(side, zulmira.email)

      yield* eventually(bodiesIn(inbox), (bodies) => bodies.some((body) => body.includes(zulmira.name)))
      assert.include((yield* feedOf(club, student_id)).text, zulmira.name)
      assert.match((yield* signaturesOf(student_id)).join(" "), /v1,.*v1a,/)

      const found = yield* whereIs(...words)
      assert.deepStrictEqual(found.filter((column) => sealed.includes(column)), [])
      assert.includeMembers(found, [
        "access_events.reason",
        "credential_requests.email",
        "point_entries.reason",
        "sign_ups.email",
        "sign_ups.name",
        "students.email",
        "students.name",
        "students.search",
        "webhook_attempts.response_body",
        "webhook_messages.body"
      ])
      // Seven deliveries wait. The recovery sends one each second, and the last must still wait.
      const recovery = yield* recoverSlowly(waiting)
      const before = yield* deliveries(life)
      assert.strictEqual((yield* send("DELETE", path, { token: club.token })).status, 204)
      assert.deepStrictEqual(yield* whereIs(...words), [])
      assert.deepStrictEqual(yield* signaturesOf(student_id), [])
      const { events } = yield* feedOf(club, student_id)
      const told = events.filter((event) => at(event, "type") !== "student.removed")
      assert.isAbove(told.length, 4)
      for (const event of told) {
        assert.deepStrictEqual([at(event, "payload"), at(event, "payload_purged")], [null, true])
      }
      for (const body of yield* bodiesIn(inbox)) assert.strictEqual(at(JSON.parse(body), "type"), "student.removed")
      const ended = yield* eventually(recovery.read, (one) => at(one, "progress", "remaining") === 0)
      const [moved, skipped] = [Number(at(ended, "progress", "moved")), Number(at(ended, "progress", "skipped"))]
      assert.isAbove(skipped, 0)
      assert.strictEqual(moved + skipped, at(ended, "preview", "total"))
      const late = yield* Effect.sync(() => recovery.receiver.requests.map(({ body }) => JSON.parse(`${body}`)))
      const recovered = late.filter((envelope) => at(envelope, "type") !== "student.removed")
      assert.isAtMost(recovered.length, moved)

      const after = new Map((yield* deliveries(life)).map((one) => [at(one, "id"), one]))
      for (const one of before) {
        const now = after.get(at(one, "id"))
        const unsent = at(one, "status") === "pending"
        assert.isTrue(at(now, "payload_purged"))
        assert.strictEqual(at(now, "status"), unsent ? "canceled" : at(one, "status"))
        assert.strictEqual(at(now, "cancel_reason"), unsent ? "student_removed" : at(one, "cancel_reason"))
      }
      assert.isTrue(before.some((one) => at(one, "status") === "pending"))
      const { json } = yield* send("GET", `${path}/erasure`, { token: club.token })
      const counts = new Map(Object.entries(Object(at(json, "data", "counts"))))
      for (
        const what of [
          "bodies",
          "responses",
          "canceled",
          "sessions",
          "sign_ups",
          "access_reasons",
          "point_reasons",
          "inbound_bodies",
          "inbox_requests"
        ]
      ) {
        assert.isAbove(Number(counts.get(what)), 0, what)
      }
    }))

  it.effect("has one more event, with the id alone", () =>
    Effect.gen(function*() {
      const life = yield* lived
      const { club, delivery, path, receiver } = life
      yield* eventually(deliveries(life), hasType("purchase.paid", "succeeded"))
      yield* eventually(deliveries(life), hasType("access.revoked", "succeeded"))
      yield* send("DELETE", path, { token: club.token })
      yield* eventually(deliveries(life), hasType("student.removed", "succeeded"))
      const heard = yield* Effect.sync(() => receiver.requests.map(({ body }) => JSON.parse(`${body}`)))
      const told = heard.filter((envelope) => at(envelope, "type") === "student.removed")
      assert.deepStrictEqual(told.map((envelope) => at(envelope, "data")), [{
        student: { id: path.split("/").at(-1) }
      }])
      for (const envelope of heard) assert.notMatch(JSON.stringify(envelope), /529\.?982\.?247/)
      const grant = yield* send("POST", `${path}/grants`, { token: club.token, body: { delivery_id: delivery.id } })
      assert.deepStrictEqual(outcome(grant), [409, "student_removed"])
      assert.strictEqual((yield* deliveries(life)).length, heard.length)
    }))
})

layer(PostgresLayer)("The tables", (it) => {
  it.effect("have no column for text, JSON or bytes of which nobody has said whether a student may be in it", () =>
    Effect.gen(function*() {
      const found = (yield* columns).map(({ column, table }) => `${table}.${column}`)
      assert.deepStrictEqual(found.toSorted(), [...person, ...sealed, ...nobodys].toSorted())
    }))

  it.effect("would be found to have another", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* sql`alter table students add column nicknames varchar[], add column note jsonb, add column photo bytea`
      const found = (yield* columns).map(({ column, table }) => `${table}.${column}`)
      assert.includeMembers(found, ["students.nicknames", "students.note", "students.photo"])
    }))
})
