import type { Addon, Grant, Plan, PlanCatalog } from "./PlanCatalog.ts"

type Fault = string | undefined

const firstOf = (faults: Iterable<Fault>): Fault => {
  for (const fault of faults) if (fault !== undefined) return fault
  return undefined
}

const repeated = (
  where: string,
  field: string,
  values: ReadonlyArray<string | undefined>,
  before: ReadonlyArray<string | undefined> = []
): Fault =>
  firstOf(values.map((value, index) =>
    value !== undefined && [...before, ...values.slice(0, index)].includes(value)
      ? `${where}[${index}].${field} is there twice`
      : undefined
  ))

const grantFault = (
  catalog: PlanCatalog,
  where: string,
  resource_key: string,
  grant: Grant,
  ofPlan: boolean
): Fault => {
  const resource = catalog.resources.find(({ key }) => key === resource_key)
  const at = `${where}.grants.${resource_key}`
  if (resource === undefined) return `${at} names no resource`
  if (grant === true) return resource.kind === "flag" ? undefined : `${at} takes an allowance: the resource is metered`
  if (resource.kind === "flag") return `${at} takes true: the resource is a flag`
  if (grant.overage_price_cents === undefined) return undefined
  if (!ofPlan) return `${at}.overage_price_cents is for plans only`
  return grant.allowance === null
    ? `${at}.overage_price_cents has nothing to bill: the allowance is unlimited`
    : undefined
}

const grantsFault = (catalog: PlanCatalog, where: string, { grants }: Plan | Addon, ofPlan: boolean): Fault =>
  firstOf(Object.entries(grants).map(([key, grant]) => grantFault(catalog, where, key, grant, ofPlan)))

const planFaults = (catalog: PlanCatalog): ReadonlyArray<Fault> =>
  catalog.plans.flatMap((plan, index) => {
    const where = `plans[${index}]`
    const unknown = plan.addons.findIndex((key) => !catalog.addons.some((addon) => addon.key === key))
    const twice = plan.addons.findIndex((key, at) => plan.addons.indexOf(key) !== at)
    return [
      unknown < 0 ? undefined : `${where}.addons[${unknown}] names no add-on`,
      twice < 0 ? undefined : `${where}.addons[${twice}] is there twice`,
      grantsFault(catalog, where, plan, true)
    ]
  })

const pricesOf = (some: ReadonlyArray<Plan | Addon>) => some.map(({ stripe_price }) => stripe_price)

/**
 * The first fault in a catalog beyond its shape, with its place:
 * - keys that are used twice
 * - references to unknown keys
 * - grants that do not fit the resource's kind
 */
export const catalogFault = (catalog: PlanCatalog): string | undefined => {
  const { addons, plans, resources } = catalog
  return firstOf([
    ...Object.entries({ plans, addons, resources }).map(([where, some]) =>
      repeated(where, "key", some.map(({ key }) => key))
    ),
    ...planFaults(catalog),
    ...addons.map((addon, index) => grantsFault(catalog, `addons[${index}]`, addon, false)),
    repeated("plans", "stripe_price", pricesOf(plans)),
    repeated("addons", "stripe_price", pricesOf(addons), pricesOf(plans))
  ])
}

/** The first plan or add-on that Stripe could not charge for, as it has no price there. */
export const unpricedFault = ({ addons, plans }: PlanCatalog): string | undefined =>
  firstOf(Object.entries({ plans, addons }).flatMap(([where, some]) =>
    some.map(({ stripe_price }, index) =>
      stripe_price === undefined
        ? `${where}[${index}].stripe_price is missing, and BILLING_PROVIDER is stripe`
        : undefined
    )
  ))
