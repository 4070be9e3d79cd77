import { assert, describe, it } from "@effect/vitest"
import { DateTime, Schema } from "effect"
import { PlanCatalog } from "../../../../../src/commerce/billing/catalog/PlanCatalog.ts"
import type { StripeInvoice, StripeInvoiceLine } from "../../../../../src/commerce/billing/stripe/api/StripeObjects.ts"
import { mirrorInvoice } from "../../../../../src/commerce/billing/stripe/mirror/MirroredInvoice.ts"
import { catalog } from "../Catalog.ts"

const priced = Schema.decodeUnknownSync(PlanCatalog)(catalog)
const at = DateTime.makeUnsafe(0)

const Amount = (most: number, least = 0) => Schema.Int.check(Schema.isBetween({ minimum: least, maximum: most }))

const GivenLine = Schema.Struct({
  amount: Amount(100_000, -100_000),
  discount: Amount(1000),
  tax: Amount(1000),
  inclusive: Schema.Boolean,
  price: Schema.Literals(["price_starter", "price_pack", "price_unknown", "none"])
})
const Lines = Schema.Array(GivenLine).check(Schema.isMaxLength(8))

const lineOf = ({ amount, discount, inclusive, price, tax }: typeof GivenLine.Type, n: number): StripeInvoiceLine => ({
  id: `il_${n}`,
  amount,
  description: n % 2 === 0 ? null : " ",
  period: { start: at, end: at },
  metadata: {},
  discount_amounts: [{ amount: discount }],
  taxes: [{ amount: tax, tax_behavior: inclusive ? "inclusive" : "exclusive" }],
  pricing: price === "none" ? null : { price_details: { price } },
  parent: null
})

const totalOf = (lines: typeof Lines.Type) =>
  lines.reduce((sum, { amount, discount, inclusive, tax }) => sum + amount - discount + (inclusive ? 0 : tax), 0)

const sumOf = (lines: ReadonlyArray<{ readonly amount_cents: number }>) =>
  lines.reduce((sum, { amount_cents }) => sum + amount_cents, 0)

describe("An invoice of Stripe's", () => {
  it.prop(
    "is kept with lines that add up to what is due, whatever is on it",
    { lines: Lines, starting_balance: Amount(50_000, -50_000), preview: Schema.Boolean },
    ({ lines, preview, starting_balance }) => {
      const total = totalOf(lines)
      const invoice: StripeInvoice = {
        id: "in_1",
        status: "open",
        currency: "usd",
        created: at,
        period_start: at,
        period_end: at,
        total,
        starting_balance,
        ending_balance: preview ? null : Math.min(0, starting_balance + total),
        status_transitions: { finalized_at: null },
        parent: null,
        lines: { data: lines.map(lineOf), has_more: false }
      }
      const kept = mirrorInvoice(priced, invoice, [])
      assert.strictEqual(sumOf(kept.lines), kept.total_cents)
      assert.strictEqual(kept.total_cents, Math.max(0, total + starting_balance))
      for (const { amount_cents, kind, name } of kept.lines) {
        assert.strictEqual(kind === "credit", amount_cents < 0)
        assert.isNotEmpty(name)
      }
      assert.lengthOf(new Set(kept.lines.map(({ external_id }) => external_id)), kept.lines.length)
    }
  )
})
