import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { appLayer, foundClub, outcome, send } from "../../../harness/App.ts"
import { StayingTimeLayer, whileAhead } from "../../../harness/MovedTime.ts"
import { PostgresLayer } from "../../../harness/Postgres.ts"

const refused = [503, "temporarily_unavailable"]

const sessions = { ADMIN_SESSION_IDLE: "3000 days", ADMIN_SESSION_MAX: "3000 days" }

const everything = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const tables = ["billing_accounts", "billing_addons", "billing_entries", "billing_invoices", "clubs"]
  return yield* Effect.forEach(tables, (table) => sql`select to_jsonb(t)::text as row from ${sql(table)} t order by 1`)
})

const DoubtfulLayer = appLayer({ BILLING_PROVIDER: "local", ...sessions }, {
  database: StayingTimeLayer.pipe(Layer.provideMerge(PostgresLayer))
})

layer(DoubtfulLayer)("With our own ledger, by a clock that is 40 days ahead", (it) => {
  for (const by of ["40 days", "-40 days"] as const) {
    it.effect(`(or behind: ${by}) nothing is invoiced, until it is right again`, () =>
      Effect.gen(function*() {
        yield* TestClock.adjust("50 days")
        const { path, token } = yield* foundClub()
        const contract = (key: string) => {
          const headers = { "idempotency-key": key }
          return send("POST", `${path}/billing/addons`, { token, body: { key }, headers })
        }
        const remove = send("DELETE", `${path}/billing/addons/assistant_pack`, { token })
        const found = send("POST", "/v1/clubs", { token, body: { name: "Violão" } })
        assert.strictEqual((yield* contract("assistant_pack")).status, 201)
        const before = yield* everything
        yield* whileAhead(
          by,
          Effect.gen(function*() {
            assert.deepStrictEqual(outcome(yield* contract("onboarding")), refused)
            assert.deepStrictEqual(outcome(yield* remove), refused)
            assert.deepStrictEqual(outcome(yield* found), refused)
          })
        )
        assert.deepStrictEqual(yield* everything, before)
        assert.strictEqual((yield* contract("onboarding")).status, 201)
        assert.strictEqual((yield* remove).status, 200)
        assert.strictEqual((yield* found).status, 201)
      }))
  }
})
