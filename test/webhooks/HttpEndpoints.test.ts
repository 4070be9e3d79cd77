import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { EventType } from "../../src/events/EventType.ts"
import { at, enrolledStudent, foundClub, listAt, outcome, send, tokenAs } from "../harness/App.ts"
import { clubOperations, type Listed, pathWith } from "../harness/Document.ts"
import { isAbout } from "../harness/Refusals.ts"
import {
  type Asking,
  create,
  fieldsOf,
  foundOnSaturday,
  idsIn,
  patch,
  publicUrl,
  read,
  register,
  type Registered,
  sendTest,
  setStatus,
  WebhooksLayer
} from "./Registering.ts"

const unknownId = "0190a000-0000-7000-8000-000000000001"
const message = (answer: { readonly json: unknown }) => String(at(answer.json, "error", "message"))

/** Every route of an endpoint. */
const routes = clubOperations.filter(({ path }) => path.includes("/webhook-endpoints/{endpointId}"))

/** A valid body of the route, so that only the id can cause a refusal. */
const bodyOf = ({ method, path }: Listed) => {
  const since = "2026-11-20T10:00:00Z"
  if (method === "PATCH") return { body: { status: path.endsWith("{recoveryId}") ? "canceled" : "paused" } }
  return method === "POST" && /\/recover(?:ies)?$/.test(path) ? { body: { since } } : {}
}

/** Adds a delivery and a recovery to the endpoint. */
const withHistory = Effect.fnUntraced(function*(endpoint: Registered) {
  const { path, token } = endpoint
  const tested = yield* sendTest(endpoint)
  const previewed = yield* send("POST", `${path}/recoveries`, { token, body: { since: "2026-11-20T10:00:00Z" } })
  return {
    ...endpoint,
    endpointId: endpoint.endpoint_id,
    deliveryId: String(at(tested.json, "data", "id")),
    recoveryId: String(at(previewed.json, "data", "id"))
  }
})

/** The endpoint, its deliveries and its recoveries, as a member with the right reads them. */
const historyOf = ({ path, token }: Asking) =>
  Effect.forEach(
    ["", "/deliveries", "/recoveries"],
    (part) =>
      Effect.map(send("GET", `${path}${part}`, { token }), ({ status, text }) => {
        assert.strictEqual(status, 200)
        return text
      })
  )

layer(WebhooksLayer)("Registering an endpoint", (it) => {
  it.effect("answers 201 with the endpoint and its secret", () =>
    Effect.gen(function*() {
      const club = yield* foundOnSaturday
      const answer = yield* create(club, { description: "CRM" })
      assert.strictEqual(answer.status, 201)
      const { id, secret, ...rest } = Object(at(answer.json, "data"))
      assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7/)
      assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
      assert.deepStrictEqual(rest, {
        kind: "https",
        inbox_id: null,
        url: publicUrl,
        description: "CRM",
        status: "enabled",
        event_types: ["student.created"],
        notices: true,
        hold_until: null,
        disabled_reason: null,
        disabled_at: null,
        consecutive_failures: 0,
        last_success_at: null,
        last_failure_at: null,
        previous_secret_expires_at: null,
        listening_until: null,
        public_key: null,
        signing: "hmac",
        filter: null,
        header_names: [],
        max_per_second: null,
        max_in_flight: null,
        drain_rate: null,
        created_at: "2026-11-21T10:00:00.000Z",
        updated_at: "2026-11-21T10:00:00.000Z"
      })
    }))

  it.effect("shows the secret in no other answer, and stores it sealed", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const endpoint = yield* register(yield* foundOnSaturday)
      const answers = [
        yield* read(endpoint),
        yield* send("GET", `${endpoint.club.path}/webhook-endpoints`, endpoint),
        yield* patch(endpoint, { description: "b" })
      ]
      for (const { status, text } of answers) {
        assert.strictEqual(status, 200)
        assert.notInclude(text, "secret\"")
        assert.notInclude(text, endpoint.secret)
      }
      const [row] = yield* sql<{ secret: Uint8Array }>`
        select secret from webhook_endpoints where id = ${endpoint.endpoint_id}`
      const plain = Buffer.from(endpoint.secret.slice("whsec_".length), "base64")
      assert.strictEqual(plain.length, 32)
      assert.strictEqual(Buffer.from(row?.secret ?? []).indexOf(plain), -1)
    }))

  it.effect("is not to be cached, and neither is a rotation", () =>
    Effect.gen(function*() {
      const club = yield* foundOnSaturday
      const answer = yield* create(club)
      assert.strictEqual(answer.headers["cache-control"], "no-store")
      const path = `${club.path}/webhook-endpoints/${String(at(answer.json, "data", "id"))}/rotate-secret`
      assert.strictEqual((yield* send("POST", path, club)).headers["cache-control"], "no-store")
    }))

  it.effect("is enabled and has no description unless said otherwise", () =>
    Effect.gen(function*() {
      const club = yield* foundOnSaturday
      assert.deepStrictEqual(fieldsOf(yield* create(club), "status", "description"), {
        status: "enabled",
        description: ""
      })
      assert.deepStrictEqual(fieldsOf(yield* create(club, { status: "paused" }), "status"), { status: "paused" })
    }))

  it.effect("stores the address as it was parsed, and every type of the catalog as it was sent", () =>
    Effect.gen(function*() {
      const club = yield* foundOnSaturday
      const event_types = EventType.literals.toReversed()
      const answer = yield* create(club, { url: "HTTPS://93.184.215.14:443/a/../hooks", event_types })
      assert.deepStrictEqual(fieldsOf(answer, "url", "event_types"), { url: publicUrl, event_types })
    }))

  it.effect("happens once for a request that is repeated with its Idempotency-Key", () =>
    Effect.gen(function*() {
      const club = yield* foundOnSaturday
      const once = { "idempotency-key": "crm" }
      const [first, second] = [yield* create(club, {}, once), yield* create(club, {}, once)]
      assert.deepStrictEqual([second.status, second.text], [201, first.text])
      assert.lengthOf(idsIn(yield* send("GET", `${club.path}/webhook-endpoints`, club)), 1)
    }))

  it.effect.each([
    ["url_not_https", { url: "http://93.184.215.14/" }],
    ["url_not_https", { url: "nonsense" }],
    ["url_not_https", { url: "" }],
    ["url_not_public", { url: "https://127.0.0.1/" }],
    ["url_not_public", { url: "https://localhost/" }],
    ["url_not_public", { url: "https://turma.internal/" }],
    ["event_type_unknown", { event_types: ["student.created", "*"] }],
    ["event_type_unknown", { event_types: ["student"] }],
    ["event_type_unknown", { event_types: ["Student.created"] }],
    ["event_type_unknown", { url: "nonsense", event_types: ["*"] }]
  ])("is refused with %s: %j", ([code, body]) =>
    Effect.gen(function*() {
      const club = yield* foundOnSaturday
      assert.deepStrictEqual(outcome(yield* create(club, body)), [422, code])
      assert.isEmpty(idsIn(yield* send("GET", `${club.path}/webhook-endpoints`, club)))
    }))

  it.effect.each([
    ["student.*", ""],
    ["student.create", "; did you mean `student.created`?"],
    ["Subscription.PastDue", "; did you mean `subscription.past_due`?"],
    ["student.\u202Ecreated", "; did you mean `student.created`?"]
  ] as const)("says which type is unknown, and which is nearest: %j", ([name, meant]) =>
    Effect.gen(function*() {
      const answer = yield* create(yield* foundOnSaturday, { event_types: ["student.created", name] })
      const shown = name.replace("\u202E", "\uFFFD")
      assert.strictEqual(
        message(answer),
        `event_types[1] must be a type that GET /webhook-event-types lists, and \`${shown}\` is not${meant}`
      )
    }))

  it.effect.each([
    ["url", { url: null }],
    ["url", { url: ["https://93.184.215.14/"] }],
    ["event_types", { event_types: [] }],
    ["event_types", { event_types: null }],
    ["event_types", { event_types: "student.created" }],
    ["event_types", { event_types: ["student.created", "student.created"] }],
    ["event_types[0]", { event_types: [1] }],
    ["description", { description: "a".repeat(501) }],
    ["description", { description: null }],
    ["status", { status: "disabled" }],
    ["secret", { secret: "whsec_" }]
  ])("is refused with a wrong %s: %j", ([field, body]) =>
    Effect.gen(function*() {
      const answer = yield* create(yield* foundOnSaturday, body)
      assert.deepStrictEqual(outcome(answer), [422, "validation_failed"])
      assert.isTrue(isAbout(message(answer), field), answer.text)
    }))
})

layer(WebhooksLayer)("Endpoints", (it) => {
  it.effect("are listed oldest first, page by page", () =>
    Effect.gen(function*() {
      const club = yield* foundOnSaturday
      const made = [yield* register(club), yield* register(club), yield* register(club)]
      const page = (query: string) => send("GET", `${club.path}/webhook-endpoints${query}`, club)
      const ids = made.map(({ endpoint_id }) => endpoint_id)
      assert.deepStrictEqual(idsIn(yield* page("")), ids)
      const first = yield* page("?limit=2")
      const second = yield* page(`?limit=2&cursor=${String(at(first.json, "next_cursor"))}`)
      assert.deepStrictEqual([idsIn(first), idsIn(second)], [ids.slice(0, 2), ids.slice(2)])
      assert.isNull(at(second.json, "next_cursor"))
      assert.deepStrictEqual(outcome(yield* page("?cursor=x")), [400, "invalid_cursor"])
    }))

  it.effect("are read one by one as they are listed", () =>
    Effect.gen(function*() {
      const endpoint = yield* register(yield* foundOnSaturday)
      const listed = yield* send("GET", `${endpoint.club.path}/webhook-endpoints`, endpoint)
      assert.deepStrictEqual(at((yield* read(endpoint)).json, "data"), listAt(listed.json, "data")[0])
    }))

  it.effect("of another club, unknown, deleted or malformed are answered alike on every route", () =>
    Effect.gen(function*() {
      const [club, other] = [yield* foundOnSaturday, yield* foundOnSaturday]
      const [foreign, deleted] = [yield* withHistory(yield* register(other)), yield* withHistory(yield* register(club))]
      yield* send("DELETE", deleted.path, deleted)
      const unknown = { deliveryId: unknownId, recoveryId: unknownId }
      const named = [foreign, deleted, { endpointId: unknownId, ...unknown }, { endpointId: "malformed", ...unknown }]
      const before = yield* historyOf(foreign)
      for (const { deliveryId, endpointId, recoveryId } of named) {
        for (const route of routes) {
          const path = pathWith(route, { clubId: club.organization_id, deliveryId, endpointId, recoveryId }, unknownId)
          const answer = yield* send(route.method, path, { token: club.token, ...bodyOf(route) })
          assert.deepStrictEqual(outcome(answer), [404, "not_found"], `${route.name}: ${endpointId}`)
        }
      }
      assert.deepStrictEqual(yield* historyOf(foreign), before)
    }))

  it.effect("are for owners and admins alone", () =>
    Effect.gen(function*() {
      const club = yield* foundOnSaturday
      const endpoint = yield* register(club)
      const student = yield* enrolledStudent(club)
      for (const role of ["editor", "support", "viewer"] as const) {
        const token = yield* tokenAs(club, role)
        const answers = [
          yield* send("GET", `${club.path}/webhook-event-types`, { token }),
          yield* send("GET", `${club.path}/webhook-endpoints`, { token }),
          yield* create({ ...club, token }),
          yield* read({ ...endpoint, token }),
          yield* setStatus({ ...endpoint, token }, "paused"),
          yield* send("GET", `${endpoint.path}/deliveries`, { token }),
          yield* send("GET", `${club.path}/webhook-events/${unknownId}`, { token })
        ]
        assert.deepStrictEqual(answers.map(outcome), answers.map(() => [403, "forbidden"]), role)
      }
      assert.deepStrictEqual(outcome(yield* read({ ...endpoint, token: student.token })), [401, "unauthenticated"])
      assert.strictEqual((yield* read({ ...endpoint, token: yield* tokenAs(club, "admin") })).status, 200)
    }))

  it.effect("can be sent 16 types, each with a description, a JSON Schema and an example", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const { json } = yield* send("GET", `${club.path}/webhook-event-types`, club)
      const types = listAt(json, "data")
      assert.deepStrictEqual<ReadonlyArray<unknown>>(types.map((type) => at(type, "type")), EventType.literals)
      for (const type of types) {
        assert.sameMembers(Object.keys(Object(type)), ["type", "description", "schema", "example"])
        assert.strictEqual(at(type, "example", "type"), at(type, "type"))
        assert.strictEqual(at(type, "schema", "type"), "object")
      }
      assert.isNull(at(json, "next_cursor"))
    }))
})
