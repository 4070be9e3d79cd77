import type { ContractedAddonId } from "../../account/Account.ts"
import type { PlanCatalog } from "../../catalog/PlanCatalog.ts"
import type { SubscriptionItem } from "../api/StripeObjects.ts"
import { catalogItemOf } from "./CatalogItem.ts"

/** A contracted add-on of a club, with the fields to compare with Stripe's items. */
export interface KnownAddon {
  readonly id: ContractedAddonId
  readonly addon_key: string
  readonly external_id: string | null
  readonly removed: boolean
  /** True if a change of it waits to be sent to Stripe. */
  readonly pending: boolean
}

/** The differences between a club's add-ons and Stripe's items. */
export interface ItemChanges {
  /** Removed at Stripe. */
  readonly close: ReadonlyArray<ContractedAddonId>
  /** The item of an add-on is now known. */
  readonly link: ReadonlyArray<{ readonly id: ContractedAddonId; readonly external_id: string }>
  /** Added at Stripe. */
  readonly open: ReadonlyArray<{ readonly addon_key: string; readonly external_id: string }>
  /** Removed here and still at Stripe, without a queued change that removes it there. */
  readonly remove: ReadonlyArray<ContractedAddonId>
}

const knownAddonOf = (
  known: ReadonlyArray<KnownAddon>,
  { id, metadata }: SubscriptionItem,
  addon_key: string | undefined
) =>
  known.find(({ external_id }) => external_id === id) ??
    known.find((addon) => addon.external_id === null && addon.id === metadata["addon_id"]) ??
    // An add-on that waits to be sent, and that a person has added at Stripe.
    known.find((addon) => addon.external_id === null && !addon.removed && addon.addon_key === addon_key)

/**
 * Compares a subscription's items with the club's add-ons. An add-on without an item has not been sent yet; an unknown
 * item was added in Stripe's dashboard.
 */
export const itemChanges = (
  catalog: PlanCatalog,
  items: ReadonlyArray<SubscriptionItem>,
  known: ReadonlyArray<KnownAddon>
): ItemChanges => {
  const itemIds = new Set(items.map(({ id }) => id))
  const keyOf = (item: SubscriptionItem) => {
    const priced = catalogItemOf(catalog, item.price.id)
    return priced?.kind === "addon" ? priced.key : undefined
  }
  const found = items.map((item) => ({ item, addon_key: keyOf(item), addon: knownAddonOf(known, item, keyOf(item)) }))
  const linked = new Set(found.flatMap(({ addon }) => addon === undefined ? [] : [addon.id]))
  const close = known.filter(({ external_id, id, removed }) =>
    !removed && external_id !== null && !itemIds.has(external_id) && !linked.has(id)
  )
  const closed = new Set(close.map(({ id }) => id))
  const contracted =
    new Set(known.filter(({ id, removed }) => !removed && !closed.has(id)).map(({ addon_key }) => addon_key))

  const open = found.flatMap(({ addon, addon_key, item }) => {
    if (addon !== undefined || addon_key === undefined || contracted.has(addon_key)) return []
    contracted.add(addon_key)
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
