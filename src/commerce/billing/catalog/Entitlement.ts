import type { Addon, CatalogResource, Grant, Plan, PlanCatalog } from "./PlanCatalog.ts"

/** The part of a resource that a plan with its add-ons gives. For a flag the numbers have no meaning. */
export interface Entitlement {
  readonly granted: boolean
  /** Units in each period; `null`: unlimited. */
  readonly allowance: number | null
  /** The price of a unit beyond the allowance; `null` if such use is refused, or the allowance is unlimited. */
  readonly overage_price_cents: number | null
}

/** The catalog's plan of this key, if it still has it. */
export const planOf = (catalog: PlanCatalog, key: string): Plan | undefined =>
  catalog.plans.find((plan) => plan.key === key)

/** The catalog's add-on of this key, if it still has it. */
export const addonOf = (catalog: PlanCatalog, key: string): Addon | undefined =>
  catalog.addons.find((addon) => addon.key === key)

/** The catalog's resource of this key, if it has it. */
export const resourceOf = (catalog: PlanCatalog, key: string): CatalogResource | undefined =>
  catalog.resources.find((resource) => resource.key === key)

const grantIn = (from: Plan | Addon | undefined, resource_key: string): Grant | undefined =>
  from !== undefined && Object.hasOwn(from.grants, resource_key) ? from.grants[resource_key] : undefined

const allowanceOf = (grant: Grant): number | null => grant === true ? 0 : grant.allowance

const added = (left: number | null, right: number | null) => left === null || right === null ? null : left + right

/**
 * The part of a resource that this plan and these add-ons give together. Only the plan has a price for overage. A key
 * that has left the catalog gives nothing.
 */
export const entitlementOf = (
  catalog: PlanCatalog,
  plan_key: string,
  addon_keys: ReadonlyArray<string>,
  resource_key: string
): Entitlement => {
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

/** A plan and the add-ons beside it, as an account has them. */
export interface PlanWithAddons {
  readonly plan_key: string
  readonly addons: ReadonlyArray<{ readonly addon_key: string }>
}

/** The part of a resource that an account's plan and add-ons give now. */
export const accountEntitlement = (
  catalog: PlanCatalog,
  account: PlanWithAddons,
  resource_key: string
): Entitlement =>
  entitlementOf(catalog, account.plan_key, account.addons.map(({ addon_key }) => addon_key), resource_key)

/** True if this add-on may be contracted with this plan. */
export const isOffered = (catalog: PlanCatalog, plan_key: string, addon_key: string): boolean =>
  planOf(catalog, plan_key)?.addons.includes(addon_key) ?? false

/** The units used beyond the allowance: 0 if that is unlimited. */
export const unitsBeyond = ({ allowance }: Entitlement, used: number): number =>
  allowance === null ? 0 : Math.max(0, used - allowance)
