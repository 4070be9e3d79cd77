import { type DateTime, Schema } from "effect"
import type { Account } from "../account/Account.ts"
import { periodAt } from "../account/Period.ts"
import {
  accountEntitlement,
  addonOf,
  type Entitlement,
  isOffered,
  planOf,
  unitsBeyond
} from "../catalog/Entitlement.ts"
import type { Addon, CatalogResource, PlanCatalog } from "../catalog/PlanCatalog.ts"

const Instant = Schema.DateTimeUtcFromDate
const Named = Schema.Struct({ key: Schema.String, name: Schema.String })

/** An add-on of the catalog, to be offered. `unavailable_reason` is null where it can be contracted with the plan. */
export const AvailableAddon = Schema.Struct({
  key: Schema.String,
  name: Schema.String,
  monthly_price_cents: Schema.Int,
  contracted: Schema.Boolean,
  removable: Schema.Boolean,
  unavailable_reason: Schema.NullOr(Schema.Literals(["not_in_plan"])),
  required_plans: Schema.Array(Schema.String)
}).annotate({ identifier: "AvailableAddon" })
export type AvailableAddon = typeof AvailableAddon.Type

/** What the club has of a resource in this period. A flag has no numbers: they are 0. `bills`: overage is invoiced. */
export const Resource = Schema.Struct({
  key: Schema.String,
  name: Schema.String,
  kind: Schema.Literals(["flag", "metered"]),
  granted: Schema.Boolean,
  unlimited: Schema.Boolean,
  allowance: Schema.Int,
  balance: Schema.Int,
  used: Schema.Int,
  overage: Schema.Int,
  bills: Schema.Boolean
}).annotate({ identifier: "BillingResource" })
export type Resource = typeof Resource.Type

/**
 * What a club has, uses and may have (contract, Billing status). Without a plan all but the two booleans is null or
 * empty.
 */
export class BillingStatus extends Schema.Class<BillingStatus>("BillingStatus")({
  managed: Schema.Boolean,
  portal_available: Schema.Boolean,
  period_start: Schema.NullOr(Instant),
  period_end: Schema.NullOr(Instant),
  plan: Schema.NullOr(Named),
  addons: Schema.Array(Named),
  available_addons: Schema.Array(AvailableAddon),
  resources: Schema.Array(Resource)
}) {}

const resourceStatus = (
  catalog: PlanCatalog,
  account: Account,
  used: ReadonlyMap<string, number>,
  { key, kind, name }: CatalogResource
): Resource => {
  const entitlement = accountEntitlement(catalog, account, key)
  const numbers = kind === "flag"
    ? { unlimited: false, allowance: 0, balance: 0, used: 0, overage: 0, bills: false }
    : usageStatus(entitlement, used.get(key) ?? 0)
  return { key, name, kind, granted: entitlement.granted, ...numbers }
}

const usageStatus = (entitlement: Entitlement, used: number) => ({
  unlimited: entitlement.allowance === null,
  allowance: entitlement.allowance ?? 0,
  balance: Math.max(0, (entitlement.allowance ?? 0) - used),
  used,
  overage: unitsBeyond(entitlement, used),
  bills: entitlement.overage_price_cents !== null
})

const addonStatus = (catalog: PlanCatalog, account: Account, addon: Addon): AvailableAddon => {
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
 * The status of a club with a plan at a moment (contract, Billing status). `used`: units of each metered resource in the
 * period of that moment.
 */
export const statusOf = (
  catalog: PlanCatalog,
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
    available_addons: catalog.addons.map((addon) => addonStatus(catalog, account, addon)),
    resources: catalog.resources.map((resource) => resourceStatus(catalog, account, used, resource))
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
