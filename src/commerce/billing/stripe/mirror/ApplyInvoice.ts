import { Effect } from "effect"
import type { ClubId } from "../../../../identity/ids/ClubId.ts"
import { BillingCatalog } from "../../catalog/BillingCatalog.ts"
import type { StripeInvoice } from "../api/StripeObjects.ts"
import { ChangesRepo } from "../queue/ChangesRepo.ts"
import { creditRest, enterCredit } from "./Credit.ts"
import { invoiceStatus, mirrorInvoice } from "./MirroredInvoice.ts"
import { StripeInvoicesRepo } from "./StripeInvoicesRepo.ts"
import { StripeLedgerRepo } from "./StripeLedgerRepo.ts"

/**
 * Stores one of Stripe's invoices for a club, with the credit that follows. In the transaction that has locked the
 * account.
 */
export const makeApplyInvoice = Effect.gen(function*() {
  const catalog = yield* BillingCatalog
  const changes = yield* ChangesRepo
  const invoices = yield* StripeInvoicesRepo
  const ledger = yield* StripeLedgerRepo

  return Effect.fnUntraced(function*(club_id: ClubId, invoice: StripeInvoice) {
    const status = invoiceStatus(invoice)
    if (status === undefined) return
    const lines = invoice.lines.data
    const sent = yield* ledger.sentEntries(
      club_id,
      lines.flatMap(({ metadata }) => metadata["entry_id"] ?? []),
      lines.flatMap(({ parent }) => parent?.invoice_item_details?.invoice_item ?? [])
    )
    const head = {
      external_id: invoice.id,
      status,
      currency: invoice.currency.toUpperCase(),
      issued_at: invoice.status_transitions.finalized_at ?? invoice.created
    }
    const { id: invoice_id, was } = yield* invoices.mirror(club_id, head, mirrorInvoice(catalog, invoice, sent))
    if (status === "paid") {
      yield* creditRest({ changes, ledger }, club_id, yield* ledger.creditable(club_id, { invoice_id }))
    }
    // A void invoice did not use its credit, so the credit is entered again.
    if (status === "void" && was !== "void") {
      yield* enterCredit({ changes, ledger }, club_id, yield* ledger.given(club_id, invoice_id))
    }
  })
})
