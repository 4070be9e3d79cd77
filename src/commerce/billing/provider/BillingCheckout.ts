import { Schema } from "effect"
import { field } from "../../../platform/http/Field.ts"
import { Timestamp } from "../../../platform/http/Timestamp.ts"
import { brandedId } from "../../../platform/schema/brandedId.ts"
import { CatalogKey, Cents } from "../catalog/PlanCatalog.ts"

/** An address that a browser opens. */
export const Url = Schema.String.annotate({ format: "uri" })

/** UUIDv7. */
export const CheckoutId = brandedId("CheckoutId")
export type CheckoutId = typeof CheckoutId.Type

/** UUIDv7. */
export const ClaimId = brandedId("ClaimId")
export type ClaimId = typeof ClaimId.Type

export class PlanOffer extends Schema.Class<PlanOffer>("PlanOffer")(Schema.Struct({
  key: CatalogKey.pipe(field("Names the plan, in `POST …/billing/checkout` too", "growth")),
  name: Schema.String.pipe(field("The plan's name", "Growth")),
  monthly_price_cents: Cents.pipe(field("The price of a month in cents, before add-ons and overage", 9900)),
  currency: Schema.String.pipe(field("The ISO 4217 code of the price's currency", "USD"))
}).annotate({ identifier: "PlanOffer", description: "A plan that the club can buy" })) {}

export const BeginCheckout = Schema.Struct({
  plan: CatalogKey.pipe(field("The key of the plan to buy, one of `GET …/billing/plans`", "growth"))
}).annotate({ identifier: "BeginCheckout", description: "The plan to buy" })

export class BillingCheckout extends Schema.Class<BillingCheckout>("BillingCheckout")(Schema.Struct({
  url: Schema.RedactedFromValue(Url).pipe(field(
    "The page at which the club pays. Anyone with the address can pay there",
    "https://checkout.stripe.com/c/pay/cs_test_a1B2c3"
  ))
}).annotate({ identifier: "BillingCheckout", description: "Where the payment provider takes the payment" })) {}

export class UnconfirmedSubscription
  extends Schema.Class<UnconfirmedSubscription>("UnconfirmedSubscription")(Schema.Struct({
    id: ClaimId.pipe(field("Names the unconfirmed subscription")),
    external_id: Schema.String.pipe(field("The provider's id of the subscription", "sub_1PqR2sT3uVwXyZ")),
    plan: Schema.Struct({
      key: Schema.String.pipe(field("The key of the plan", "growth")),
      name: Schema.String.pipe(field("The plan's name; its key if the catalog no longer has it", "Growth"))
    }).pipe(field("The plan that was bought")),
    created_at: Timestamp.pipe(field("When we heard of the subscription"))
  }).annotate({
    identifier: "UnconfirmedSubscription",
    description: "A subscription that was bought elsewhere and says that it is for the club"
  }))
{}
