import type { DateTime } from "effect"
import type { Account } from "../account/Account.ts"
import { periodAt } from "../account/Period.ts"
import { type AvailableAddon, BillingStatus, type Resource } from "../provider/Status.ts"
import type { Addon, Catalog, CatalogResource, Grant, Plan } from "./Catalog.ts"

/** What a plan with its add-ons gives of a resource. Of a flag the numbers say nothing. */
export interface Granted {
  readonly granted: boolean
  /** Units in each period; `null`: without end. */
  readonly allowance: number | null
  /** What a unit beyond the allowance costs; `null` where it is refused, or where there is no beyond. */
  readonly overage_price_cents: number | null
}

/** The catalog's plan of this key, if it still has it. */
export const planOf = (catalog: Catalog, key: string): Plan | undefined =>
  catalog.plans.find((plan) => plan.key === key)

/** The catalog's add-on of this key, if it still has it. */
export const addonOf = (catalog: Catalog, key: string): Addon | undefined =>
  catalog.addons.find((addon) => addon.key === key)

/** The catalog's resource of this key, if it has it. */
export const resourceOf = (catalog: Catalog, key: string): CatalogResource | undefined =>
  catalog.resources.find((resource) => resource.key === key)

const grantIn = (from: Plan | Addon | undefined, resource_key: string): Grant | undefined =>
  from !== undefined && Object.hasOwn(from.grants, resource_key) ? from.grants[resource_key] : undefined

const allowanceOf = (grant: Grant): number | null => grant === true ? 0 : grant.allowance

const added = (left: number | null, right: number | null) => left === null || right === null ? null : left + right

/**
 * What this plan and these add-ons give of a resource together. Only the plan says what is beyond the allowance; a key that
 * the catalog does not have any more gives nothing.
 */
export const grantedOf = (
  catalog: Catalog,
  plan_key: string,
  addon_keys: ReadonlyArray<string>,
  resource_key: string
): Granted => {
  const ofPlan = grantIn(planOf(catalog, plan_key), resource_key)
  const ofAddons = addon_keys.map((key) => grantIn(addonOf(catalog, key), resource_key))
  const grants = [ofPlan, ...ofAddons].filter((grant) => grant !== undefined)
  const allowance = grants.map(allowanceOf).reduce(added, 0)
  const price = ofPlan === undefined || ofPlan === true ? undefined : ofPlan.overage_price_cents
  return {
    granted: grants.length > 0,
    allowance,
    overage_price_cents: allowance === null ? null : price ?? null
  }
}

/** What an account's plan and add-ons give of a resource now. */
export const grantedTo = (
  catalog: Catalog,
  account: Pick<Account, "addons" | "plan_key">,
  resource_key: string
): Granted => grantedOf(catalog, account.plan_key, account.addons.map(({ addon_key }) => addon_key), resource_key)

/** Whether this add-on may be contracted with this plan. */
export const isOffered = (catalog: Catalog, plan_key: string, addon_key: string): boolean =>
  planOf(catalog, plan_key)?.addons.includes(addon_key) ?? false

/** How much is used beyond an allowance, in units. Beyond one without end nothing is. */
export const beyond = ({ allowance }: Granted, used: number): number =>
  allowance === null ? 0 : Math.max(0, used - allowance)

const shownResource = (
  catalog: Catalog,
  account: Account,
  used: ReadonlyMap<string, number>,
  { key, kind, name }: CatalogResource
): Resource => {
  const given = grantedTo(catalog, account, key)
  const numbers = kind === "flag"
    ? { unlimited: false, allowance: 0, balance: 0, used: 0, overage: 0, bills: false }
    : shownUse(given, used.get(key) ?? 0)
  return { key, name, kind, granted: given.granted, ...numbers }
}

const shownUse = (given: Granted, used: number) => ({
  unlimited: given.allowance === null,
  allowance: given.allowance ?? 0,
  balance: Math.max(0, (given.allowance ?? 0) - used),
  used,
  overage: beyond(given, used),
  bills: given.overage_price_cents !== null
})

const shownAddon = (catalog: Catalog, account: Account, addon: Addon): AvailableAddon => {
  const { key, monthly_price_cents, name, removable } = addon
  const contracted = account.addons.some(({ addon_key }) => addon_key === key)
  const offered = isOffered(catalog, account.plan_key, key)
  const required = catalog.plans.filter(({ addons }) => addons.includes(key)).map(({ name }) => name)
  return {
    key,
    name,
    monthly_price_cents,
    contracted,
    removable: contracted && removable,
    unavailable_reason: offered ? null : "not_in_plan",
    required_plans: offered ? [] : required
  }
}

/**
 * What a club with a plan has, uses and may have at a moment (contract, Billing status). `used`: units of each metered
 * resource in the period of that moment.
 */
export const statusOf = (
  catalog: Catalog,
  account: Account,
  used: ReadonlyMap<string, number>,
  now: DateTime.Utc,
  portal_available: boolean
): BillingStatus => {
  const { end, start } = periodAt(account.anchor, now)
  return new BillingStatus({
    managed: true,
    portal_available,
    period_start: start,
    period_end: end,
    plan: { key: account.plan_key, name: planOf(catalog, account.plan_key)?.name ?? account.plan_key },
    addons: account.addons.map(({ addon_key }) => ({
      key: addon_key,
      name: addonOf(catalog, addon_key)?.name ?? addon_key
    })),
    available_addons: catalog.addons.map((addon) => shownAddon(catalog, account, addon)),
    resources: catalog.resources.map((resource) => shownResource(catalog, account, used, resource))
  })
}

/** The status of a club that has no plan. */
export const unmanaged: BillingStatus = new BillingStatus({
  managed: false,
  portal_available: false,
  period_start: null,
  period_end: null,
  plan: null,
  addons: [],
  available_addons: [],
  resources: []
})
