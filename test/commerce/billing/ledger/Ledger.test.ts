import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import { periodAt } from "../../../../src/commerce/billing/account/Period.ts"
import { addonOf, planOf } from "../../../../src/commerce/billing/catalog/Entitlement.ts"
import type { PlanCatalog } from "../../../../src/commerce/billing/catalog/PlanCatalog.ts"
import { Anchor, anchorOf } from "../account/Times.ts"
import { catalogOf, Prices } from "../catalog/Catalogs.ts"
import { endOf, type Span, type State, stepped, Steps } from "./PureLedger.ts"

const sum = (amounts: ReadonlyArray<number>) => amounts.reduce((left, right) => left + right, 0)
const amountsOf = (some: ReadonlyArray<{ readonly amount_cents: number }>) =>
  sum(some.map(({ amount_cents }) => amount_cents))

const priceOf = (catalog: PlanCatalog, key: string) =>
  (planOf(catalog, key) ?? addonOf(catalog, key))?.monthly_price_cents ?? 0

const millis = (at: DateTime.Utc) => BigInt(DateTime.toEpochMillis(at))

/**
 * The consumed part of a price during a span, computed without the ledger. The charge covers the rest of the period,
 * rounded up. The consumed part is the share of the span in this rest, rounded down. An add-on or plan that has not
 * ended counts to the end of its period.
 */
const consumedOf = (catalog: PlanCatalog, { account }: State, { from, key, until }: Span): number => {
  const price = BigInt(priceOf(catalog, key))
  let consumed = 0n
  let period = periodAt(account.anchor, from)
  const end = millis(until ?? account.invoiced_until)
  while (millis(period.start) < end) {
    const [begin, close] = [millis(period.start), millis(period.end)]
    const there = begin > millis(from) ? begin : millis(from)
    const charged = (price * (close - there) + (close - begin) - 1n) / (close - begin)
    consumed += end >= close ? charged : charged * (end - there) / (close - there)
    period = periodAt(account.anchor, period.end)
  }
  return Number(consumed)
}

const consumed = (catalog: PlanCatalog, state: State) =>
  sum(state.spans.map((span) => consumedOf(catalog, state, span))) + sum(state.beyond)

const given = { prices: Prices, anchor: Anchor, steps: Steps }
const runs = { arbitrary: { runs: 500 } } as const

describe("Whatever is contracted, used and removed, and however time passes,", () => {
  it.prop("the ledger adds up to what was consumed", given, ({ anchor, prices, steps }) => {
    const catalog = catalogOf(prices)
    const end = endOf(catalog, anchorOf(anchor), steps)
    assert.strictEqual(amountsOf(end.entries), consumed(catalog, end))
    // After the removal of all add-ons, the ledger adds up to the consumption until then.
    const gone = (["pack", "help"] as const).reduce((state, key) => stepped(catalog, state, { do: "remove", key }), end)
    assert.lengthOf(gone.account.addons, 0)
    assert.strictEqual(amountsOf(gone.entries), consumed(catalog, gone))
  }, runs)

  it.prop("invoices and what is open are the whole ledger", given, ({ anchor, prices, steps }) => {
    const { entries, totals } = endOf(catalogOf(prices), anchorOf(anchor), steps)
    const open = entries.filter(({ invoice }) => invoice === null)
    assert.strictEqual(sum(totals) + amountsOf(open), amountsOf(entries))
    assert.isTrue(open.every(({ amount_cents, kind }) => kind === "credit" && amount_cents < 0))
  }, runs)

  it.prop(
    "the lines of each invoice add up to its total, which is not below zero",
    given,
    ({ anchor, prices, steps }) => {
      const { entries, totals } = endOf(catalogOf(prices), anchorOf(anchor), steps)
      for (const [number, total] of totals.entries()) {
        assert.strictEqual(amountsOf(entries.filter(({ invoice }) => invoice === number)), total)
        assert.isAtLeast(total, 0)
      }
    },
    runs
  )

  it.prop("no charge is credited twice, or by more than it was", given, ({ anchor, prices, steps }) => {
    const { entries } = endOf(catalogOf(prices), anchorOf(anchor), steps)
    const credited = entries.filter(({ credited_id }) => credited_id !== null)
    assert.strictEqual(new Set(credited.map(({ credited_id }) => credited_id)).size, credited.length)
    for (const { amount_cents, credited_id } of credited) {
      const charge = entries.find(({ id }) => id === credited_id)
      assert.isAtLeast((charge?.amount_cents ?? 0) + amount_cents, 0)
    }
  }, runs)

  it.prop("no time is charged twice", given, ({ anchor, prices, steps }) => {
    const { account, entries } = endOf(catalogOf(prices), anchorOf(anchor), steps)
    const plan = entries.filter(({ kind }) => kind === "plan")
    for (const [index, { ends_at }] of plan.entries()) {
      assert.deepStrictEqual(ends_at, plan[index + 1]?.starts_at ?? account.invoiced_until)
    }
  }, runs)
})
