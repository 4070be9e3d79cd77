import { Schema } from "effect"
import { text } from "../../../platform/http/Text.ts"

/** Names a plan, an add-on or a resource, in paths too. */
export const CatalogKey = Schema.String.check(Schema.isPattern(/^[a-z0-9](?:[a-z0-9_-]{0,62}[a-z0-9])?$/u, {
  expected: "lower-case letters, digits, - and _, at most 64"
}))

const Name = text(1, 120)

/** Integer cents of the catalog's currency. */
export const Cents = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100_000_000 }))

/** Cents for one unit. Times the largest allowance it is still an exact number. */
const UnitPrice = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 }))

const Allowance = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000_000 }))

/**
 * The part of a resource that a plan or an add-on gives. For a flag it is `true`. For a metered resource it is an
 * allowance of units in each period, or `null` for unlimited. With `overage_price_cents`, each unit beyond the
 * allowance is billed; without, it is refused.
 */
const Grant = Schema.Union([
  Schema.Literal(true),
  Schema.Struct({ allowance: Schema.NullOr(Allowance), overage_price_cents: Schema.optionalKey(UnitPrice) })
])
export type Grant = typeof Grant.Type

const Grants = Schema.Record(CatalogKey, Grant)

/** Stripe's id of the price, `price_…`. Used only with Stripe as the provider. */
const StripePrice = Schema.optionalKey(Schema.String.check(Schema.isPattern(/^price_\w{1,200}$/)))

/** A plan: a club has at most one at a time. `addons`: the keys of those that may be contracted with it. */
export const Plan = Schema.Struct({
  key: CatalogKey,
  name: Name,
  monthly_price_cents: Cents,
  addons: Schema.Array(CatalogKey),
  grants: Grants,
  stripe_price: StripePrice
})
export type Plan = typeof Plan.Type

/** An extra that a club may contract beside its plan. If not `removable`, it ends only with the plan as a whole. */
export const Addon = Schema.Struct({
  key: CatalogKey,
  name: Name,
  monthly_price_cents: Cents,
  removable: Schema.Boolean,
  grants: Grants,
  stripe_price: StripePrice
})
export type Addon = typeof Addon.Type

/** A resource of plans and add-ons. A `flag` is on or off, a `metered` one is used up in each period. */
export const CatalogResource = Schema.Struct({
  key: CatalogKey,
  name: Name,
  kind: Schema.Literals(["flag", "metered"])
})
export type CatalogResource = typeof CatalogResource.Type

/** The most plans, add-ons and resources each: every billing status shows the whole catalog. */
const few = Schema.isMaxLength(100)

/** All plans, add-ons and resources, with prices. With the provider `local`, a new club starts on the first plan. */
export const PlanCatalog = Schema.Struct({
  currency: Schema.String.check(Schema.isPattern(/^[A-Z]{3}$/, { expected: "an ISO 4217 code such as USD" })),
  plans: Schema.NonEmptyArray(Plan).check(few),
  addons: Schema.Array(Addon).check(few),
  resources: Schema.Array(CatalogResource).check(few)
})
export type PlanCatalog = typeof PlanCatalog.Type
