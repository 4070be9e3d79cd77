import { Effect, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import { ClockGuard } from "../../../platform/jobs/ClockGuard.ts"
import { faultsDie } from "../../../platform/sql/Rows.ts"
import { ContractedAddonId } from "../account/Account.ts"
import { AccountsRepo } from "../account/AccountsRepo.ts"
import { BillingCatalog } from "../catalog/BillingCatalog.ts"
import { checkContract, checkRemoval } from "../provider/AddonRules.ts"
import { wholeSecond } from "./api/StripeObjects.ts"
import { creditRest } from "./mirror/Credit.ts"
import { MirrorRepo } from "./mirror/MirrorRepo.ts"
import { StripeLedgerRepo } from "./mirror/StripeLedgerRepo.ts"
import { ChangesRepo } from "./queue/ChangesRepo.ts"

/** Contracts and removes add-ons here, and queues the changes for Stripe. */
export const makeAddonChanges = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const random = yield* SecureRandom.SecureRandom
  const accounts = yield* AccountsRepo
  const catalog = yield* BillingCatalog
  const changes = yield* ChangesRepo
  const ledger = yield* StripeLedgerRepo
  const mirror = yield* MirrorRepo
  const guard = yield* ClockGuard
  // Stripe charges and we credit by the second, both from the same one. The clock has to be right: charges are not
  // taken back.
  const agreedSecond = Effect.map(guard.agreedNow, wholeSecond)

  const lockedAccount = (club_id: ClubId) =>
    Effect.map(accounts.lock(club_id, "stripe"), Option.map((account) => ({ account })))

  /** Contracts an add-on and returns the change that is queued for Stripe. */
  const contract = Effect.fnUntraced(
    function*(club_id: ClubId, addon_key: string) {
      yield* checkContract(catalog, yield* lockedAccount(club_id), addon_key)
      const id = ContractedAddonId.make(yield* Effect.orDie(random.uuidV7()))
      yield* accounts.contract(club_id, { id, addon_key, external_id: null }, yield* agreedSecond)
      yield* mirror.changed(club_id)
      return yield* changes.add(club_id, "contract", { addon_id: id })
    },
    sql.withTransaction,
    faultsDie
  )

  const remove = Effect.fnUntraced(
    function*(club_id: ClubId, addon_key: string) {
      const { contracted } = yield* checkRemoval(catalog, yield* lockedAccount(club_id), addon_key)
      yield* mirror.close(club_id, [contracted.id], yield* agreedSecond)
      yield* mirror.changed(club_id)
      yield* changes.add(club_id, "remove", { addon_id: contracted.id })
      yield* creditRest({ changes, ledger }, club_id, yield* ledger.creditable(club_id, { addon_id: contracted.id }))
    },
    sql.withTransaction,
    faultsDie
  )

  return { contract, remove }
})
