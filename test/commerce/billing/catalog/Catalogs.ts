import { Schema } from "effect"
import { PlanCatalog } from "../../../../src/commerce/billing/catalog/PlanCatalog.ts"
import { Price } from "../account/Times.ts"

/** What a property chooses of a catalog: prices, and a price and a number of units. */
export const Prices = Schema.Struct({
  plan: Price,
  pack: Price,
  help: Price,
  unit: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1000 }))
})
type Prices = typeof Prices.Type

/** The units of `answers` that the plan has, and those that the add-on `pack` adds. */
const units = { plan: 10, pack: 5 } as const

/** One plan that bills what is beyond, one that has less and does not, two add-ons, a metered resource and a flag. */
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
