import type { ContractedAddonId } from "../../account/Account.ts"
import type { PlanCatalog } from "../../catalog/PlanCatalog.ts"
import type { SubscriptionItem } from "../api/StripeObjects.ts"
import { catalogItemOf } from "./CatalogItem.ts"

/** One time that a club contracted an add-on, as far as Stripe's items tell something of it. */
export interface KnownAddon {
  readonly id: ContractedAddonId
  readonly addon_key: string
  readonly external_id: string | null
  readonly removed: boolean
  /** Whether Stripe is still to be told something of it. */
  readonly pending: boolean
}

/** What of a club's add-ons is not as Stripe has it. */
export interface ItemChanges {
  /** Gone at Stripe. */
  readonly close: ReadonlyArray<ContractedAddonId>
  /** There, and now known which item it is. */
  readonly link: ReadonlyArray<{ readonly id: ContractedAddonId; readonly external_id: string }>
  /** Added at Stripe. */
  readonly open: ReadonlyArray<{ readonly addon_key: string; readonly external_id: string }>
  /** Removed here and still there, with nobody who would say so. */
  readonly remove: ReadonlyArray<ContractedAddonId>
}

const knownAs = (known: ReadonlyArray<KnownAddon>, { id, metadata }: SubscriptionItem, addon_key: string | undefined) =>
  known.find(({ external_id }) => external_id === id) ??
    known.find((addon) => addon.external_id === null && addon.id === metadata["addon_id"]) ??
    // One that we are about to add, and that somebody has added there.
    known.find((addon) => addon.external_id === null && !addon.removed && addon.addon_key === addon_key)

/**
 * Compares a subscription's items with the club's add-ons. An add-on without an item is not there yet; an item that nobody
 * knows was added in Stripe's dashboard.
 */
export const itemChanges = (
  catalog: PlanCatalog,
  items: ReadonlyArray<SubscriptionItem>,
  known: ReadonlyArray<KnownAddon>
): ItemChanges => {
  const there = new Set(items.map(({ id }) => id))
  const keyOf = (item: SubscriptionItem) => {
    const priced = catalogItemOf(catalog, item.price.id)
    return priced?.kind === "addon" ? priced.key : undefined
  }
  const found = items.map((item) => ({ item, addon_key: keyOf(item), addon: knownAs(known, item, keyOf(item)) }))
  const linked = new Set(found.flatMap(({ addon }) => addon === undefined ? [] : [addon.id]))
  const close = known.filter(({ external_id, id, removed }) =>
    !removed && external_id !== null && !there.has(external_id) && !linked.has(id)
  )
  const closed = new Set(close.map(({ id }) => id))
  const taken = new Set(
    known.filter(({ id, removed }) => !removed && !closed.has(id)).map(({ addon_key }) => addon_key)
  )

  const open = found.flatMap(({ addon, addon_key, item }) => {
    if (addon !== undefined || addon_key === undefined || taken.has(addon_key)) return []
    taken.add(addon_key)
    return [{ addon_key, external_id: item.id }]
  })
  return {
    close: close.map(({ id }) => id),
    link: found.flatMap(({ addon, item }) =>
      addon !== undefined && addon.external_id === null ? [{ id: addon.id, external_id: item.id }] : []
    ),
    open,
    remove: found.flatMap(({ addon }) => addon !== undefined && addon.removed && !addon.pending ? [addon.id] : [])
  }
}
