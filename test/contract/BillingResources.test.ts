import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { AppLayer, appLayer, foundClub, send } from "../harness/App.ts"
import { assertData, assertPage } from "./Answers.ts"
import { anyOf, boolean, integer, listOf, none, nullOr, oneOf, record, string, timestamp, uuid } from "./Shape.ts"

// Contract, Billing status and Endpoints 3: each of a record's fields and no other.

const Named = record({ key: string, name: string })

const AvailableAddon = record({
  key: string,
  name: string,
  monthly_price_cents: integer,
  contracted: boolean,
  removable: boolean,
  unavailable_reason: nullOr(oneOf("not_in_plan")),
  required_plans: anyOf(string)
})

const Resource = record({
  key: string,
  name: string,
  kind: oneOf("flag", "metered"),
  granted: boolean,
  unlimited: boolean,
  allowance: integer,
  balance: integer,
  used: integer,
  overage: integer,
  bills: boolean
})

const BillingStatus = record({
  managed: oneOf(true),
  portal_available: boolean,
  period_start: timestamp,
  period_end: timestamp,
  plan: Named,
  addons: anyOf(Named),
  available_addons: listOf(AvailableAddon),
  resources: listOf(Resource)
})

const WithoutPlan = record({
  managed: oneOf(false),
  portal_available: oneOf(false),
  period_start: oneOf(null),
  period_end: oneOf(null),
  plan: oneOf(null),
  addons: none,
  available_addons: none,
  resources: none
})

const Line = record({
  kind: oneOf("plan", "addon", "overage", "credit", "carried"),
  key: string,
  name: string,
  amount_cents: integer,
  starts_at: timestamp,
  ends_at: timestamp
})

const amounts = {
  currency: string,
  period_start: timestamp,
  period_end: timestamp,
  lines: listOf(Line),
  total_cents: integer
}

const Invoice = record({
  id: uuid,
  number: integer,
  status: oneOf("issued", "paid", "void"),
  issued_at: timestamp,
  ...amounts
})

layer(appLayer({ BILLING_PROVIDER: "local" }))("Billing answers with", (it) => {
  it.effect("the status in data where it is read and where an add-on is contracted", () =>
    Effect.gen(function*() {
      const { path, token } = yield* foundClub()
      assertData(yield* send("GET", `${path}/billing`, { token }), BillingStatus)
      const contracted = yield* send("POST", `${path}/billing/addons`, { token, body: { key: "assistant_pack" } })
      assert.strictEqual(contracted.status, 201)
      assertData(contracted, BillingStatus)
    }))

  it.effect("the bare status where an add-on is removed", () =>
    Effect.gen(function*() {
      const { path, token } = yield* foundClub()
      yield* send("POST", `${path}/billing/addons`, { token, body: { key: "assistant_pack" } })
      const { json, status, text } = yield* send("DELETE", `${path}/billing/addons/assistant_pack`, { token })
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(BillingStatus(json), [], text)
    }))

  it.effect("invoices, and the one that comes up", () =>
    Effect.gen(function*() {
      const { path, token } = yield* foundClub()
      yield* send("POST", `${path}/billing/addons`, { token, body: { key: "assistant_pack" } })
      yield* send("DELETE", `${path}/billing/addons/assistant_pack`, { token })
      assertPage(yield* send("GET", `${path}/billing/invoices`, { token }), listOf(Invoice))
      assertData(yield* send("GET", `${path}/billing/invoices/upcoming`, { token }), record(amounts))
    }))
})

layer(AppLayer)("Without a plan, billing answers with", (it) => {
  it.effect("every field of the status, null or empty", () =>
    Effect.gen(function*() {
      const { path, token } = yield* foundClub()
      assertData(yield* send("GET", `${path}/billing`, { token }), WithoutPlan)
      assertPage(yield* send("GET", `${path}/billing/invoices`, { token }), none)
    }))
})
