import { assert, layer } from "@effect/vitest"
import { Effect, Exit, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { appLayer, at, foundClub, listAt, outcome, send } from "../../../harness/App.ts"
import { SpansLayer, statements } from "../../../harness/Statements.ts"

const LocalLayer = appLayer({ BILLING_PROVIDER: "local" }).pipe(Layer.provideMerge(SpansLayer))

const billingOf = (club: Effect.Success<ReturnType<typeof foundClub>>) => {
  const path = `${club.path}/billing`
  const { token } = club
  return {
    status: send("GET", path, { token }),
    contract: (key: string) => send("POST", `${path}/addons`, { token, body: { key } }),
    remove: (key: string) => send("DELETE", `${path}/addons/${key}`, { token }),
    invoices: (query = "") => send("GET", `${path}/invoices${query}`, { token }),
    upcoming: send("GET", `${path}/invoices/upcoming`, { token })
  }
}

const numbers = (answer: { readonly json: unknown }) => listAt(answer.json, "data").map((one) => at(one, "number"))

layer(LocalLayer)("With our own ledger", (it) => {
  it.effect("a new club has the catalog's first plan and its invoice", () =>
    Effect.gen(function*() {
      const billing = billingOf(yield* foundClub())
      assert.strictEqual(at((yield* billing.status).json, "data", "plan", "key"), "starter")
      const { json } = yield* billing.invoices()
      assert.deepStrictEqual(listAt(json, "data").map((one) => at(one, "total_cents")), [2900])
    }))

  it.effect("50 removals at once through the API answer 200 once and 409 otherwise", () =>
    Effect.gen(function*() {
      const billing = billingOf(yield* foundClub())
      yield* billing.contract("assistant_pack")
      const answers = yield* Effect.all(Array.from({ length: 50 }, () => billing.remove("assistant_pack")), {
        concurrency: "unbounded"
      })
      assert.lengthOf(answers.filter(({ status }) => status === 200), 1)
      const refused = answers.filter(({ status }) => status !== 200)
      assert.deepStrictEqual(refused.map(outcome), Array.from({ length: 49 }, () => [409, "addon_not_contracted"]))
      const lines = listAt((yield* billing.upcoming).json, "data", "lines")
      assert.deepStrictEqual(lines.map((line) => at(line, "kind")), ["plan", "credit"])
    }))

  it.effect("pages of invoices go from the newest to the oldest", () =>
    Effect.gen(function*() {
      const billing = billingOf(yield* foundClub())
      for (const key of ["assistant_pack", "onboarding"]) yield* billing.contract(key)
      const first = yield* billing.invoices("?limit=2")
      const second = yield* billing.invoices(`?limit=2&cursor=${at(first.json, "next_cursor")}`)
      assert.deepStrictEqual([numbers(first), numbers(second), at(second.json, "next_cursor")], [[3, 2], [1], null])
      assert.deepStrictEqual(outcome(yield* billing.invoices("?cursor=nonsense")), [400, "invalid_cursor"])
    }))

  it.effect("a club sees and changes what is its own alone", () =>
    Effect.gen(function*() {
      const [one, other] = [billingOf(yield* foundClub()), billingOf(yield* foundClub())]
      yield* one.contract("assistant_pack")
      yield* one.remove("assistant_pack")
      yield* one.contract("onboarding")
      assert.deepStrictEqual(at((yield* other.status).json, "data", "addons"), [])
      assert.deepStrictEqual(outcome(yield* other.remove("onboarding")), [409, "addon_not_contracted"])
      assert.deepStrictEqual(numbers(yield* other.invoices()), [1])
      assert.lengthOf(listAt((yield* other.upcoming).json, "data", "lines"), 1)
    }))

  it.effect("the database refuses a line on another club's invoice, and for another club's add-on or charge", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const [one, other] = [yield* foundClub(), yield* foundClub()]
      yield* billingOf(other).contract("assistant_pack")
      for (const column of ["invoice_id", "addon_id", "credited_id"]) {
        const target = column === "credited_id" ? "id" : column
        const stray = sql`
          update billing_entries set kind = 'credit', amount_cents = 0, ${sql(column)} = (
            select ${sql(target)} from billing_entries where club_id = ${other.id} and ${
          sql(target)
        } is not null limit 1
          ) where club_id = ${one.id}`
        assert.isTrue(Exit.isFailure(yield* Effect.exit(stray)), column)
      }
    }))

  it.effect("a status costs two statements beside the session's, however much was invoiced", () =>
    Effect.gen(function*() {
      const billing = billingOf(yield* foundClub())
      const count = <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.map(statements(work), ({ length }) => length)
      assert.strictEqual(yield* count(billing.status), 3)
      assert.strictEqual(yield* count(billing.invoices()), 3)
      for (const key of ["assistant_pack", "onboarding"]) yield* billing.contract(key)
      assert.strictEqual(yield* count(billing.status), 3)
      assert.strictEqual(yield* count(billing.invoices()), 3)
      assert.strictEqual(yield* count(billing.upcoming), 6)
      assert.strictEqual(yield* count(billing.remove("assistant_pack")), 8)
      assert.strictEqual(yield* count(billing.contract("assistant_pack")), 10)
    }))
})
