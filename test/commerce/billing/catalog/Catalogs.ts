import { Schema } from "effect"
import { PlanCatalog } from "../../../../src/commerce/billing/catalog/PlanCatalog.ts"
import { Price } from "../account/Times.ts"

/** The prices of a catalog, in cents, for properties. `unit` is the price of a unit beyond the allowance. */
export const Prices = Schema.Struct({
  plan: Price,
  pack: Price,
  help: Price,
  unit: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1000 }))
})
type Prices = typeof Prices.Type

/** The units of `answers` in the plan, and the further units of the add-on `pack`. */
const units = { plan: 10, pack: 5 } as const

/** A plan that bills overage, a smaller plan that does not, two add-ons, a metered resource and a flag. */
export const catalogOf = ({ help, pack, plan, unit }: Prices): PlanCatalog =>
  PlanCatalog.make({
    currency: "EUR",
    plans: [
      {
        key: "basic",
        name: "Basic",
        monthly_price_cents: plan,
        addons: ["pack", "help"],
        grants: { answers: { allowance: units.plan, overage_price_cents: unit } }
      },
      {
        key: "small",
        name: "Small",
        monthly_price_cents: 0,
        addons: ["pack"],
        grants: { answers: { allowance: 0 } }
      }
    ],
    addons: [
      {
        key: "pack",
        name: "Pack",
        monthly_price_cents: pack,
        removable: true,
        grants: { answers: { allowance: units.pack } }
      },
      { key: "help", name: "Help", monthly_price_cents: help, removable: false, grants: { help: true } }
    ],
    resources: [
      { key: "answers", name: "Answers", kind: "metered" },
      { key: "help", name: "Help", kind: "flag" }
    ]
  })
