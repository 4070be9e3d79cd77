import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { at, foundClub, listAt, outcome, send } from "../../../harness/App.ts"
import { StayingTimeLayer, whileAhead } from "../../../harness/MovedTime.ts"
import { PostgresLayer } from "../../../harness/Postgres.ts"
import { contract, FakeStripe, pass, remove, stripeLayerOn, subscribedClub, tellAll } from "./World.ts"

const refused = [503, "temporarily_unavailable"]

const everything = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const tables = ["billing_accounts", "billing_addons", "billing_changes", "billing_claims", "billing_entries"]
  return yield* Effect.forEach(tables, (table) => sql`select to_jsonb(t)::text as row from ${sql(table)} t order by 1`)
})

layer(stripeLayerOn(StayingTimeLayer.pipe(Layer.provideMerge(PostgresLayer))))(
  "With Stripe, by a clock that is 40 days ahead",
  (it) => {
    it.effect("nothing is contracted, removed, credited or confirmed, until it is right again", () =>
      Effect.gen(function*() {
        const { state } = yield* FakeStripe
        const club = yield* subscribedClub("price_starter", "price_pack")
        const other = yield* foundClub()
        const { organization_id, path, token } = other
        state.checkout(state.subscribe(["price_starter"], { organization_id }), organization_id)
        yield* tellAll
        const [claim] = listAt((yield* send("GET", `${path}/billing/subscriptions`, { token })).json, "data")
        const confirm = send("POST", `${path}/billing/subscriptions/${String(at(claim, "id"))}/confirm`, { token })
        const before = yield* everything
        yield* whileAhead(
          "40 days",
          Effect.gen(function*() {
            assert.deepStrictEqual(outcome(yield* contract(club, "onboarding")), refused)
            assert.deepStrictEqual(outcome(yield* remove(club)), refused)
            assert.deepStrictEqual(outcome(yield* confirm), refused)
          })
        )
        assert.deepStrictEqual(yield* everything, before)
        yield* pass(60)
        assert.strictEqual((yield* contract(club, "onboarding")).status, 201)
        assert.strictEqual((yield* remove(club)).status, 200)
        assert.strictEqual((yield* confirm).status, 200)
      }))
  }
)
