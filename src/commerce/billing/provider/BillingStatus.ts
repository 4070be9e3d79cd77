import { type DateTime, Schema } from "effect"
import { Count } from "../../../platform/http/Count.ts"
import { field } from "../../../platform/http/Field.ts"
import { InstantOrNull } from "../../../platform/schema/Instant.ts"
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

const named = (key: string, name: string) =>
  Schema.Struct({
    key: Schema.String.pipe(field("Names it in the catalog", key)),
    name: Schema.String.pipe(field("Its name; its key if the catalog no longer has it", name))
  })

const AvailableAddon = Schema.Struct({
  key: Schema.String.pipe(field("Names the add-on, when it is contracted and removed too", "assistant_pack")),
  name: Schema.String.pipe(field("The add-on's name", "1,000 more assistant answers")),
  monthly_price_cents: Count.pipe(field("The price of a month, in cents of the catalog's currency", 1900)),
  contracted: Schema.Boolean.pipe(field("True if the club has it")),
  removable: Schema.Boolean
    .pipe(field("True if the club has it and can remove it; some add-ons end only with the plan as a whole")),
  unavailable_reason: Schema.NullOr(Schema.Literals(["not_in_plan"]))
    .pipe(field("Why it cannot be contracted with the club's plan; null where it can", null)),
  required_plans: Schema.Array(Schema.String)
    .pipe(field("The names of the plans with which it can be contracted; empty where the club's own will do", []))
}).annotate({ identifier: "AvailableAddon", description: "An add-on of the catalog, and whether the club can have it" })
type AvailableAddon = typeof AvailableAddon.Type

const Resource = Schema.Struct({
  key: Schema.String.pipe(field("Names the resource", "assistant_messages")),
  name: Schema.String.pipe(field("The resource's name", "Assistant answers")),
  kind: Schema.Literals(["flag", "metered"]).pipe(field(
    "`flag`: it is there or not, and its numbers are 0. `metered`: units of it are used up in each period",
    "metered"
  )),
  granted: Schema.Boolean.pipe(field("True if the plan or an add-on gives any of it")),
  unlimited: Schema.Boolean.pipe(field("True if there is no allowance to exceed", false)),
  allowance: Count.pipe(field("How many units plan and add-ons give in a period; 0 where it is unlimited", 1500)),
  balance: Count.pipe(field("The remaining units of the allowance; 0 if it is unlimited", 1380)),
  used: Count.pipe(field("How many units were used in this period", 120)),
  overage: Count.pipe(field("How many units were used beyond the allowance", 0)),
  bills: Schema.Boolean
    .pipe(field("True if units beyond the allowance are served and invoiced. If false, they are refused"))
}).annotate({
  identifier: "BillingResource",
  description: "The club's allowance and use of a resource in this period"
})
type Resource = typeof Resource.Type

/** The plan, add-ons, use and limits of a club (contract, Billing status). */
export class BillingStatus extends Schema.Class<BillingStatus>("BillingStatus")(Schema.Struct({
  managed: Schema.Boolean
    .pipe(field("True if the club has a plan. Without a plan, everything else is false, null or empty, and nothing is limited")),
  portal_available: Schema.Boolean.pipe(field("True if the payment provider has a portal for the club")),
  period_start: InstantOrNull
    .pipe(field("When this period began: a month, counted from the day the plan began; null without a plan")),
  period_end: InstantOrNull.pipe(field("When the next period begins; null without a plan")),
  plan: Schema.NullOr(named("starter", "Starter")).pipe(field("The club's plan; null without one")),
  addons: Schema.Array(named("assistant_pack", "1,000 more assistant answers"))
    .pipe(field("The add-ons that the club has")),
  available_addons: Schema.Array(AvailableAddon)
    .pipe(field("All add-ons of the catalog, those that the club has too; empty without a plan")),
  resources: Schema.Array(Resource)
    .pipe(field("All resources of the catalog, with what the club has and has used of each; empty without a plan"))
}).annotate({ identifier: "BillingStatus", description: "A club's plan and add-ons, and what it uses of them" })) {}

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
