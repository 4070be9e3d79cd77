import { Effect, Option } from "effect"
import type { ClubId } from "../../../../identity/ids/ClubId.ts"
import { credits, type NewEntry } from "../../ledger/NewEntry.ts"
import type { ChangesRepo } from "../queue/ChangesRepo.ts"
import type { PaidCharge, StripeLedgerRepo } from "./StripeLedgerRepo.ts"

interface Writers {
  readonly changes: ChangesRepo["Service"]
  readonly ledger: StripeLedgerRepo["Service"]
}

/** Enters credit and queues it for Stripe, in the transaction that has locked the account. */
export const enterCredit = Effect.fnUntraced(function*(
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
 * Credits these charges for the time after their add-ons were removed, and queues the credit for Stripe. Each charge is
 * credited once, also in repeated calls. In the transaction that has locked the account.
 */
export const creditRest = Effect.fnUntraced(function*(
  writers: Writers,
  club_id: ClubId,
  charges: ReadonlyArray<PaidCharge>
) {
  const given = charges.flatMap((charge) =>
    credits([charge], charge.removed_at).map((entry) => ({ ...entry, currency: charge.currency }))
  )
  yield* enterCredit(writers, club_id, given)
})
