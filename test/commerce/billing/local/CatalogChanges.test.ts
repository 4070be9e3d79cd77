import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { BillingCatalog } from "../../../../src/commerce/billing/catalog/BillingCatalog.ts"
import { PlanCatalog } from "../../../../src/commerce/billing/catalog/PlanCatalog.ts"
import { LocalBillingLayer } from "../../../../src/commerce/billing/local/LocalBilling.ts"
import { PeriodClose } from "../../../../src/commerce/billing/local/PeriodClose.ts"
import { Plans } from "../../../../src/commerce/billing/local/Plans.ts"
import {
  close,
  type Club,
  clubOn,
  contract,
  give,
  invoices,
  LedgersLayer,
  linesOf,
  remove,
  said,
  statusOf,
  upcoming,
  use,
  written
} from "./Ledgers.ts"

/** The same ledger after a restart with another catalog. */
const after = (changed: object) => {
  const catalog = Schema.decodeUnknownSync(PlanCatalog)({ ...written, ...changed })
  const services = Layer.mergeAll(LocalBillingLayer, PeriodClose.layer, Plans.layer)
    .pipe(Layer.provide(Layer.succeed(BillingCatalog, catalog)))
  return Effect.provide(Layer.fresh(services))
}

const Sum = Schema.Struct({ currency: Schema.String, entries: Schema.Int, invoiced: Schema.Int, open: Schema.Int })

const sumsOf = Effect.fnUntraced(function*({ id }: Club) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`
    select currency, sum(amount_cents)::int as entries,
      coalesce(sum(amount_cents) filter (where invoice_id is null), 0)::int as open,
      (
        select coalesce(sum(i.total_cents), 0)::int from billing_invoices i
        where i.club_id = ${id} and i.currency = e.currency
      ) as invoiced
    from billing_entries e where club_id = ${id} group by currency order by currency`
  return yield* Schema.decodeUnknownEffect(Schema.Array(Sum))(rows)
})

const dearer = { addons: written.addons.map((addon) => ({ ...addon, monthly_price_cents: 99_900 })) }

layer(LedgersLayer)("After its price has changed in the catalog", (it) => {
  it.effect("an add-on that is removed gives back what was paid for it", () =>
    Effect.gen(function*() {
      const club = yield* clubOn("small", "pack")
      yield* TestClock.adjust("10 days")
      yield* remove(club, "pack").pipe(after(dearer))
      assert.deepStrictEqual(linesOf(yield* upcoming(club)), [["plan", "small", 3100], ["credit", "pack", -2100]])
    }))

  it.effect("an add-on costs that from the next period on", () =>
    Effect.gen(function*() {
      const club = yield* clubOn("small", "pack")
      const next = yield* upcoming(club).pipe(after(dearer))
      assert.deepStrictEqual(linesOf(next), [["plan", "small", 3100], ["addon", "pack", 99_900]])
    }))
})

const gone = {
  plans: written.plans.filter(({ key }) => key !== "large"),
  addons: written.addons.filter(({ key }) => key !== "pack" && key !== "extra")
}
const gonePlans = { ...gone, plans: gone.plans.map((plan) => ({ ...plan, addons: [] })) }

layer(LedgersLayer)("With a plan and an add-on that the catalog does not have any more", (it) => {
  it.effect("a club is shown both by their keys, is granted nothing and charged nothing", () =>
    Effect.gen(function*() {
      const club = yield* clubOn("large", "pack")
      yield* Effect.gen(function*() {
        const { addons, plan, resources } = yield* statusOf(club)
        assert.deepStrictEqual([plan, addons], [{ key: "large", name: "large" }, [{ key: "pack", name: "pack" }]])
        assert.deepStrictEqual(resources.map(({ allowance, granted }) => [allowance, granted]), [[0, false]])
        assert.strictEqual(yield* said(use(club, 1)), "ResourceUsedUp")
        assert.strictEqual(yield* said(contract(club, "gift")), "AddonUnavailable")
        assert.strictEqual(yield* said(contract(club, "pack")), "AddonNotFound")
        yield* TestClock.adjust("31 days")
        yield* close(club)
        assert.lengthOf(yield* invoices(club), 2)
      }).pipe(after(gonePlans))
    }))

  it.effect("the add-on can be removed and the plan changed, and both give back what was paid", () =>
    Effect.gen(function*() {
      const club = yield* clubOn("large", "pack")
      yield* Effect.gen(function*() {
        yield* remove(club, "pack")
        assert.strictEqual(yield* said(remove(club, "pack")), "AddonNotFound")
        assert.strictEqual(yield* give(club, "small"), "changed")
        const last = (yield* invoices(club)).at(-1)
        assert.sameDeepMembers(last === undefined ? [] : [...linesOf(last)], [
          ["plan", "small", 3100],
          ["credit", "large", -9300],
          ["credit", "pack", -3100],
          ["carried", "carried", 9300]
        ])
      }).pipe(after(gonePlans))
    }))
})

layer(LedgersLayer)("After the catalog's currency has changed", (it) => {
  it.effect("an invoice has one currency, and what was paid in the old one stays credit in it", () =>
    Effect.gen(function*() {
      const club = yield* clubOn("small", "pack", "extra")
      yield* remove(club, "pack")
      yield* Effect.gen(function*() {
        yield* remove(club, "extra")
        const next = yield* upcoming(club)
        assert.deepStrictEqual([next.currency, linesOf(next)], ["EUR", [["plan", "small", 3100]]])
        yield* TestClock.adjust("31 days")
        yield* close(club)
        const all = yield* invoices(club)
        assert.deepStrictEqual(all.map(({ currency, total_cents }) => [currency, total_cents]), [
          ["USD", 3100],
          ["USD", 3100],
          ["USD", 31_000],
          ["EUR", 3100]
        ])
      }).pipe(after({ currency: "EUR" }))
      assert.deepStrictEqual(yield* sumsOf(club), [
        { currency: "EUR", entries: 3100, invoiced: 3100, open: 0 },
        { currency: "USD", entries: 3100, invoiced: 37_200, open: -34_100 }
      ])
      // Under the old catalog the credit is usable again.
      assert.strictEqual((yield* upcoming(club)).lines.length, 4)
    }))
})

/** The account of a club whose plan at a payment provider has ended. */
const endedElsewhere = Effect.fnUntraced(function*({ id }: Club) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    update billing_accounts set provider = 'stripe', customer_id = 'cus_1', subscription_id = ${`sub_${id}`},
      ended_at = anchor where club_id = ${id}`
})

layer(LedgersLayer)("A club whose subscription at a payment provider has ended", (it) => {
  it.effect("begins anew on a plan of ours, without the add-ons that it had", () =>
    Effect.gen(function*() {
      const club = yield* clubOn("small", "pack")
      yield* endedElsewhere(club)
      yield* TestClock.adjust("5 days")
      assert.strictEqual(yield* give(club, "small"), "started")
      assert.deepStrictEqual((yield* statusOf(club)).addons, [])
      assert.deepStrictEqual(linesOf(yield* upcoming(club)), [["plan", "small", 3100]])
      assert.strictEqual(yield* said(contract(club, "pack")), "ok")
    }))

  it.effect("is given back once what the provider was told to give back", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const club = yield* clubOn("small", "pack")
      yield* remove(club, "pack")
      const at = new Date(0)
      yield* sql`
        insert into billing_changes (club_id, id, kind, entry_id, status, next_attempt_at, created_at, finished_at)
        select club_id, id, 'credit', id, 'done', ${at}, ${at}, ${at} from billing_entries
        where club_id = ${club.id} and kind = 'credit'`
      yield* endedElsewhere(club)
      yield* give(club, "small")
      assert.deepStrictEqual((yield* invoices(club)).at(-1)?.total_cents, 3100)
      assert.deepStrictEqual(linesOf(yield* upcoming(club)), [["plan", "small", 3100]])
    }))

  it.effect("is given back of a plan what we have invoiced, not what the provider has", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const club = yield* clubOn("small")
      yield* sql`update billing_entries set external_id = 'il_1' where club_id = ${club.id}`
      yield* endedElsewhere(club)
      yield* give(club, "small")
      yield* give(club, "large")
      const last = (yield* invoices(club)).at(-1)
      assert.deepStrictEqual(last && linesOf(last), [["plan", "large", 9300], ["credit", "small", -3100]])
    }))
})
