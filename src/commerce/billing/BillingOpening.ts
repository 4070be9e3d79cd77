import { Effect } from "effect"
import type { ClubOpening } from "../../membership/clubs/ClubOpenings.ts"
import { Billing } from "./Billing.ts"
import { BillingLayer } from "./BillingLayer.ts"

/** A club starts with a plan, where clubs have any. */
export const billingOpening = Effect.map(Billing, ({ open }): ClubOpening => ({ id }) => open(id)).pipe(
  Effect.provide(BillingLayer)
)
