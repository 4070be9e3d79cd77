import { Schema } from "effect"
import { text } from "../../../platform/http/Text.ts"

/** Names a plan, an add-on or a resource, in paths too. */
export const CatalogKey = Schema.String.check(Schema.isPattern(/^[a-z0-9](?:[a-z0-9_-]{0,62}[a-z0-9])?$/, {
  expected: "lower-case letters, digits, - and _, at most 64"
}))

const Name = text(1, 120)

/** Integer cents of the catalog's currency. */
export const Cents = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100_000_000 }))

/** By the unit, of which there may be as many as of an allowance: the product is still exact. */
const UnitPrice = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 }))

const Allowance = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000_000 }))

/**
 * What a plan or an add-on gives of a resource: `true` of a flag; of a metered one so many units each period, `null` for
 * without end. With `overage_price_cents` what is used beyond is billed, by the unit; without, it is refused.
 */
const Grant = Schema.Union([
  Schema.Literal(true),
  Schema.Struct({ allowance: Schema.NullOr(Allowance), overage_price_cents: Schema.optionalKey(UnitPrice) })
])
export type Grant = typeof Grant.Type

const Grants = Schema.Record(CatalogKey, Grant)

/** The provider's price: what Stripe calls `price_…`. Unused where nothing is charged by a provider. */
const StripePrice = Schema.optionalKey(Schema.String.check(Schema.isPattern(/^price_\w{1,200}$/)))

/** What a club has at any time exactly one of. `addons`: the keys of those that may be contracted with it. */
export const Plan = Schema.Struct({
  key: CatalogKey,
  name: Name,
  monthly_price_cents: Cents,
  addons: Schema.Array(CatalogKey),
  grants: Grants,
  stripe_price: StripePrice
})
export type Plan = typeof Plan.Type

/** What a club may contract beside its plan. Not `removable`: only with the plan as a whole. */
export const Addon = Schema.Struct({
  key: CatalogKey,
  name: Name,
  monthly_price_cents: Cents,
  removable: Schema.Boolean,
  grants: Grants,
  stripe_price: StripePrice
})
export type Addon = typeof Addon.Type

/** What plans and add-ons give: a `flag` is there or not, a `metered` one is used up in each period. */
export const CatalogResource = Schema.Struct({
  key: CatalogKey,
  name: Name,
  kind: Schema.Literals(["flag", "metered"])
})
export type CatalogResource = typeof CatalogResource.Type

/** Of each at most: all of a catalog is in every billing status. */
const few = Schema.isMaxLength(100)

/** Everything that can be had, and what it costs. The first plan is what a new club starts on, where clubs start on one. */
export const PlanCatalog = Schema.Struct({
  currency: Schema.String.check(Schema.isPattern(/^[A-Z]{3}$/, { expected: "an ISO 4217 code such as USD" })),
  plans: Schema.NonEmptyArray(Plan).check(few),
  addons: Schema.Array(Addon).check(few),
  resources: Schema.Array(CatalogResource).check(few)
})
export type PlanCatalog = typeof PlanCatalog.Type
