import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { AppLayer, appLayer, at, enrolledStudent, foundClub, outcome, send, tokenAs } from "../../harness/App.ts"

const unmanaged = {
  managed: false,
  portal_available: false,
  period_start: null,
  period_end: null,
  plan: null,
  addons: [],
  available_addons: [],
  resources: []
}

layer(AppLayer)("A club where there is no payment provider", (it) => {
  it.effect("has no plan, and nothing to add to one", () =>
    Effect.gen(function*() {
      const { path, token } = yield* foundClub()
      const { json, status } = yield* send("GET", `${path}/billing`, { token })
      assert.deepStrictEqual([status, json], [200, { data: unmanaged }])
    }))

  it.effect("can contract nothing, whether the catalog has it or not", () =>
    Effect.gen(function*() {
      const { path, token } = yield* foundClub()
      const contract = (body: unknown) => Effect.map(send("POST", `${path}/billing/addons`, { token, body }), outcome)
      assert.deepStrictEqual(yield* contract({ key: "assistant_pack" }), [409, "addon_unavailable"])
      assert.deepStrictEqual(yield* contract({ key: "nothing" }), [404, "addon_not_found"])
      for (const body of [{ key: "No key" }, { key: "" }, { key: 1 }, {}, { key: "assistant_pack", plan: "growth" }]) {
        assert.deepStrictEqual(yield* contract(body), [422, "validation_failed"])
      }
    }))

  it.effect("has nothing to remove, whether the catalog has it or not", () =>
    Effect.gen(function*() {
      const { path, token } = yield* foundClub()
      const remove = (key: string) => Effect.map(send("DELETE", `${path}/billing/addons/${key}`, { token }), outcome)
      assert.deepStrictEqual(yield* remove("assistant_pack"), [409, "addon_not_contracted"])
      for (const key of ["nothing", "No%20key", "%00", "constructor", "a".repeat(500)]) {
        assert.deepStrictEqual(yield* remove(key), [404, "addon_not_found"])
      }
    }))

  it.effect("has no invoices, and none coming up", () =>
    Effect.gen(function*() {
      const { path, token } = yield* foundClub()
      const { json, status } = yield* send("GET", `${path}/billing/invoices`, { token })
      assert.deepStrictEqual([status, json], [200, { data: [], next_cursor: null }])
      const bad = yield* send("GET", `${path}/billing/invoices?cursor=x`, { token })
      assert.deepStrictEqual(outcome(bad), [400, "invalid_cursor"])
      const upcoming = yield* send("GET", `${path}/billing/invoices/upcoming`, { token })
      assert.deepStrictEqual(outcome(upcoming), [404, "invoice_upcoming_none"])
    }))

  it.effect("has no portal: 501, in the envelope, and kept by nobody", () =>
    Effect.gen(function*() {
      const { path, token } = yield* foundClub()
      const { headers, json, status } = yield* send("POST", `${path}/billing/portal`, { token })
      assert.strictEqual(status, 501)
      assert.deepStrictEqual(json, {
        error: { code: "billing_portal_unavailable", message: "There is no billing portal for this club" }
      })
      assert.strictEqual(headers["cache-control"], "no-store")
    }))

  it.effect("has none whatever another provider has kept of it", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { id, path, token } = yield* foundClub()
      const now = new Date("2026-01-01T00:00:00Z")
      yield* sql`insert into billing_accounts ${
        sql.insert({
          club_id: id,
          provider: "local",
          plan_key: "starter",
          anchor: now,
          invoiced_until: now,
          created_at: now
        })
      }`
      assert.deepStrictEqual((yield* send("GET", `${path}/billing`, { token })).json, { data: unmanaged })
    }))
})

const calls = [
  ["POST", "addons", { key: "assistant_pack" }, 409],
  ["DELETE", "addons/assistant_pack", undefined, 409],
  ["GET", "invoices", undefined, 200],
  ["GET", "invoices/upcoming", undefined, 404],
  ["POST", "portal", undefined, 501]
] as const

layer(AppLayer)("Billing", (it) => {
  it.effect.each(["owner", "admin", "editor", "support", "viewer"] as const)(
    "is shown to a member who is %s",
    (role) =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const token = yield* tokenAs(club, role)
        assert.strictEqual((yield* send("GET", `${club.path}/billing`, { token })).status, 200)
      })
  )

  it.effect.each(calls)(
    "answers %s %s for the club's administration alone",
    ([method, path, body, status]) =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const call = (token: string) =>
          send(method, `${club.path}/billing/${path}`, { token, ...(body === undefined ? {} : { body }) })
        for (const role of ["owner", "admin"] as const) {
          assert.strictEqual((yield* call(yield* tokenAs(club, role))).status, status)
        }
        for (const role of ["editor", "support", "viewer"] as const) {
          assert.deepStrictEqual(outcome(yield* call(yield* tokenAs(club, role))), [403, "forbidden"])
        }
      })
  )

  it.effect("is no student's, nor another club's, nor of a club that there is not", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const other = yield* foundClub()
      const { token } = yield* enrolledStudent(club)
      const nowhere = "/v1/clubs/0b8f7a1e-6f5d-4c3b-8a29-1d0e9f8c7b6a"
      for (const [method, path, body] of [["GET", "", undefined], ...calls] as const) {
        const sent = body === undefined ? {} : { body }
        const to = (club: string, token: string) =>
          send(method, `${club}/billing/${path}`.replace(/\/$/, ""), { token, ...sent })
        assert.deepStrictEqual(outcome(yield* to(club.path, token)), [401, "unauthenticated"])
        const [foreign, unknown] = [yield* to(club.path, other.token), yield* to(nowhere, other.token)]
        assert.deepStrictEqual(outcome(foreign), [403, "forbidden"])
        assert.strictEqual(foreign.text, unknown.text)
      }
    }))
})

layer(appLayer({ RATE_LIMIT_WRITES: "2" }))("Writes of billing", (it) => {
  it.effect("are counted with all others of the club", () =>
    Effect.gen(function*() {
      const { path, token } = yield* foundClub()
      const portal = Effect.map(send("POST", `${path}/billing/portal`, { token }), outcome)
      assert.deepStrictEqual([yield* portal, yield* portal], [
        [501, "billing_portal_unavailable"],
        [501, "billing_portal_unavailable"]
      ])
      const refused = yield* send("DELETE", `${path}/billing/addons/assistant_pack`, { token })
      assert.deepStrictEqual(outcome(refused), [429, "rate_limited"])
      assert.isString(at(refused.json, "error", "message"))
    }))
})
