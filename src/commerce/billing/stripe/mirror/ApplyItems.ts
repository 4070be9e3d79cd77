import { type DateTime, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import type { ClubId } from "../../../../identity/ids/ClubId.ts"
import { ContractedAddonId } from "../../account/Account.ts"
import { BillingCatalog } from "../../catalog/BillingCatalog.ts"
import type { StripeSubscription } from "../api/StripeObjects.ts"
import { ChangesRepo } from "../queue/ChangesRepo.ts"
import { itemChanges } from "./ItemChanges.ts"
import { MirrorRepo } from "./MirrorRepo.ts"

/** Brings a club's add-ons in line with its subscription's items. In the transaction that has locked the account. */
export const makeApplyItems = Effect.gen(function*() {
  const random = yield* SecureRandom.SecureRandom
  const catalog = yield* BillingCatalog
  const changes = yield* ChangesRepo
  const repo = yield* MirrorRepo

  return Effect.fnUntraced(function*(club_id: ClubId, { items }: StripeSubscription, now: DateTime.Utc) {
    const known = yield* repo.addons(
      club_id,
      items.data.map(({ id }) => id),
      items.data.flatMap(({ metadata }) => metadata["addon_id"] ?? [])
    )
    const { close, link, open, remove } = itemChanges(catalog, items.data, known)
    yield* repo.close(club_id, close, now)
    yield* repo.link(club_id, link)
    for (const addon of open) {
      const id = ContractedAddonId.make(yield* Effect.orDie(random.uuidV7()))
      yield* repo.open(club_id, id, addon, now)
    }
    yield* Effect.forEach(remove, (addon_id) => changes.add(club_id, "remove", { addon_id }))
  })
})
