import { Schema } from "effect"
import { Timestamp } from "../../../platform/http/Timestamp.ts"
import { CatalogKey, Cents } from "../catalog/PlanCatalog.ts"

/** UUIDv7. */
export const CheckoutId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("CheckoutId"))
export type CheckoutId = typeof CheckoutId.Type

/** UUIDv7. */
export const ClaimId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("ClaimId"))
export type ClaimId = typeof ClaimId.Type

/** A plan of the catalog. */
export class PlanOffer extends Schema.Class<PlanOffer>("PlanOffer")({
  key: CatalogKey,
  name: Schema.String,
  monthly_price_cents: Cents,
  currency: Schema.String
}) {}

/** The plan that is to be bought: the `key` of one of the catalog's. */
export const BeginCheckout = Schema.Struct({ plan: CatalogKey }).annotate({ identifier: "BeginCheckout" })

/** Where the provider takes the payment. Whoever has the address can pay there. */
export class BillingCheckout extends Schema.Class<BillingCheckout>("BillingCheckout")({
  url: Schema.RedactedFromValue(Schema.String)
}) {}

/** A subscription that was bought elsewhere and says that it is for the club: `external_id` is the provider's. */
export class UnconfirmedSubscription extends Schema.Class<UnconfirmedSubscription>("UnconfirmedSubscription")({
  id: ClaimId,
  external_id: Schema.String,
  plan: Schema.Struct({ key: Schema.String, name: Schema.String }),
  created_at: Timestamp
}) {}
