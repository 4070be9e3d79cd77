import { Schema } from "effect"

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

/** What a club has, uses and may have (contract, Billing status). Without a plan all but the two booleans is null or empty. */
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
