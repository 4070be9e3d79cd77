import { Effect, Option } from "effect"
import type { ClubId } from "../../clubs/Club.ts"
import { credits } from "../Invoicing.ts"
import type { ChangesRepo } from "./ChangesRepo.ts"
import type { PaidCharge } from "./InvoiceLines.ts"
import type { StripeLedgerRepo } from "./StripeLedgerRepo.ts"

/**
 * Gives back what these charges are for the time after their add-ons were removed, and has Stripe told: each once, however
 * often it is asked for. In the transaction that has locked the account.
 */
export const giveBack = Effect.fnUntraced(function*(
  { changes, ledger }: { readonly changes: ChangesRepo["Service"]; readonly ledger: StripeLedgerRepo["Service"] },
  club_id: ClubId,
  charges: ReadonlyArray<PaidCharge>
) {
  for (const charge of charges) {
    for (const entry of credits([charge], charge.removed_at)) {
      const entered = yield* ledger.enter(club_id, entry, charge.currency)
      if (Option.isSome(entered)) yield* changes.add(club_id, "credit", { entry_id: entered.value })
    }
  }
})
