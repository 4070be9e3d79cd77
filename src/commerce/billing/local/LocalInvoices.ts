import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Context, DateTime, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import { EntryId } from "../account/Account.ts"
import type { Period } from "../account/Period.ts"
import { BillingCatalog } from "../catalog/BillingCatalog.ts"
import { InvoiceId } from "../ledger/Invoice.ts"
import { type ChargesOf, LedgerRepo } from "../ledger/LedgerRepo.ts"
import { carriedCredit, credits, type NewEntry, totalOf } from "../ledger/NewEntry.ts"

/** Writes our own ledger, in the caller's transaction, which has locked the account. */
export class LocalInvoices extends Context.Service<LocalInvoices, {
  /**
   * Invoices these charges together with the open credit. Without a charge above zero, no invoice: the credit stays
   * open.
   */
  issue(club_id: ClubId, period: Period, charges: ReadonlyArray<NewEntry>): Effect.Effect<void>
  /** Credits the rest of the charge on the next invoice. Every invoiced amount counts as paid. */
  credit(club_id: ClubId, of: ChargesOf, at: DateTime.Utc): Effect.Effect<void>
}>()("turma/commerce/billing/local/LocalInvoices") {
  /** Still asking for the catalog and the database. */
  static readonly layer = Layer.effect(
    LocalInvoices,
    Effect.gen(function*() {
      const ledger = yield* LedgerRepo
      const random = yield* SecureRandom.SecureRandom
      const { currency } = yield* BillingCatalog
      const freshId = Effect.orDie(random.uuidV7())

      const rowOf = Effect.fnUntraced(function*(entry: NewEntry, currency: string, invoice_id: InvoiceId | null) {
        return { ...entry, id: EntryId.make(yield* freshId), currency, invoice_id }
      })

      const issue = Effect.fn("LocalInvoices.issue")(function*(
        club_id: ClubId,
        period: Period,
        charges: ReadonlyArray<NewEntry>
      ) {
        const charged = charges.filter(({ amount_cents }) => amount_cents !== 0)
        if (charged.length === 0) return
        const open = yield* ledger.open(club_id, currency)
        const { carried_cents, total_cents } = totalOf([...open, ...charged].map(({ amount_cents }) => amount_cents))
        const carried = carried_cents === 0 ? undefined : carriedCredit(carried_cents, period)
        const id = InvoiceId.make(yield* freshId)
        const issued_at = yield* DateTime.now
        yield* ledger.issue(club_id, { id, status: "issued", currency, period, total_cents, issued_at })
        yield* ledger.put(club_id, open.map(({ id }) => id), id)
        const lines = carried === undefined ? charged : [...charged, carried.line]
        const rows = yield* Effect.forEach(lines, (line) => rowOf(line, currency, id))
        const rest = carried === undefined ? [] : [yield* rowOf(carried.open, currency, null)]
        yield* ledger.add(club_id, [...rows, ...rest], issued_at)
      })

      // A charge is credited in its own currency, also after the catalog has changed to another.
      const credit = Effect.fn("LocalInvoices.credit")(function*(club_id: ClubId, of: ChargesOf, at: DateTime.Utc) {
        const charges = yield* ledger.charges(club_id, of, at)
        const rows = yield* Effect.forEach(
          charges,
          (charge) => Effect.forEach(credits([charge], at), (entry) => rowOf(entry, charge.currency, null))
        )
        yield* ledger.add(club_id, rows.flat(), yield* DateTime.now)
      })

      return LocalInvoices.of({ issue, credit })
    })
  ).pipe(Layer.provide([LedgerRepo.layer, NodeCrypto.layerSecureRandom]))
}
