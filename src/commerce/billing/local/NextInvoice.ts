import type { Account } from "../account/Account.ts"
import { invoicedPeriod, periodAt } from "../account/Period.ts"
import type { PlanCatalog } from "../catalog/PlanCatalog.ts"
import { inOrder, type InvoiceLine, UpcomingInvoice } from "../ledger/Invoice.ts"
import { carriedCredit, overages, renewals, totalOf } from "../ledger/NewEntry.ts"

/**
 * The next invoice: charges for the period that begins, overage of the one before, and open credit. `used`: units of
 * each metered resource in the last invoiced period. Also for free plans, to show the credit.
 */
export const nextInvoice = (
  catalog: PlanCatalog,
  account: Account,
  used: ReadonlyMap<string, number>,
  open: ReadonlyArray<InvoiceLine>
): UpcomingInvoice => {
  const period = periodAt(account.anchor, account.invoiced_until)
  const charges = [...overages(catalog, account, used, invoicedPeriod(account)), ...renewals(catalog, account, period)]
  const { carried_cents, total_cents } = totalOf([...charges, ...open].map(({ amount_cents }) => amount_cents))
  const carried = carried_cents === 0 ? [] : [carriedCredit(carried_cents, period).line]
  return new UpcomingInvoice({
    currency: catalog.currency,
    period_start: period.start,
    period_end: period.end,
    lines: inOrder([...charges, ...open, ...carried]),
    total_cents
  })
}
