import type { PlanCatalog } from "../../catalog/PlanCatalog.ts"

/** The plan or add-on of the catalog that a price is for. */
export const catalogItemOf = (catalog: PlanCatalog, price: string | undefined) => {
  const plan = catalog.plans.find(({ stripe_price }) => stripe_price !== undefined && stripe_price === price)
  if (plan !== undefined) return { kind: "plan", key: plan.key, name: plan.name } as const
  const addon = catalog.addons.find(({ stripe_price }) => stripe_price !== undefined && stripe_price === price)
  return addon === undefined ? undefined : { kind: "addon", key: addon.key, name: addon.name } as const
}
