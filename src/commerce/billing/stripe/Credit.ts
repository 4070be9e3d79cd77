import { Effect, Option } from "effect"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import { credits, type NewEntry } from "../Invoicing.ts"
import type { ChangesRepo } from "./ChangesRepo.ts"
import type { PaidCharge } from "./InvoiceLines.ts"
import type { StripeLedgerRepo } from "./StripeLedgerRepo.ts"

interface Writers {
  readonly changes: ChangesRepo["Service"]
  readonly ledger: StripeLedgerRepo["Service"]
}

/** Enters credit and has Stripe told of it: in the transaction that has locked the account. */
export const give = Effect.fnUntraced(function*(
  { changes, ledger }: Writers,
  club_id: ClubId,
  credits: ReadonlyArray<NewEntry & { readonly currency: string }>
) {
  for (const { currency, ...entry } of credits) {
    const entered = yield* ledger.enter(club_id, entry, currency)
    if (Option.isSome(entered)) yield* changes.add(club_id, "credit", { entry_id: entered.value })
  }
})

/**
 * Gives back what these charges are for the time after their add-ons were removed, and has Stripe told: each once, however
 * often it is asked for. In the transaction that has locked the account.
 */
export const giveBack = Effect.fnUntraced(function*(
  writers: Writers,
  club_id: ClubId,
  charges: ReadonlyArray<PaidCharge>
) {
  const given = charges.flatMap((charge) =>
    credits([charge], charge.removed_at).map((entry) => ({ ...entry, currency: charge.currency }))
  )
  yield* give(writers, club_id, given)
})
