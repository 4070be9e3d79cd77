import type { DateTime } from "effect"
import type { EntryId } from "../../account/Account.ts"
import type { Period } from "../../account/Period.ts"
import type { PlanCatalog } from "../../catalog/PlanCatalog.ts"
import type { InvoiceLine, LineKind } from "../../ledger/Invoice.ts"
import type { StripeInvoice, StripeInvoiceLine } from "../api/StripeObjects.ts"
import { catalogItemOf } from "./CatalogItem.ts"

/** An entry of ours that was sent to Stripe for an invoice. */
export interface SentEntry {
  readonly id: EntryId
  readonly kind: LineKind
  readonly key: string
  readonly name: string
  /** The id of Stripe's invoice item, once it is known. */
  readonly external_id: string | null
  readonly amount_cents: number
}

/** A line of Stripe's invoice as it is stored. */
export interface MirroredLine extends Omit<InvoiceLine, "kind"> {
  readonly kind: LineKind
  /** Stripe's id of the line, unique among all invoices. */
  readonly external_id: string
  /** The subscription's item that it is for. */
  readonly item_id: string | null
  /** The entry of ours that the line is for. */
  readonly entry_id: EntryId | null
}

/** An invoice as it is stored: the lines add up to the total, which is not below zero. */
export interface MirroredInvoice {
  readonly lines: ReadonlyArray<MirroredLine>
  readonly total_cents: number
  readonly period: Period
}

const sumOf = (amounts: ReadonlyArray<number>) => amounts.reduce((sum, amount) => sum + amount, 0)

/** The paid amount of a line: with exclusive tax, without discounts. */
const paidFor = ({ amount, discount_amounts, taxes }: StripeInvoiceLine) =>
  amount - sumOf((discount_amounts ?? []).map(({ amount }) => amount)) +
  sumOf((taxes ?? []).filter(({ tax_behavior }) => tax_behavior === "exclusive").map(({ amount }) => amount))

// A price that is not in the catalog was added to the subscription by hand.
const describe = (catalog: PlanCatalog, { description, pricing }: StripeInvoiceLine) =>
  catalogItemOf(catalog, pricing?.price_details?.price) ??
    { kind: "plan" as const, key: "other", name: description?.trim().slice(0, 200) || "Other" }

const isOf = (line: StripeInvoiceLine, { external_id, id }: SentEntry) =>
  line.metadata["entry_id"] === id ||
  (external_id !== null && line.parent?.invoice_item_details?.invoice_item === external_id)

const spanOf = (start: DateTime.Utc, end: DateTime.Utc) => ({
  starts_at: start,
  ends_at: end.epochMilliseconds < start.epochMilliseconds ? start : end
})

const mirrorLine =
  (catalog: PlanCatalog, sent: ReadonlyArray<SentEntry>) => (line: StripeInvoiceLine): MirroredLine => {
    const span = spanOf(line.period.start, line.period.end)
    const place = {
      external_id: line.id,
      item_id: line.parent?.subscription_item_details?.subscription_item ?? null,
      ...span
    }
    const entry = sent.find((entry) => isOf(line, entry))
    if (entry !== undefined) {
      const { amount_cents, id, key, kind, name } = entry
      return { ...place, kind, key, name, amount_cents, entry_id: id }
    }
    const amount_cents = paidFor(line)
    const { key, kind, name } = describe(catalog, line)
    // Below zero it is Stripe's own credit, from a plan that was changed there.
    return { ...place, kind: amount_cents < 0 ? "credit" : kind, key, name, amount_cents, entry_id: null }
  }

/**
 * The customer's balance after the invoice. A preview does not name it, so there it is the part that stays below zero.
 */
const endingOf = ({ ending_balance, starting_balance, total }: StripeInvoice) =>
  ending_balance ?? Math.min(0, starting_balance + total)

const balanceLine = (
  invoice: StripeInvoice,
  part: string,
  amount_cents: number,
  name: string
): ReadonlyArray<MirroredLine> =>
  amount_cents === 0 ? [] : [{
    kind: amount_cents < 0 ? "credit" : "carried",
    key: "carried",
    name,
    amount_cents,
    ...spanOf(invoice.period_start, invoice.period_end),
    external_id: `${invoice.id}:${part}`,
    item_id: null,
    entry_id: null
  }]

/** The period that an invoice is for: the plan's, which is charged in advance. */
const periodOf = (invoice: StripeInvoice, lines: ReadonlyArray<MirroredLine>): Period => {
  const first = lines.find(({ kind }) => kind === "plan") ?? lines.find(({ kind }) => kind === "addon")
  const { ends_at, starts_at } = first ?? spanOf(invoice.period_start, invoice.period_end)
  return { start: starts_at, end: ends_at }
}

/**
 * Stripe's invoice as one of ours. The customer's balance before and after it are lines too: credit that an invoice does not
 * use up is carried to the next one. `sent`: entries of ours that may be on it.
 */
export const mirrorInvoice = (
  catalog: PlanCatalog,
  invoice: StripeInvoice,
  sent: ReadonlyArray<SentEntry>
): MirroredInvoice => {
  const lines = [
    ...invoice.lines.data.map(mirrorLine(catalog, sent)),
    ...balanceLine(invoice, "before", invoice.starting_balance, "Balance brought forward"),
    ...balanceLine(invoice, "after", -endingOf(invoice), "Balance carried forward")
  ]
  const due = Math.max(0, invoice.total + invoice.starting_balance - endingOf(invoice))
  const adjustment = balanceLine(
    invoice,
    "rest",
    due - sumOf(lines.map(({ amount_cents }) => amount_cents)),
    "Adjustment"
  )
  return { lines: [...lines, ...adjustment], total_cents: due, period: periodOf(invoice, lines) }
}

/** Our status of Stripe's invoice; undefined for a draft. */
export const invoiceStatus = ({ status }: StripeInvoice): "issued" | "paid" | "void" | undefined => {
  switch (status) {
    case "open":
    case "uncollectible":
      return "issued"
    case "paid":
      return "paid"
    case "void":
      return "void"
    default:
      return undefined
  }
}
